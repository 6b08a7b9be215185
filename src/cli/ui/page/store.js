// What the page knows: the session, and answers to the questions that the view needs.

import { Cancelled } from "./engine.js";

/** @import { Answer, Bounded, Check, Command, Counterexample, Counterexamples, Evaluation, Fact, Generalization, Induction, Inference, Names, Proof, Question, Reach, ReportState, Request, Source, StoredState, Sufficient, Suggestion, Suggestions, Walked } from "./wire.js" */

/** Name of the column of theorems. */
export const THEOREMS = "(theorems)";

/** Views of the page, in order. */
export const VIEWS = ["induction", "proof", "executions", "simulate", "model"];

/**
 * The state of the session; a report has more of it.
 * @typedef {StoredState & Partial<Omit<ReportState, keyof StoredState>>} Session
 */

/**
 * What is known of executions within a number of steps, and of those that violate a safety property.
 * @typedef {Partial<Bounded> & {safety?: number | null}} Executions
 */

/**
 * How far an inference is, or what it has found.
 * @typedef {Inference | {lemmas: number, refuted: number, inductive?: undefined}} Inferred
 */

/**
 * A conjecture on the page: one that is offered, or what excludes the facts that a person has chosen.
 * @typedef {Partial<Suggestion> & {formula: string, isMine?: boolean, falseAfter?: number, isExplored?: boolean}} Offered
 */

/**
 * Answers by the part of the page that has asked.
 * @typedef {{
 *   check: Check, early: Executions, late: Executions, counterexamples: Counterexamples, generalization: Generalization,
 *   suggestions: Suggestions, mine: Reach, induction: Induction, sufficient: Sufficient, bounded: Executions,
 *   deeper: Executions, inference: Inferred, houdini: Inference, proof: Proof, executions: Executions,
 *   why: Partial<Bounded & Reach>, walk: Walked, there: Walked, names: Names, source: Source,
 *   [watch: `watch ${string}`]: Evaluation,
 * }} Answers
 */

/**
 * A part of the page with its question and what is known of the answer.
 * @template [T=unknown]
 * @typedef {{key: string, digest: string, value: T | null, isOld: boolean, isRunning: boolean, isBackground: boolean, isStopped: boolean, error: string | null, asked: import("./engine.js").Asked | null}} Slot
 */

export class Store {
  /** @param {import("./engine.js").Engine} engine @param {() => void} changed */
  constructor(engine, changed) {
    this.engine = engine;
    this.changed = changed;
    /** The state of the session, which is known before anything is shown. @type {Session} */
    this.session = /** @type {Session} */ (/** @type {unknown} */ (null));
    /** @type {Omit<Map<keyof Answers, Slot>, "get"> & {get<N extends keyof Answers>(name: N): Slot<Answers[N]> | undefined}} */
    this.slots = new Map();
    /** Message about the last command that failed. */
    this.error = "";
    this.view = "induction";
    /** Part of the induction view that is shown where there is no room for all. */
    this.tab = "counterexample";
    /** Execution that is shown. @type {{title: string, execution: Counterexample} | null} */
    this.execution = null;
    /** Question for an execution that is to be shown. @type {Question | null} */
    this.why = null;
    this.other = /** @type {{title: string, execution: Counterexample} | null} */ (null);
    this.step = 0;
    this.executionAs = "picture";
    this.depth = 6;
    this.filter = "";
    /** Text of the person's own conjecture; `null` if none is edited. @type {string | null} */
    this.own = null;
    /** Formula whose bounded check the person asked for. @type {{formula: string | null, depth: number} | null} */
    this.bounded = null;
    /** Formula of which more was asked. @type {string | null} */
    this.judged = null;
    this.stopped = new Set();
    this.focus = /** @type {string | null} */ (null);
    this.wantsInference = false;
    /** Whether conjectures are wanted although a claim is false in a reachable state. */
    this.wantsAnyway = false;
    /** What a long bounded check has found out about a model. @type {{digest: string, value: Executions} | null} */
    this.late = null;
    /** Magnification of pictures; 1 is what fits and can be read. */
    this.zoom = 1;
    /** First claims that lists of claims show, by list. @type {Map<string, number>} */
    this.pages = new Map();
    this.houdini = /** @type {string[] | null} */ (null);
    this.isConnected = true;
    this.chosen = 0;
    /** Conjectures on the page, in order. @type {Offered[]} */
    this.offered = [];
    /** Names that continue what was typed. @type {string[]} */
    this.completions = [];
    /** What is wrong with the person's own conjecture. */
    this.ownError = "";
    /** First row of the facts over time that is shown. */
    this.firstRow = 0;
    /** Whether keys without Ctrl or the like do nothing. */
    this.keysOff = false;
    /** Facts of the conjecture that is pointed at, and their text. @type {Set<string> | null} */
    this.pointed = null;
    this.pointedText = "";
    /** Whether the person has done nothing for a while. */
    this.isResting = false;
    /** Whether the page has no program behind it. */
    this.isReport = false;
  }

