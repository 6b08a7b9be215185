// What the page and the program say to each other. Made from the types of the program by the test `wire`.

/** A transition of the model, or a part before or after. */
export type Action = {
  /** Its line, from 1. */
  line: number | null;
  /** Its name. */
  name: string;
  /** Its parameters. */
  params: Array<string>;
  /** What is shown: the comment that begins its text, or the name. */
  title: string;
};

/** An answer, or a part of one. */
export type Answer = Check | Counterexamples | Generalization | Suggestions | Bounded | {
  /** The number of steps; none for the part before the initial states. */
  safety: number | null;
  lemmas?: undefined;
  refuted?: undefined;
} | Reach | Induction | Sufficient | Proof | Walked | Evaluation | Source | Names | Inference | {
  /** Number of lemmas. */
  lemmas: number;
  /** Number of formulas that are refuted. */
  refuted: number;
  safety?: undefined;
};

/** A question with its answer. */
export type Answered = {
  question: Question;
  value: Answer | null;
  /** Why there is no answer. */
  why: string | null;
};

/** An atom of a false formula. */
export type Atom = {
  /** Its text. */
  text: string;
  /** Whether it is true. */
  value: boolean;
};

/** Variable with its value. */
export type Binding = {
  /** The variable. */
  name: string;
  /** The element. */
  value: string;
};

/** Why a transition cannot be taken. */
export type Blocked = {
  /** The arguments that come closest. */
  args: Array<[string, string]> | null;
  /** Its variables with their values. */
  bindings: Array<[string, string]> | null;
  /** The false condition. */
  formula: string | null;
};

/** What is known of executions within a number of steps. */
export type Bounded = {
  /** Whether a proof by induction shows that nothing is violated after any number of steps. */
  always?: boolean;
  /** The number of steps that was asked for, of a complete answer. */
  depth?: number | null;
  /** The execution. */
  execution?: Counterexample;
  /** The largest number of steps for which nothing is violated. */
  holds: number | null;
  /** The number of steps; none for the part before the initial states. */
  steps?: number | null;
  /** Whether no transition is possible in the last state. */
  stuck?: boolean;
  /** The claim; none for a formula. */
  violated?: string | null;
};

/** A transition that breaks a formula. */
export type Broken = {
  /** The transition, or `init`. */
  action: string;
  /** A counterexample. */
  counterexample: Counterexample;
};

/** A transition with values of its parameters. */
export type Call = {
  /** The transition. */
  action: string;
  /** An element per parameter, `_` for any. */
  args: Array<string>;
};

/** The answer to an obligation. */
export type Cell = {
  /** The transition. */
  action: string;
  /** The claim. */
  claim: string;
  /** The answer. */
  outcome: CellOutcome;
  /** Why there is no answer. */
  reason?: string | null;
};

/** What is known of an obligation. */
export type CellOutcome = "ok" | "failed" | "unknown" | "error";

/** Which claims are preserved by which transitions. */
export type Check = {
  /** The answers to obligations. */
  cells: Array<Cell>;
  /** Number of those with a counterexample. */
  failed?: number;
  /** Rows and columns of the table; only in the first part of an answer, and in the whole. */
  heads?: Heads | null;
  /** Number of those that hold. */
  ok?: number;
  /** Number of those without an answer. */
  unknown?: number;
  /** What holds only because its condition never does. */
  vacuous?: Array<string>;
};

/** A claim of the model. */
export type Claim = {
  /** Its formula; the text of an assertion. */
  formula: string;
  /** Where it comes from, if it was not in the model at first. */
  from?: string | null;
  /** Its kind. */
  kind: ClaimKind;
  /** Its name, or `L` and the line. */
  label: string;
  /** Its line, from 1. */
  line: number | null;
};

/** Kind of a claim. */
export type ClaimKind = "safety" | "invariant" | "assertion" | "theorem";

/** What a claim is good for. */
export type ClaimStanding = {
  /** The claim. */
  claim: string;
  /** What it is good for. */
  standing: Standing;
};

