(* `ramsey-check-proved CORE CERTIFICATE`: the checker that is proved right, as a program. It reads what `ramsey-check-core` reads
   (spec/core.md, spec/certificate.md), gives formulas, terms and clauses their numbers, and has the functions `check` and
   `check_queries` of Check.v decide. They decide nothing about counterexamples: certificates with some are refused.

   Exit code 0: accepted; 1: rejected; 2: the arguments or the closed form are not usable; 3: there are counterexamples. *)
open Checker

exception Reject of string

let reject reason = raise (Reject reason)
let rec nat k = if k = 0 then O else S (nat (k - 1))
let rec pos k = if k = 1 then XH else if k land 1 = 1 then XI (pos (k / 2)) else XO (pos (k / 2))

(* Words *)

let is_digits word = word <> "" && String.for_all (fun c -> '0' <= c && c <= '9') word

let number_of word =
  if not (is_digits word) || String.length word > 10 || (word.[0] = '0' && word <> "0") then reject "not a number";
  let value = int_of_string word in
  if value >= 1 lsl 31 then reject "not a number" else value

type words = string list ref

let words line : words = ref (String.split_on_char ' ' line)
let word (ws : words) = match !ws with w :: rest when w <> "" -> ws := rest; w | _ -> reject "the line lacks a word"
let number ws = number_of (word ws)
let numbers (ws : words) = let all = List.map number_of !ws in ws := []; all
let finish (ws : words) = if !ws <> [] then reject "the line has more words"

(* Vocabulary *)

type symbol = { args : int list; result : int option; is_mutable : bool }

let sorts = ref 0
let functions : symbol array ref = ref [||]
let relations : symbol array ref = ref [||]

let symbol list k state states =
  if k >= Array.length list then reject "no such symbol";
  let it = list.(k) in
  if (if it.is_mutable then 0 < state && state <= states else state = 0) then it else reject "not read in this state"

let in_state = function 0 -> None | k -> Some (nat (k - 1))

(* Terms and formulas that have numbers *)

let terms : (int, term * int) Hashtbl.t = Hashtbl.create 1024
let formulas : (int, form) Hashtbl.t = Hashtbl.create 1024

let rec term ws states binders depth =
  if depth = 0 then reject "too deep";
  match word ws with
  | "V" ->
      let at = number ws in
      (match List.nth_opt binders at with Some sort -> (Var (nat at), sort) | None -> reject "nothing binds it")
  | "A" ->
      let state = number ws in
      let f = number ws in
      let it = symbol !functions f state states in
      let args = arguments ws states binders (depth - 1) it in
      (App (in_state state, nat f, args), Option.get it.result)
  | known -> (
      let n = (try number_of known with Reject _ -> reject "not a term") in
      match Hashtbl.find_opt terms n with Some known -> known | None -> reject "no such term")

and arguments ws states binders depth it =
  if number ws <> List.length it.args then reject "another number of arguments";
  List.map (fun sort -> of_sort ws states binders depth sort) it.args

and of_sort ws states binders depth sort =
  let t, s = term ws states binders depth in
  if s = sort then t else reject "another sort"

let rec form ws states binders depth =
  if depth = 0 then reject "too deep";
  let depth = depth - 1 in
  let again () = form ws states binders depth in
  let list () = List.init (number ws) (fun _ -> ()) |> List.map again in
  match word ws with
  | "R" ->
      let state = number ws in
      let r = number ws in
      let it = symbol !relations r state states in
      Rel (in_state state, nat r, arguments ws states binders depth it)
  | "E" ->
      let sort = number ws in
      let a = of_sort ws states binders depth sort in
      Eq0 (nat sort, a, of_sort ws states binders depth sort)
  | "~" -> Not (again ())
  | "&" -> And (list ())
  | "|" -> Or (list ())
  | ">" -> let f = again () in Imp (f, again ())
  | "=" -> let f = again () in Iff (f, again ())
  | ("!" | "?") as quantifier ->
      let sort = number ws in
      if sort >= !sorts then reject "no such sort";
      let body = form ws states (sort :: binders) depth in
      if quantifier = "!" then All (nat sort, body) else Ex (nat sort, body)
  | known -> (
      let n = (try number_of known with Reject _ -> reject "not a formula") in
      match Hashtbl.find_opt formulas n with Some f -> f | None -> reject "no such formula")