  /**
   * Asks a question for a part of the page. The answer to an earlier one stays, marked as old, until there is a new one.
   * @template {keyof Answers} N
   * @param {N} name
   * @param {Question | null} question
   * @param {boolean} [background]
   * @returns {Slot<Answers[N]> | null}
   */
  want(name, question, background = false) {
    const slot = this.slots.get(name);
    if (!question) {
      if (slot) {
        slot.asked?.cancel();
        this.slots.delete(name);
      }
      return null;
    }
    const about = [this.session?.digest, this.session?.drawing, question];
    const key = JSON.stringify(about);
    if (slot?.key === key) return slot;
    slot?.asked?.cancel();
    /** @type {Slot<Answers[N]>} */
    const fresh = {
      key,
      digest: this.session?.digest ?? "",
      value: slot?.value ?? null,
      isOld: slot?.value !== undefined && slot?.value !== null,
      isRunning: true,
      isBackground: background,
      isStopped: false,
      error: null,
      asked: null,
    };
    this.slots.set(name, fresh);
    if (this.stopped.has(key)) {
      fresh.isRunning = false;
      fresh.isStopped = true;
      return fresh;
    }
    const isNow = () => this.slots.get(name) === fresh;
    const set = (/** @type {Answer} */ value, /** @type {boolean} */ isPartial) => {
      if (!isNow()) return;
      fresh.value = /** @type {Answers[N]} */ (merged(isPartial && !fresh.isOld ? fresh.value : null, value));
      fresh.isOld = false;
      fresh.isRunning = isPartial;
      this.changed();
    };
    fresh.asked = this.engine.ask(question, { background, partial: (value) => set(value, true) });
    fresh.asked.promise.then(
      (value) => set(value, false),
      (error) => {
        if (!isNow()) return;
        fresh.isRunning = false;
        if (!(error instanceof Cancelled)) {
          fresh.error = error.message;
          fresh.value = fresh.isOld ? null : fresh.value;
        }
        this.changed();
      },
    );
    return fresh;
  }

  /** Stops the questions that run for a part of the page. @param {keyof Answers} name */
  stop(name) {
    const slot = this.slots.get(name);
    if (!slot) return;
    this.stopped.add(slot.key);
    slot.asked?.cancel();
    slot.isRunning = false;
    slot.isStopped = true;
    this.changed();
  }

  /** Whether a part of the page has no answer since its question was stopped. */
  isStopped() {
    return [...this.slots.values()].some((slot) => slot.isStopped);
  }

  /** Ends the questions about claims that the session has no more: nobody sees their answers. */
  dropObsolete() {
    for (const [name, slot] of this.slots) {
      if (!slot.isRunning || slot.digest === this.session?.digest) continue;
      slot.asked?.cancel();
      this.slots.delete(name);
    }
  }

  /** Makes sure that the question of a part of the page is asked again. @param {keyof Answers} name */
  forget(name) {
    const slot = this.slots.get(name);
    if (!slot) return;
    slot.asked?.cancel();
    this.stopped.delete(slot.key);
    this.slots.delete(name);
  }