/** What a person tells a session. Facts are in the syntax of [`ramsey_services::workbench::Selector`], formulas in the language of the model; claims and transitions are called by their labels and names. */
export type Command = {
  do: "add";
  /** The formula. */
  formula: string;
  /** Where it comes from: `suggestion`, `own`, `inference`. */
  from?: string | null;
  /** Its name; without it, one that is free. */
  name?: string | null;
} | {
  /** The claim. */
  claim: string;
  do: "remove";
  /** The reason. */
  why?: string | null;
} | {
  /** The claim. */
  claim: string;
  do: "edit";
  /** The new formula. */
  formula: string;
  /** The reason. */
  why?: string | null;
} | {
  /** The claim. */
  claim: string;
  do: "rename";
  /** The new name. */
  name: string;
} | {
  /** The transition, or `init`. */
  action: string;
  /** The claim. */
  claim: string;
  do: "select";
  /** The number of the counterexample, from 1. */
  number?: number;
} | {
  do: "drop";
  /** A fact, relation, element or the like. */
  fact: string;
} | {
  do: "keep";
  /** A fact, relation, element or the like. */
  fact: string;
} | {
  do: "release";
  /** What was left out or kept. */
  fact: string;
} | {
  do: "bound";
  /** The number of steps. */
  steps: number;
} | {
  do: "start";
  /** Numbers of elements of sorts. */
  sizes?: Record<string, number>;
} | {
  /** The transition. */
  action: string;
  /** An element per parameter, `_` for any. */
  args?: Array<string>;
  do: "take";
} | {
  do: "back";
  /** The number of transitions of the walk that stay. */
  steps: number;
} | {
  do: "watch";
  /** The formula. */
  formula: string;
} | {
  do: "unwatch";
  /** The formula. */
  formula: string;
} | {
  do: "project";
  /** The projection. */
  projection: string;
} | {
  do: "unproject";
  /** The projection. */
  projection: string;
} | {
  /** The definition. */
  definition: string;
  do: "define";
} | {
  /** The definition. */
  definition: string;
  do: "undefine";
} | {
  do: "hide";
  /** The symbol. */
  symbol: string;
} | {
  do: "show";
  /** The symbol. */
  symbol: string;
} | {
  do: "note";
  /** The remark. */
  text: string;
};

/** An execution whose last state, or last step, violates something. */
export type Counterexample = {
  /** The execution as other commands write it. */
  document: Execution;
  /** Whether a conjecture can exclude its first state; only among the counterexamples to an obligation. */
  excludable?: boolean | null;
  /** What the pictures have, as data. */
  scene: Scene;
  /** What the first transition did. */
  statements: Array<Statement>;
  /** The states. */
  states: Array<State>;
  /** What is false. */
  violated: Violated;
};

/** Counterexamples to an obligation. */
export type Counterexamples = {
  /** The transition, or `init`. */
  action: string;
  /** The claim. */
  claim: string;
  /** The counterexamples, the smallest first. */
  counterexamples: Array<Counterexample>;
};

/** Diagnostic as JSON data. */
export type Diagnostic = {
  /** Diagnostic code, as listed in `spec/diagnostics.md`. */
  code: string;
  /** Suggested remedy. */
  help: string | null;
  /** Message, one sentence. */
  message: string;
  /** Additional notes. */
  notes: Array<string>;
  /** Main label. */
  primary: Label | null;
  /** Other labels. */
  secondary: Array<Label>;
  /** Severity. */
  severity: Severity;
};

/** What has become of the model's file. */
export type Disk = "same" | "changed" | "gone";

/** What pictures show beside the symbols of the model, and what they leave out. */
export type Drawing = {
  /** Relations that are defined. */
  definitions: Array<string>;
  /** Symbols that are not drawn. */
  hidden: Array<string>;
  /** Projections. */
  projections: Array<string>;
};

/** What a statement did. */
export type Effect = string | {
  /** The value. */
  is: boolean;
  branch?: undefined;
  changes?: undefined;
  holds?: undefined;
  name?: undefined;
} | {
  /** The value. */
  holds: boolean;
  branch?: undefined;
  changes?: undefined;
  is?: undefined;
  name?: undefined;
} | {
  /** The branch, from 1. */
  branch: number;
  /** Its name. */
  name: string | null;
  changes?: undefined;
  holds?: undefined;
  is?: undefined;
} | {
  /** The facts that are new. */
  changes: Array<string>;
  branch?: undefined;
  holds?: undefined;
  is?: undefined;
  name?: undefined;
};