let closed_form ws states = form ws states [] 2000

(* Closed systems *)

let rigid = ref [] and axioms = ref [] and inits = ref [] and transitions = ref []
let invariants = ref [] and assertions = ref []

(* Formulas with their number of states, and whether axioms are assumed of these. *)
let theorems = ref []
let hypotheses : (int, form) Hashtbl.t = Hashtbl.create 64
let queries = ref []

let kinds =
  [ "sort"; "function"; "relation"; "axiom"; "init"; "transition"; "invariant"; "assertion"; "theorem"; "initial";
    "hypothesis"; "query"; "digest" ]

let rank line =
  let first = List.hd (String.split_on_char ' ' line) in
  let rec at i = function [] -> reject "an unknown kind of line" | k :: rest -> if k = first then i else at (i + 1) rest in
  at 0 kinds

let next n count = if n <> count then reject "not the next number"
let push list it = list := it :: !list

let core_line line =
  let ws = words line in
  match word ws with
  | "sort" -> next (number ws) !sorts; ignore (word ws); incr sorts; finish ws
  | ("function" | "relation") as kind ->
      let is_function = kind = "function" in
      let list = if is_function then functions else relations in
      next (number ws) (Array.length !list);
      ignore (word ws);
      let is_mutable = match word ws with "mutable" -> true | "rigid" -> false | _ -> reject "neither" in
      let count = number ws in
      let all = numbers ws in
      if List.length all <> count + (if is_function then 1 else 0) then reject "not a sort for each argument";
      if List.exists (fun sort -> sort >= !sorts) all then reject "no such sort";
      let result = if is_function then Some (List.nth all count) else None in
      let args = List.filteri (fun i _ -> i < count) all in
      list := Array.append !list [| { args; result; is_mutable } |]
  | "axiom" ->
      (match word ws with
      | "rigid" when !axioms = [] -> ignore (word ws); push rigid (closed_form ws 0)
      | "state" -> ignore (word ws); push axioms (closed_form ws 1)
      | _ -> reject "neither");
      finish ws
  | "init" -> ignore (word ws); push inits (closed_form ws 1); finish ws
  | "transition" -> ignore (word ws); push transitions (closed_form ws 2); finish ws
  | "invariant" -> ignore (word ws); push invariants (closed_form ws 1); finish ws
  | "assertion" -> ignore (word ws); push assertions (closed_form ws 1); finish ws
  | ("theorem" | "initial") as kind ->
      let states = number ws in
      ignore (word ws);
      if states > 2 || (kind = "initial" && states <> 1) then reject "not so many states";
      push theorems (states, kind = "theorem", closed_form ws states);
      finish ws
  | "hypothesis" ->
      let states = number ws in
      ignore (word ws);
      Hashtbl.add hypotheses (Hashtbl.length hypotheses) (closed_form ws states);
      finish ws
  | _ ->
      let states = number ws in
      let wanted = word ws in
      if not (List.mem wanted [ "holds"; "fails"; "open" ]) then reject "neither";
      ignore (word ws);
      let count = number ws in
      let hyps =
        List.init count (fun _ -> ())
        |> List.map (fun () ->
               match Hashtbl.find_opt hypotheses (number ws) with Some f -> f | None -> reject "no such hypothesis")
      in
      push queries (states, wanted, hyps, closed_form ws states);
      finish ws

let lines_of path =
  let input = open_in_bin path in
  let text = really_input_string input (in_channel_length input) in
  if text = "" || text.[String.length text - 1] <> '\n' then reject "the last line has no end";
  String.split_on_char '\n' (String.sub text 0 (String.length text - 1))