  /** Sends a request that changes the session. @param {Request & {m: "state" | "command" | "undo" | "redo" | "reload" | "write"}} request */
  async change(request) {
    try {
      this.take(await this.engine.send(request));
      this.error = "";
    } catch (error) {
      this.error = error instanceof Error ? error.message : String(error);
    }
    this.changed();
    return this.error === "";
  }

  /** Takes a state of the session unless a later one is known. Returns whether there was a change. @param {Session} session */
  take(session) {
    if (this.session && (session.revision < this.session.revision || JSON.stringify(session) === JSON.stringify(this.session))) return false;
    this.session = session;
    return true;
  }

  /** Carries out a command. @param {Command} command */
  command(command) {
    return this.change({ m: "command", command });
  }

  /** The answer to the check of all obligations. */
  get check() {
    return this.slots.get("check")?.value ?? null;
  }

  /** Obligations that fail, in the order of the table. @returns {{claim: string, action: string}[]} */
  failing() {
    return (this.check?.cells ?? []).filter((cell) => cell.outcome === "failed");
  }

  /** A claim that is false in a reachable state, with the execution to it. @returns {Executions | null} */
  violation() {
    const early = this.slots.get("early");
    if (early && !early.isOld && early.value?.execution) return early.value;
    const inferred = this.slots.get("inference");
    if (inferred && !inferred.isOld && inferred.value?.inductive !== undefined && inferred.value.execution) return inferred.value;
    return this.late?.digest === this.session?.digest ? (this.late?.value ?? null) : null;
  }

  /** Whether it is known if a claim is false after very few steps, as far as that is easy to know. */
  get isEarlyOver() {
    const early = this.slots.get("early");
    return !early?.isRunning || (!early.isOld && Math.max(early.value?.holds ?? 0, early.value?.safety ?? 0) >= 2);
  }

  /** Whether the model claims nothing. */
  get claimsNothing() {
    return this.check?.heads?.claims.length === 0;
  }

  /** The counterexample that is shown. */
  selected() {
    const failing = this.failing();
    const wanted = this.session?.selected;
    const isThere = wanted && failing.some((it) => it.claim === wanted.claim && it.action === wanted.action);
    if (isThere) return wanted;
    const first = failing[0];
    return first ? { claim: first.claim, action: first.action, number: 1, dropped: [], kept: [] } : null;
  }

  /** Facts of the counterexample that is shown. @returns {Fact[]} */
  facts() {
    const list = this.slots.get("counterexamples")?.value?.counterexamples ?? [];
    const number = this.selected()?.number ?? 1;
    return list[Math.min(number, list.length) - 1]?.states?.[0]?.facts ?? [];
  }

  /** Shows a view. @param {string} view */
  go(view) {
    if (!VIEWS.includes(view)) return;
    this.view = view;
    if (view === "simulate") this.step = this.session.walk?.calls.length ?? 0;
    this.changed();
  }

  /** Makes sure that the log says which counterexample is shown. */
  async fix() {
    const shown = this.selected();
    const logged = this.session?.selected;
    const isSame = logged && shown && logged.claim === shown.claim && logged.action === shown.action;
    if (shown && !isSame) await this.command({ do: "select", claim: shown.claim, action: shown.action, number: shown.number });
  }

  /** @param {string} name */
  title(name) {
    return (this.check?.heads?.actions ?? []).find((it) => it.name === name)?.title ?? name;
  }
}

/** Whether a claim can be taken out: it is none of what is to be shown. @param {Store} store @param {string} claim */
export function isRemovable(store, claim) {
  return (store.check?.heads?.claims ?? []).some((it) => it.label === claim && it.kind === "invariant");
}

/**
 * Adds a part of an answer to what is known: lists of cells grow, the rest is replaced.
 * @param {object | null} old @param {object} value @returns {object}
 */
function merged(old, value) {
  if (!old || !("cells" in old && "cells" in value) || "ok" in value) return value;
  return { ...old, ...value, cells: [.../** @type {Check} */ (old).cells, .../** @type {Check} */ (value).cells] };
}