/** Values of a formula. */
export type Evaluation = {
  /** The formula. */
  formula: string;
  /** Its value in each state. */
  values: Array<boolean>;
};

/** States, with the transitions between them if any. */
export type Execution = {
  /** Facts that hold in all states. */
  immutable: Array<Fact2>;
  /** Execution of the initial part, if state 0 is initial and the model has commands. */
  initial?: Array<Statement2>;
  /** Values of prophecy variables, if the claim is of a proof. */
  prophecy?: Array<Fact2>;
  /** Facts per state. */
  states: Array<State2>;
  /** The transitions from each state to the next; empty where no transition is taken. */
  transitions: Array<Step>;
  /** Elements by sort. */
  universes: Array<Universe>;
};

/** What executions were looked for. */
export type Executions = {
  /** The claims that they were to violate, one of them; all if there are none. */
  claims: Array<string>;
  /** The number of steps. */
  depth: number;
  /** A formula that they were to violate instead. */
  formula: string | null;
};

/** A fact of a state. */
export type Fact = {
  /** The arguments. */
  args: Array<string>;
  /** Its text, by which pictures, tables and commands refer to it. */
  id: string;
  /** Whether the symbol never changes. */
  immutable: boolean;
  /** The symbol. */
  symbol: string;
  /** The value of a function; truth of a relation. */
  value: Value;
};

/** Value of a symbol at a tuple. */
export type Fact2 = {
  /** Its arguments. */
  args: Array<string>;
  /** The symbol. */
  symbol: string;
  /** Its value. */
  value: Value;
};

/** Kind of a reason why there is no answer. */
export type FailureKind = "unfit" | "cancelled" | "limit" | "internal";

/** A claim that is false in a state. */
export type FalseClaim = {
  /** The claim. */
  claim: string;
  /** The state. */
  state: number;
};

/** What excludes a state, or why nothing does. */
export type Generalization = {
  /** The number of steps for which it holds. */
  bound: number;
  /** The formula. */
  formula: string;
  /** Whether no fact is superfluous. */
  minimal: boolean;
  /** The facts that are used. */
  needed: Array<string>;
  /** Its picture. */
  svg: string;
  /** The facts that could be used. */
  upper: Array<string>;
  execution?: undefined;
  lacks?: undefined;
  larger?: undefined;
  left_out?: undefined;
  reached?: undefined;
  whole?: undefined;
} | {
  /** The execution. */
  execution: Counterexample;
  /** Facts that were left out and exclude the state: each list does. */
  lacks: Array<Array<string>>;
  /** Sorts of which the state that is reached has more elements: both numbers. */
  larger: Array<[string, number, number]>;
  /** Variables that nothing reads, and whose facts were left out. */
  left_out: Array<LeftOut>;
  /** The number of steps. */
  reached: number;
  /** The facts. */
  upper: Array<string>;
  /** Whether no fact is left out. */
  whole: boolean;
  bound?: undefined;
  formula?: undefined;
  minimal?: undefined;
  needed?: undefined;
  svg?: undefined;
};

/** Rows and columns of a table of obligations. */
export type Heads = {
  /** The transitions, and the parts before and after. */
  actions: Array<Action>;
  /** The claims. */
  claims: Array<Claim>;
  /** That the model wants its claims decided in another way than by the table. */
  remark?: string | null;
};

/** Whether a formula is inductive together with the claims. */
export type Induction = {
  /** The transitions that break it. */
  failed: Array<Broken>;
  /** Whether it is. */
  inductive: boolean;
};

/** What an inference has found. */
export type Inference = {
  /** The execution. */
  execution?: Counterexample;
  /** Claims that fail with the lemmas. */
  failing?: Array<string> | null;
  /** Whether they and the claims are inductive together. */
  inductive: boolean;
  /** Lemmas that are none of the claims yet. */
  lemmas: Array<string>;
  /** The number of steps. */
  steps?: number;
  /** Set to false if no universal formulas suffice. */
  universal?: boolean | null;
  /** Claims without an answer. */
  unknown?: Array<string> | null;
  /** The property. */
  violated?: string;
};