let read_core path =
  let lines = lines_of path in
  if lines = [] || List.hd lines <> "ramsey-core 1" then reject "the first line is not `ramsey-core 1`";
  let last = ref 0 and ended = ref false in
  List.iter
    (fun line ->
      let k = rank line in
      let is_theorem_again = List.nth kinds k = "theorem" && List.nth kinds !last = "initial" in
      (* Lines of a model and queries stand alone. *)
      let is_mixed = 3 <= !last && !last < 10 && 10 <= k && k < 12 in
      if !ended || (k < !last && not is_theorem_again) || is_mixed then reject "the line is not at its place";
      last := k;
      if List.nth kinds k = "digest" then (
        if String.length line < 7 || String.sub line 0 7 <> "digest " then reject "no digest";
        ended := true)
      else core_line line)
    (List.tl lines);
  if not !ended then reject "the text ends without a digest";
  List.iter (fun list -> list := List.rev !list) [ rigid; axioms; inits; transitions; invariants; assertions ];
  theorems := List.rev !theorems;
  queries := List.rev !queries

(* Obligations: hypotheses and goal, in the order of spec/core.md *)

let at k = at_state (nat k)

let obligations () =
  let state k list = List.map (at k) list in
  let known = !rigid @ !axioms in
  let initially = List.map (fun goal -> (known @ !inits, goal)) !invariants in
  let steps =
    List.concat_map
      (fun t -> List.map (fun goal -> (known @ state 1 !axioms @ !invariants @ [ t ], at 1 goal)) !invariants)
      !transitions
  in
  let asserted = List.map (fun goal -> (known @ !invariants, goal)) !assertions in
  let theorem (states, is_about_states, goal) =
    let each = List.init (if is_about_states then states else 0) (fun k -> state k !axioms) in
    (!rigid @ List.concat each, goal)
  in
  let asked = List.map (fun (_, _, hyps, goal) -> (hyps, goal)) !queries in
  (List.length (initially @ steps @ asserted), Array.of_list (initially @ steps @ asserted @ List.map theorem !theorems @ asked))

(* Certificates *)

module Key = struct
  type t = form
  let equal = ( = )
  let hash f = Hashtbl.hash_param 100 400 f
end

module Table = Hashtbl.Make (Key)

let numbers_of : int Table.t = Table.create 1024
let steps = ref []
let count = ref 0
let clauses : (int, unit) Hashtbl.t = Hashtbl.create 1024
let constants = ref 0
let answers : (int, int) Hashtbl.t = Hashtbl.create 64

let oriented = function Eq0 (s, a, b) when compare a b > 0 -> Eq0 (s, b, a) | f -> f
let rec unsigned f sign = match f with Not f -> unsigned f (1 - sign) | f -> (f, sign)

(* Returns the literal of a formula, which gets the next number if it has none. *)
let literal f =
  let f, sign = unsigned f 0 in
  let key = oriented f in
  let n =
    match Table.find_opt numbers_of key with
    | Some n -> n
    | None ->
        let n = Hashtbl.length formulas + 1 in
        Table.add numbers_of key n;
        Hashtbl.add formulas n f;
        n
  in
  (2 * n) + sign

let formula n = match Hashtbl.find_opt formulas n with Some f -> f | None -> reject "no such formula"

let add step =
  incr count;
  Hashtbl.add clauses !count ();
  push steps step

let rec block f k is_universal =
  if k = 0 then []
  else match f with
    | All (s, body) when is_universal -> s :: block body (k - 1) is_universal
    | Ex (s, body) when not is_universal -> s :: block body (k - 1) is_universal
    | _ -> reject "the formula has fewer variables"

let instance signature f ts =
  let is_universal = match f with All _ -> true | _ -> false in
  match inst signature is_universal f ts with Some body -> body | None -> reject "no instance"

let rec unnat = function O -> 0 | S k -> 1 + unnat k

let equation n = match formula n with Eq0 (s, a, b) -> (s, a, b) | _ -> reject "not an equation"
let option n = if n = 0 then None else (ignore (equation n); Some (pos n))

let known_clause n = if not (Hashtbl.mem clauses n) then reject "no such clause"