/** Source range with a text. */
export type Label = {
  /** First column, from 1, in characters. */
  column: number;
  /** Byte offset of the end, exclusive. */
  end: number;
  /** Column after the last character. */
  end_column: number;
  /** Line after the last character. */
  end_line: number;
  /** Name of the file. */
  file: string;
  /** First line, from 1. */
  line: number;
  /** Byte offset of the start. */
  start: number;
  /** The text. */
  text: string;
};

/** How the elements of a sort are placed. */
export type Layout = "plain" | "ladder" | "ring" | "ranks" | "matrix" | "folded";

/** A variable that nothing reads. */
export type LeftOut = {
  /** Its facts. */
  facts: Array<string>;
  /** The variable. */
  symbol: string;
};

/** Change of a fact relative to the previous state. */
export type Mark = "same" | "added" | "removed" | "changed" | "false";

/** What a conjecture would do. */
export type Merit = {
  /** Number of smallest counterexamples to the obligation that it excludes. */
  excludes: number;
  /** Number of obligations that do not hold with it. */
  fails: number;
  /** Number of smallest counterexamples to the obligation. */
  of: number;
  /** Claims that it makes unnecessary. */
  unnecessary: Array<string>;
};

/** A command of a log that does not fit the model. */
export type Misfit = {
  /** The command. */
  command: Command;
  /** The reason. */
  why: string;
};

/** The names of a model. */
export type Names = {
  /** The sorts. */
  sorts: Array<string>;
  /** The symbols. */
  symbols: Array<SymbolName>;
};

/** A transition from the last state of a walk. */
export type NextAction = {
  /** Why it cannot be taken. */
  blocked?: Blocked | null;
  /** Whether there are more. */
  more: boolean;
  /** Its name. */
  name: string;
  /** Its parameters. */
  params: Array<string>;
  /** What is shown. */
  title: string;
  /** The ways to take it. */
  ways: Array<Way>;
};

/** An event with its number. */
export type Numbered = ({
  /** Its number, from 1. */
  n: number;
}) & ({
  e: "partial";
  /** Number of the question. */
  id: number;
  /** What is known so far. */
  value: Answer;
} | {
  e: "done";
  /** Number of the question. */
  id: number;
  /** The answer. */
  value: Answer;
} | {
  e: "failed";
  /** Number of the question. */
  id: number;
  /** The kind of the reason. */
  kind: FailureKind;
  /** The reason. */
  why: string;
} | {
  e: "changed";
  /** The number of changes of the session so far. */
  revision: number;
});

/** What is known of a claim beside its formula. */
export type Origin = {
  /** The claim. */
  claim: string;
  /** Where it comes from: `suggestion`, `own`, `inference`, `edit`. */
  from: string;
  /** Why it was edited. */
  why?: string | null;
};

/** A request that was carried out, or the reason why it was not. */
export type Outcome = {
  ok: Response;
  error?: undefined;
} | {
  error: string;
  ok?: undefined;
};

/** Which claims each proof uses. */
export type Proof = {
  /** What the claims are good for. */
  claims: Array<ClaimStanding>;
  /** The proofs. */
  proofs: Array<ProofRow>;
};

/** The proof of an obligation. */
export type ProofRow = {
  /** The transition, or `init`. */
  action: string;
  /** The claim. */
  claim: string;
  /** The claims that it uses. */
  needs: Array<string>;
  /** Whether there is a proof. */
  outcome: CellOutcome;
  /** Whether the transition changes nothing that the claim is about. */
  unchanged: boolean;
};

/** A question. */
export type Question = {
  q: "check";
} | {
  /** The transition, or `init`. */
  action: string;
  /** The claim. */
  claim: string;
  q: "counterexamples";
} | {
  /** The transition, or `init`. */
  action: string;
  /** The number of steps within which the generalization holds. */
  bound: number;
  /** The claim. */
  claim: string;
  /** What is left out of the generalization. */
  dropped?: Array<string>;
  /** What stays in the generalization. */
  kept?: Array<string>;
  /** The number of the counterexample, from 1. */
  number: number;
  q: "generalize";
} | {
  /** The transition, or `init`. */
  action: string;
  /** The number of steps within which the generalization holds. */
  bound: number;
  /** The claim. */
  claim: string;
  /** What is left out of the generalization. */
  dropped?: Array<string>;
  /** What stays in the generalization. */
  kept?: Array<string>;
  /** The number of the counterexample, from 1. */
  number: number;
  q: "suggest";
} | {
  /** The claims; all if there are none. */
  claims?: Array<string>;
  /** The number of steps. */
  depth: number;
  /** The formula; without it, claims. */
  formula?: string | null;
  /** The number of steps that are known already. */
  from?: number;
  q: "bounded";
} | {
  q: "early";
} | {
  /** The transition. */
  action: string;
  /** The claim. */
  claim: string;
  /** The facts. */
  facts: Array<string>;
  /** The number of the counterexample, from 1. */
  number: number;
  q: "reach";
} | {
  /** The formula. */
  formula: string;
  q: "induction";
} | {
  /** The transition, or `init`. */
  action: string;
  /** The claim. */
  claim: string;
  /** The formula. */
  formula: string;
  q: "sufficient";
} | {
  q: "proof";
} | {
  q: "simulate";
  /** The walk. */
  walk: Walk;
  /** Formulas whose values are shown. */
  watches?: Array<string>;
} | {
  /** The transition, or `init`. */
  action: string;
  /** The claim. */
  claim: string;
  /** The formula. */
  formula: string;
  /** The number of the counterexample, from 1. */
  number: number;
  q: "evaluate";
} | {
  q: "source";
} | {
  q: "names";
} | {
  q: "infer";
} | {
  /** The formulas. */
  formulas: Array<string>;
  q: "houdini";
};

/** Whether facts occur in explored states. */
export type Reach = {
  /** The execution to it. */
  execution?: Counterexample | null;
  /** The number of states that were explored. */
  states: number;
  /** The number of steps to a state with the facts. */
  steps?: number | null;
};

/** A conjecture that is false in some reachable state. */
export type Refuted = {
  /** Whether that is an execution of a small instance, and perhaps not the shortest one. */
  explored: boolean;
  /** The formula. */
  formula: string;
  /** The facts that it excludes together. */
  needed: Array<string>;
  /** The number of steps after which it is false. */
  steps: number;
};

/** What a page without a session shows. */
export type Report = {
  /** The questions that the page asks, with their answers. */
  answers: Array<Answered>;
  schema: string;
  /** The state. */
  state: ReportState;
};

/** The state of a session, with what a command says of its model. */
export type ReportState = {
  /** The number of steps within which generalizations hold. */
  bound: number;
  /** Whether there is a command to be carried out again. */
  can_redo: boolean;
  /** Whether there is a command to be taken back. */
  can_undo: boolean;
  /** Whether the model is another one than at first. */
  changed: boolean;
  /** The commands in effect. */
  commands: Array<Command>;
  /** Digest of the model's text and of all that it includes. */
  digest: string;
  /** What pictures show. */
  drawing: Drawing;
  /** The executions that were looked for. */
  executions: Executions | null;
  /** Its language. */
  language: string;
  /** Path of the model. */
  model: string;
  /** Remarks. */
  notes: Array<string>;
  /** Claims that were not in the model at first. */
  origins: Array<Origin>;
  /** The number of changes of the session so far. */
  revision: number;
  /** Name and version of this form. */
  schema: string;
  /** The counterexample that is shown. */
  selected: Selected | null;
  /** The commands that were taken back. */
  undone: Array<Command>;
  /** Whether the model has no errors. */
  valid: boolean;
  verdict: ReportVerdict;
  /** The walk. */
  walk: Walk | null;
  /** Formulas whose values are shown. */
  watches: Array<string>;
};

/** The answer of a command. */
export type ReportVerdict = {
  kind: Tone;
  text: string;
};