let certificate_line signature states obligations line =
  let ws = words line in
  match word ws with
  | "t" ->
      let t = term ws states [] 2000 in
      Hashtbl.add terms (Hashtbl.length terms) t;
      finish ws
  | "d" ->
      let f = closed_form ws states in
      let n = literal f / 2 in
      push steps (Def (pos n, formula n));
      finish ws
  | "i" ->
      let o = number ws in
      if o >= Array.length obligations then reject "no such obligation";
      let hyps, goal = obligations.(o) in
      let k = number ws in
      let f = if k = List.length hyps then goal else match List.nth_opt hyps k with Some f -> f | None -> reject "no such hypothesis" in
      let n = literal f / 2 in
      push steps (Def (pos n, formula n));
      finish ws
  | "-" -> List.iter (fun n -> known_clause n; Hashtbl.remove clauses n) (numbers ws)
  | ("a" | "O") as kind -> (
      let n = number ws in
      let k = number ws in
      finish ws;
      match (formula n, kind) with
      | And l, "a" when k < List.length l -> let l = literal (List.nth l k) in add (AndE (pos n, nat k, pos l))
      | Or l, "O" when k < List.length l -> let l = literal (List.nth l k) in add (OrI (pos n, nat k, pos l))
      | _ -> reject "not a part")
  | ("A" | "o") as kind -> (
      let n = number ws in
      finish ws;
      match (formula n, kind) with
      | And l, "A" -> let ls = List.map literal l in add (AndI (pos n, List.map pos ls))
      | Or l, "o" -> let ls = List.map literal l in add (OrE (pos n, List.map pos ls))
      | _ -> reject "not a list")
  | "p" -> (
      let n = number ws in
      let k = number ws in
      finish ws;
      match formula n with
      | Imp (f, g) ->
          let a = literal f in
          let b = literal g in
          if k = 0 then add (ImpE (pos n, pos a, pos b))
          else if k <= 2 then add (ImpI (pos n, pos a, pos b, k = 1))
          else reject "an implication has clauses 0 to 2"
      | _ -> reject "not an implication")
  | "e" -> (
      let n = number ws in
      let k = number ws in
      finish ws;
      match formula n with
      | Iff (f, g) ->
          let a = literal f in
          let b = literal g in
          if k <= 3 then add (IffC (pos n, pos a, pos b, nat k)) else reject "an equivalence has clauses 0 to 3"
      | _ -> reject "not an equivalence")
  | "u" ->
      let n = number ws in
      let f = formula n in
      let ts = List.map (fun k -> match Hashtbl.find_opt terms k with Some (t, _) -> t | None -> reject "no such term") (numbers ws) in
      if ts = [] then reject "no variables";
      let l = literal (instance signature f ts) in
      add (Inst (pos n, ts, pos l))
  | "w" ->
      let n = number ws in
      let k = number ws in
      finish ws;
      let f = formula n in
      if k = 0 then reject "no variables";
      let sorts = block f k (match f with All _ -> true | _ -> false) in
      let ts = wits f (nat k) (pos (!constants + 1)) in
      constants := !constants + k;
      List.iter2 (fun t s -> Hashtbl.add terms (Hashtbl.length terms) (t, unnat s)) ts sorts;
      let l = literal (instance signature f ts) in
      add (Wit (pos n, nat k, pos l))
  | "x" ->
      let n = number ws in
      finish ws;
      ignore (formula n);
      add (Refl (pos n))
  | "y" ->
      let a = number ws in
      let b = number ws in
      let c = number ws in
      finish ws;
      List.iter (fun n -> ignore (equation n)) [ a; b; c ];
      add (Trans (pos a, pos b, pos c))
  | "f" ->
      let n = number ws in
      ignore (equation n);
      add (CongF (pos n, List.map option (numbers ws)))
  | "r" ->
      let a = number ws in
      let b = number ws in
      ignore (formula a, formula b);
      add (CongR (pos a, pos b, List.map option (numbers ws)))
  | "c" ->
      let rec literals () =
        match word ws with
        | "0" -> []
        | w ->
            let is_negated = w.[0] = '-' in
            let n = number_of (if is_negated then String.sub w 1 (String.length w - 1) else w) in
            if n = 0 then reject "formulas are counted from 1";
            let l = (2 * n) + if is_negated then 1 else 0 in
            l :: literals ()
      in
      let c = literals () in
      let hints = numbers ws in
      List.iter (fun l -> ignore (formula (l / 2))) c;
      List.iter known_clause hints;
      add (Rup (List.map pos c, List.map pos hints))
  | "q" ->
      let o = number ws in
      let c = number ws in
      finish ws;
      if o >= Array.length obligations then reject "no such obligation";
      if Hashtbl.mem answers o then reject "a second answer";
      if c <> 0 then known_clause c;
      Hashtbl.add answers o c
  | _ -> reject "an unknown kind of line"