/** What a client asks for. */
export type Request = {
  m: "state";
} | {
  /** The command. */
  command: Command;
  m: "command";
} | {
  m: "undo";
} | {
  m: "redo";
} | {
  /** Whether other questions come first. */
  background?: boolean;
  /** Number of the question, which the client chooses. */
  id: number;
  m: "ask";
  /** The question. */
  question: Question;
} | {
  /** Its number. */
  id: number;
  m: "cancel";
} | {
  m: "preview";
} | {
  /** Digest of the text to be written, from the preview. */
  digest: string;
  m: "write";
} | {
  m: "reload";
} | {
  m: "log";
};

/** What a request is answered with. */
export type Response = StoredState | {
  /** The answer. */
  done: Answer;
  asked?: undefined;
  diff?: undefined;
  digest?: undefined;
  log?: undefined;
  may_write?: undefined;
  path?: undefined;
} | {
  /** Its number. */
  asked: number;
  diff?: undefined;
  digest?: undefined;
  done?: undefined;
  log?: undefined;
  may_write?: undefined;
  path?: undefined;
} | {
  /** The lines that change, with some around them. */
  diff: Array<[Sign, string]>;
  /** Digest of the text to be written. */
  digest: string;
  /** Whether the model may be written. */
  may_write: boolean;
  /** Path of the model. */
  path: string;
  asked?: undefined;
  done?: undefined;
  log?: undefined;
} | {
  /** Its text. */
  log: string;
  asked?: undefined;
  diff?: undefined;
  digest?: undefined;
  done?: undefined;
  may_write?: undefined;
  path?: undefined;
} | null;

/** Contents of a picture. Elements and facts have canonical names; `name` and `text` are for readers. */
export type Scene = {
  /** Explanations of the placement, and of omissions. */
  captions: Array<string>;
  /** All sorts with elements. */
  sorts: Array<SceneSort>;
  /** All states, with the same boxes. */
  states: Array<SceneState>;
};

/** A transition. */
export type SceneAction = {
  /** Its name. */
  name: string;
  /** The parameters that it chose, with their values. */
  parameters: Array<Binding>;
  /** The elements that disappear in it. */
  without?: Array<string>;
};

/** An element. */
export type SceneBox = {
  /** Canonical name. */
  element: string;
  /** Whether the element has disappeared. */
  gone?: boolean;
  /** Facts about it. */
  lines: Array<SceneLine>;
  /** For a set: the membership of each element of the other sort, in order. */
  members?: Array<SceneMember>;
  /** Name in this state. */
  name: string;
  /** Name of the sort. */
  sort: string;
  /** Variables of the violated claim that have it as their value. */
  witnesses?: Array<string>;
};

/** A fact in a cell. */
export type SceneCell = {
  /** The value before, if the fact has another one. */
  before?: string | null;
  /** The element of the column. */
  column: string;
  /** The fact; of one that became false, what was true. `None` for a line that is no fact about a symbol. */
  fact?: string | null;
  /** Change relative to the previous state. */
  mark: Mark;
  /** The element of the row. */
  row: string;
  /** The symbol of the fact. */
  symbol?: string | null;
  /** The text beside the element, without a sign. */
  text: string;
};

/** Facts with the same ends. */
export type SceneEdge = {
  /** The element at the start. */
  from: string;
  /** The facts, all with the same mark. */
  labels: Array<SceneLine>;
  /** The element at the end. */
  to: string;
};

/** A fact as text. */
export type SceneLine = {
  /** The value before, if the fact has another one. */
  before?: string | null;
  /** The fact; of one that became false, what was true. `None` for a line that is no fact about a symbol. */
  fact?: string | null;
  /** Change relative to the previous state. */
  mark: Mark;
  /** The symbol of the fact. */
  symbol?: string | null;
  /** The text beside the element, without a sign. */
  text: string;
};

/** Membership of an element in a set. */
export type SceneMember = {
  /** The membership as a fact. */
  fact?: string | null;
  /** Whether it is a member. */
  member: boolean;
};

/** Placement of the elements of a sort. */
export type SceneSort = {
  /** The elements in the order of the placement; none of a folded sort. */
  elements: Array<string>;
  /** How the elements are placed. */
  layout: Layout;
  /** For a matrix: the sort of the members. */
  members?: string | null;
  /** Name of the sort. */
  name: string;
  /** For ranks: the number of elements of each. */
  ranks?: Array<number>;
  /** The symbol that the placement represents. */
  symbol?: string | null;
};

/** Picture of a state. */
export type SceneState = {
  /** The transition that led to it. */
  action?: SceneAction | null;
  /** The elements. */
  boxes: Array<SceneBox>;
  /** Facts drawn as edges. */
  edges: Array<SceneEdge>;
  /** All other facts. */
  lines: Array<SceneLine>;
  /** Facts drawn in tables. */
  tables: Array<SceneTable>;
  /** `state 1`, with the transition that led to it. */
  title: string;
};

/** A table. */
export type SceneTable = {
  /** Cells that are not empty. */
  cells: Array<SceneCell>;
  /** The sort of the columns. */
  columns: string;
  /** The sort of the rows. */
  rows: string;
};

/** A counterexample that is shown, with what was said of its facts. */
export type Selected = {
  /** The transition, or `init`. */
  action: string;
  /** The claim. */
  claim: string;
  /** What is left out of the generalization. */
  dropped: Array<string>;
  /** What stays in the generalization. */
  kept: Array<string>;
  /** The number of the counterexample, from 1. */
  number: number;
};

/** Severity of a diagnostic. */
export type Severity = "note" | "warning" | "error";

/** A line of a difference. */
export type Sign = " " | "-" | "+";

/** The model as text. */
export type Source = {
  /** Errors and warnings. */
  diagnostics: Array<Diagnostic>;
  /** The path. */
  path: string;
  /** The text. */
  text: string;
};

/** What a claim is good for. */
export type Standing = "goal" | "needed" | "unneeded" | "open";

/** A state. */
export type State = {
  /** The transition that leads to it. */
  action: Taken | null;
  /** Its facts. */
  facts: Array<Fact>;
  /** Its picture. */
  svg: string;
};

/** Facts of one state. */
export type State2 = {
  /** Facts about mutable symbols. */
  facts: Array<Fact2>;
  /** Viable values of prophecy variables, if the claim is of a prophecy step. */
  prophecy?: Array<Fact2>;
};

/** A statement that was executed, or a condition of a transition. */
export type Statement = {
  /** What it did. */
  effect: Effect;
  /** Its line, from 1. */
  line: number | null;
  /** Its text. */
  text: string;
};

/** Executed statement. */
export type Statement2 = {
  /** Index of the branch taken, from 0 (`choice`). */
  branch?: number | null;
  /** New values that differ from the old ones (`assign`, which includes `havoc`). */
  changes?: Array<Fact2> | null;
  /** Column of the statement in characters, from 1. */
  column: number;
  /** What it is. */
  kind: StatementKind;
  /** Line of the statement, from 1. */
  line: number;
  /** Name of the branch (`choice`). */
  name?: string | null;
  /** Value of the formula (`if`, `assume`, `assert`). */
  value?: boolean | null;
};

/** Kind of an executed statement. */
export type StatementKind = "if" | "choice" | "assume" | "assert" | "assign";

/** Transition taken, with its arguments. */
export type Step = {
  /** Name of the transition. */
  name: string;
  /** Instances of the guard that enabled the transition, if the model has no commands. */
  needs?: Array<string>;
  /** Parameters with their values. */
  params: Array<Binding>;
  /** Execution of its command, if the model has commands. */
  statements?: Array<Statement2>;
};