let starts line prefix =
  String.length line >= String.length prefix && String.sub line 0 (String.length prefix) = prefix

let () =
  if Array.length Sys.argv <> 3 then (prerr_endline "usage: ramsey-check-proved CORE CERTIFICATE"; exit 2);
  (try read_core Sys.argv.(1) with
  | Reject reason -> prerr_endline (Sys.argv.(1) ^ ": " ^ reason); exit 2
  | Sys_error reason -> prerr_endline reason; exit 2);
  let get list default f k = let k = unnat k in if k < Array.length list then f list.(k) else default in
  let args it = List.map nat it.args in
  let signature =
    { fargs = get !functions [] args;
      fres = get !functions O (fun it -> nat (Option.get it.result));
      rargs = get !relations [] args;
      fmut = get !functions false (fun it -> it.is_mutable);
      rmut = get !relations false (fun it -> it.is_mutable) }
  in
  let system =
    { signature; axioms = !rigid @ !axioms; inits = !inits; transitions = !transitions; safety = !invariants @ !assertions }
  in
  if not (system_well_sorted system) then (prerr_endline (Sys.argv.(1) ^ ": ill-sorted"); exit 2);
  let inductive, obligations = obligations () in
  let of_theorems = List.map (fun (states, _, _) -> states) !theorems in
  let of_queries = List.map (fun (states, _, _, _) -> states) !queries in
  let of_system = (if !invariants <> [] && !transitions <> [] then [ 2 ] else []) @ if inductive > 0 then [ 1 ] else [] in
  let states = List.fold_left max 0 (of_theorems @ of_queries @ of_system) in
  try
    let lines = try lines_of Sys.argv.(2) with Sys_error reason -> prerr_endline reason; exit 2 in
    (match lines with
    | "ramsey-certificate 2" :: source :: core :: claim :: body ->
        if not (starts source "source " && starts core "core " && starts claim "claim ") then reject "not a head";
        (match List.rev (String.split_on_char ' ' claim) with
        | ("proved" | "answered") :: _ -> ()
        | "refuted" :: _ -> prerr_endline "counterexamples are not checked here"; exit 3
        | _ -> reject "not a claim");
        let rec read = function
          | [ "end" ] -> ()
          | "end" :: _ -> reject "a line after the end"
          | line :: rest ->
              if starts line "s " then (prerr_endline "counterexamples are not checked here"; exit 3);
              certificate_line signature states obligations line;
              read rest
          | [] -> reject "the text ends too early"
        in
        read body
    | _ -> reject "not a head");
    (* Where the goal is a hypothesis any clause will do, also one that is not there. *)
    let clause o = match Hashtbl.find_opt answers o with Some 0 -> pos (!count + 1) | Some c -> pos c | None -> reject "no answer" in
    let is_claimed = List.for_all (fun (_, wanted, _, _) -> wanted <> "fails") !queries in
    if not is_claimed then reject "a counterexample is claimed";
    let all = List.init (Array.length obligations) clause in
    let slice from count = List.filteri (fun i _ -> from <= i && i < from + count) all in
    let n = List.length !invariants and m = List.length !transitions in
    let steps = List.rev !steps in
    let at_init = slice 0 n and at_step = List.init m (fun k -> slice (n + (k * n)) n) in
    let anything = List.map (fun _ -> XH) !invariants in
    let at_safety = anything @ slice (n + (m * n)) (List.length !assertions) in
    let others = Array.to_list (Array.sub obligations inductive (Array.length obligations - inductive)) in
    let is_safe = check system { invariants = !invariants; steps; at_init; at_step; at_safety } in
    let is_entailed = check_queries signature others steps (slice inductive (List.length others)) in
    if not (is_safe && is_entailed) then reject "the proof is wrong";
    Printf.printf "accepted, all is as claimed: %d obligations, proved in %d steps\n" (Array.length obligations) (List.length steps)
  with
  | Reject reason -> Printf.printf "rejected: %s: %s\n" Sys.argv.(2) reason; exit 1
  | Stack_overflow -> Printf.printf "rejected: %s: too deep\n" Sys.argv.(2); exit 1