/** The state of a session, with what is known of its files. */
export type StoredState = {
  /** The number of steps within which generalizations hold. */
  bound: number;
  /** Whether there is a command to be carried out again. */
  can_redo: boolean;
  /** Whether there is a command to be taken back. */
  can_undo: boolean;
  /** Whether the model is another one than at first. */
  changed: boolean;
  /** The commands in effect. */
  commands: Array<Command>;
  /** Digest of the model's text and of all that it includes. */
  digest: string;
  /** What has become of the model's file. */
  disk: Disk;
  /** What pictures show. */
  drawing: Drawing;
  /** Its language. */
  language: string;
  /** Whether the model may be written. */
  may_write: boolean;
  /** Commands that no longer fit. */
  misfits: Array<Misfit>;
  /** Path of the model. */
  model: string;
  /** Remarks. */
  notes: Array<string>;
  /** Claims that were not in the model at first. */
  origins: Array<Origin>;
  /** The number of changes of the session so far. */
  revision: number;
  /** Name and version of this form. */
  schema: string;
  /** The counterexample that is shown. */
  selected: Selected | null;
  /** Path of the log. */
  session: string;
  /** The commands that were taken back. */
  undone: Array<Command>;
  /** The reason why the log is not written. */
  unsaved: string | null;
  /** Whether the model has no errors. */
  valid: boolean;
  /** Version of the program. */
  version: string;
  /** The walk. */
  walk: Walk | null;
  /** Formulas whose values are shown. */
  watches: Array<string>;
  /** Whether the model is as it was read or written last. */
  written: boolean;
};

/** Whether a formula excludes all counterexamples to an obligation. */
export type Sufficient = {
  /** A counterexample that is left. */
  counterexample?: Counterexample | null;
  /** Whether it does. */
  sufficient: boolean;
};

/** A conjecture. */
export type Suggestion = {
  /** The number of steps for which it holds. */
  bound: number;
  /** The formula. */
  formula: string;
  /** Whether it is inductive together with the claims. */
  inductive: boolean;
  /** What it would do, once that is known. */
  merit?: Merit | null;
  /** The facts that it excludes together. */
  needed: Array<string>;
  /** Its picture. */
  svg: string;
};

/** Conjectures that exclude a state. */
export type Suggestions = {
  /** Whether this is the whole answer. */
  complete: boolean;
  /** The number of steps that were looked at last. */
  deepening: number | null;
  /** Those that are. */
  refuted: Array<Refuted>;
  /** Those that are not refuted, the best first. */
  suggestions: Array<Suggestion>;
};

/** A symbol of a model. */
export type SymbolName = {
  /** Sorts of its arguments. */
  args: Array<string>;
  /** Whether it never changes. */
  immutable: boolean;
  /** Its name. */
  name: string;
  /** Its sort. */
  result: string;
};

/** A transition that was taken. */
export type Taken = {
  /** Its name. */
  name: string;
  /** Its parameters with their values. */
  params: Array<[string, string]>;
  /** What is shown. */
  title: string;
};

/** How an answer is shown. */
export type Tone = "good" | "warn" | "bad";

/** Elements of a sort. */
export type Universe = {
  /** Names of its elements. */
  elements: Array<string>;
  /** Display names in state 0, by `@printed_by` or a total order, if different. */
  shown?: Array<string> | null;
  /** Name of the sort. */
  sort: string;
};

/** Truth value or element. */
export type Value = boolean | string;

/** A false formula. */
export type Violated = {
  /** Its atoms. */
  atoms: Array<Atom>;
  /** Its variables with their values. */
  bindings: Array<[string, string]>;
  /** The formula. */
  formula: string;
};

/** A walk through states of the model. */
export type Walk = {
  /** The transitions taken. */
  calls: Array<Call>;
  /** Numbers of elements of sorts. */
  sizes: Record<string, number>;
};

/** Where a walk leads. */
export type Walked = {
  /** The transitions from the last state. */
  actions?: Array<NextAction>;
  /** Claims that the last step breaks. */
  broken?: Array<string>;
  /** What the pictures have, as data. */
  scene?: Scene;
  /** Whether there is an initial state with the numbers of elements. */
  start: boolean;
  /** The states. */
  states?: Array<State>;
  /** The step that cannot be taken, from 0. */
  stuck?: number | null;
  /** Claims that are false in a state. */
  violations?: Array<FalseClaim>;
  /** Values of formulas. */
  watches?: Array<Evaluation>;
};

/** A way to take a transition. */
export type Way = {
  /** The arguments. */
  args: Array<string>;
  /** The first facts that change. */
  changes: Array<string>;
};
