(** The checker, as a program. Nothing here needs to be trusted: Sound.v proves that it is right. *)
Require Import List Arith PArith Bool Lia FMapPositive.
Require Import Core.
Import ListNotations.
Set Implicit Arguments.
Module PM := PositiveMap.

(** * Equality of formulas *)
Section ListEqb.
Variable A : Type. Variable eqb : A -> A -> bool.
Fixpoint list_eqb (l l' : list A) : bool :=
  match l, l' with
  | [], [] => true
  | a :: l, b :: l' => if eqb a b then list_eqb l l' else false
  | _, _ => false
  end.
End ListEqb.

Definition opt_eqb (a b : option nat) : bool :=
  match a, b with None, None => true | Some a, Some b => Nat.eqb a b | _, _ => false end.

Fixpoint term_eqb (a b : term) : bool :=
  match a, b with
  | Var i, Var j => Nat.eqb i j
  | App k f l, App k' f' l' =>
      if Nat.eqb f f' then if opt_eqb k k' then list_eqb term_eqb l l' else false else false
  | Cst s c, Cst s' c' => if Pos.eqb c c' then Nat.eqb s s' else false
  | _, _ => false
  end.

Fixpoint form_eqb (a b : form) : bool :=
  match a, b with
  | Rel k f l, Rel k' f' l' =>
      if Nat.eqb f f' then if opt_eqb k k' then list_eqb term_eqb l l' else false else false
  | Eq s a b, Eq s' a' b' => if Nat.eqb s s' then if term_eqb a a' then term_eqb b b' else false else false
  | Not f, Not g => form_eqb f g
  | And l, And l' | Or l, Or l' => list_eqb form_eqb l l'
  | Imp f g, Imp f' g' | Iff f g, Iff f' g' => if form_eqb f f' then form_eqb g g' else false
  | All s f, All s' f' | Ex s f, Ex s' f' => if Nat.eqb s s' then form_eqb f f' else false
  | _, _ => false
  end.

(** * Operations *)
(** All constants are below [n]. *)
Fixpoint tbound (n : positive) (t : term) : bool :=
  match t with Var _ => true | App _ _ l => forallb (tbound n) l | Cst _ c => Pos.ltb c n end.
Fixpoint bound (n : positive) (f : form) : bool :=
  match f with
  | Rel _ _ l => forallb (tbound n) l
  | Eq _ a b => if tbound n a then tbound n b else false
  | Not f | All _ f | Ex _ f => bound n f
  | And l | Or l => forallb (bound n) l
  | Imp f g | Iff f g => if bound n f then bound n g else false
  end.

Fixpoint ground (t : term) : bool :=
  match t with Var _ => false | App _ _ l => forallb ground l | Cst _ _ => true end.

Section Ops.
Variable S : sig.

Fixpoint tsub (d : nat) (ts : list term) (t : term) : term :=
  match t with
  | Var i => if Nat.ltb i d then t else
      match nth_error ts (i - d) with Some t => t | None => Var (i - length ts) end
  | App k f l => App k f (map (tsub d ts) l)
  | Cst _ _ => t
  end.
Fixpoint sub (d : nat) (ts : list term) (f : form) : form :=
  match f with
  | Rel k r l => Rel k r (map (tsub d ts) l)
  | Eq s a b => Eq s (tsub d ts a) (tsub d ts b)
  | Not f => Not (sub d ts f)
  | And l => And (map (sub d ts) l)
  | Or l => Or (map (sub d ts) l)
  | Imp f g => Imp (sub d ts f) (sub d ts g)
  | Iff f g => Iff (sub d ts f) (sub d ts g)
  | All s f => All s (sub (1 + d) ts f)
  | Ex s f => Ex s (sub (1 + d) ts f)
  end.

Definition has_sort (t : term) (s : sort) : bool :=
  match t with Var _ => false | App _ f _ => Nat.eqb (fres S f) s | Cst s' _ => Nat.eqb s' s end.

(** The body of a block of quantifiers, one for each term. [q]: universal. *)
Fixpoint peel (q : bool) (f : form) (ts : list term) {struct ts} : option form :=
  match ts with
  | [] => Some f
  | t :: ts =>
      match q, f with
      | true, All s f | false, Ex s f => if has_sort t s then peel q f ts else None
      | _, _ => None
      end
  end.

Definition inst (q : bool) (f : form) (ts : list term) : option form :=
  match peel q f ts with Some b => Some (sub 0 (rev ts) b) | None => None end.

Fixpoint wits (f : form) (k : nat) (c : positive) {struct k} : list term :=
  match k, f with
  | Datatypes.S k, All s f | Datatypes.S k, Ex s f => Cst s c :: wits f k (Pos.succ c)
  | _, _ => []
  end.

(** Reads state [k] as state [g k]. *)
Fixpoint tmove (g : nat -> nat) (t : term) : term :=
  match t with App k f l => App (option_map g k) f (map (tmove g) l) | _ => t end.
Fixpoint move (g : nat -> nat) (f : form) : form :=
  match f with
  | Rel k r l => Rel (option_map g k) r (map (tmove g) l)
  | Eq s a b => Eq s (tmove g a) (tmove g b)
  | Not f => Not (move g f)
  | And l => And (map (move g) l)
  | Or l => Or (map (move g) l)
  | Imp f h => Imp (move g f) (move g h)
  | Iff f h => Iff (move g f) (move g h)
  | All s f => All s (move g f)
  | Ex s f => Ex s (move g f)
  end.
(** Reads all states as state [j]. *)
Definition at_state (j : nat) : form -> form := move (fun _ => j).

(** * Proofs *)
(** Formula [n] as a literal is [n~0], its negation [n~1]. *)
Definition neg (l : positive) : positive := match l with n~0 => n~1 | n~1 => n~0 | xH => xH end%positive.

Inductive step :=
| Def (n : positive) (f : form)                      (* names a formula *)
| AndE (n : positive) (i : nat) (l : positive)       (* -n, child i *)
| AndI (n : positive) (ls : list positive)           (* n, -children *)
| OrE (n : positive) (ls : list positive)            (* -n, children *)
| OrI (n : positive) (i : nat) (l : positive)        (* n, -child i *)
| ImpE (n a b : positive)                            (* -n, -a, b *)
| ImpI (n a b : positive) (first : bool)             (* n, a  or  n, -b *)
| IffC (n a b : positive) (i : nat)                  (* the four clauses *)
| Inst (n : positive) (ts : list term) (l : positive)    (* All: -n, l;  Ex: n, -l *)
| Wit (n : positive) (k : nat) (l : positive)            (* Ex: -n, l;  All: n, -l *)
| Refl (n : positive)
| Trans (a b c : positive)
| CongF (n : positive) (es : list (option positive))
| CongR (a b : positive) (es : list (option positive))
| Rup (c : list positive) (hints : list positive).

Record st := { forms : PM.t form; clauses : PM.t (list positive); count : positive; next : positive }.
Definition start : st := {| forms := PM.empty _; clauses := PM.empty _; count := 1; next := 1 |}.

Definition add (c : list positive) (s : st) : st :=
  {| forms := forms s; clauses := PM.add (count s) c (clauses s); count := Pos.succ (count s); next := next s |}.

(** Formulas that are one proposition. *)
Definition same (f g : form) : bool :=
  if form_eqb f g then true else
  match f, g with
  | Eq s a b, Eq s' a' b' => if Nat.eqb s s' then if term_eqb a b' then term_eqb b a' else false else false
  | _, _ => false
  end.

(** Makes sure that formula [n] is [f]. *)
Definition claim (n : positive) (f : form) (s : st) : option st :=
  match PM.find n (forms s) with
  | Some g => if same g f then Some s else None
  | None => if bound (next s) f
      then Some {| forms := PM.add n f (forms s); clauses := clauses s; count := count s; next := next s |}
      else None
  end.

(** Makes sure that the literal [l] is [f]. *)
Fixpoint literal (l : positive) (f : form) (s : st) : option st :=
  match f with
  | Not f => literal (neg l) f s
  | _ => match l with n~0 => claim n f s | _ => None end%positive
  end.

Fixpoint literals (ls : list positive) (fs : list form) (s : st) : option st :=
  match ls, fs with
  | [], [] => Some s
  | l :: ls, f :: fs => match literal l f s with Some s => literals ls fs s | None => None end
  | _, _ => None
  end.

Definition mem (l : positive) (a : PM.t unit) : bool := match PM.find l a with Some _ => true | None => false end.

(** What is not false of a clause, or [None] if that are two. *)
Fixpoint unit_of (c : list positive) (a : PM.t unit) (found : option positive) : option (option positive) :=
  match c with
  | [] => Some found
  | l :: c => if mem l a then unit_of c a found else
      match found with
      | None => unit_of c a (Some l)
      | Some l' => if Pos.eqb l l' then unit_of c a found else None
      end
  end.

(** [a]: the literals that are false. *)
Fixpoint rup (cs : PM.t (list positive)) (a : PM.t unit) (hints : list positive) : bool :=
  match hints with
  | [] => false
  | h :: hints =>
      match PM.find h cs with
      | None => false
      | Some c =>
          match unit_of c a None with
          | None => false
          | Some None => true
          | Some (Some l) => rup cs (PM.add (neg l) tt a) hints
          end
      end
  end.

(** The literals of equations between arguments; [None]: they are equal. *)
Fixpoint args_eq (sorts : list sort) (ts us : list term) (es : list (option positive)) (s : st) : option (list positive) :=
  match ts, us, es with
  | [], [], [] => Some []
  | t :: ts, u :: us, e :: es =>
      match sorts with [] => None | so :: sorts =>
      match args_eq sorts ts us es s with
      | None => None
      | Some rest =>
          match e with
          | None => if term_eqb t u then Some rest else None
          | Some n => match PM.find n (forms s) with
              | Some f => if same f (Eq so t u) then Some (n~1 :: rest)%positive else None
              | None => None
              end
          end
      end end
  | _, _, _ => None
  end.

(** From x = y and f follows g, where f is y = z and g is x = z for some z. *)
Definition chain (q : sort) (x y : term) (f g : form) : bool :=
  match g with
  | Eq _ u v => let z := if term_eqb u x then v else u in if same f (Eq q y z) then same g (Eq q x z) else false
  | _ => false
  end.

Definition skip (k : nat) (c : positive) : positive := Nat.iter k Pos.succ c.

Definition run1 (x : step) (s : st) : option st :=
  match x with
  | Def n f => claim n f s
  | AndE n i l =>
      match PM.find n (forms s) with
      | Some (And fs) => match nth_error fs i with
          | Some f => option_map (add [n~1; l]) (literal l f s)
          | None => None end
      | _ => None end
  | AndI n ls =>
      match PM.find n (forms s) with
      | Some (And fs) => option_map (add (n~0 :: map neg ls)) (literals ls fs s)
      | _ => None end
  | OrE n ls =>
      match PM.find n (forms s) with
      | Some (Or fs) => option_map (add (n~1 :: ls)) (literals ls fs s)
      | _ => None end
  | OrI n i l =>
      match PM.find n (forms s) with
      | Some (Or fs) => match nth_error fs i with
          | Some f => option_map (add [n~0; neg l]) (literal l f s)
          | None => None end
      | _ => None end
  | ImpE n a b =>
      match PM.find n (forms s) with
      | Some (Imp f g) => option_map (add [n~1; neg a; b]) (literals [a; b] [f; g] s)
      | _ => None end
  | ImpI n a b q =>
      match PM.find n (forms s) with
      | Some (Imp f g) => option_map (add (if q then [n~0; a] else [n~0; neg b])) (literals [a; b] [f; g] s)
      | _ => None end
  | IffC n a b i =>
      match PM.find n (forms s) with
      | Some (Iff f g) => option_map (add (match i with
            | 0%nat => [n~1; neg a; b] | 1%nat => [n~1; a; neg b] | 2%nat => [n~0; a; b] | _ => [n~0; neg a; neg b] end))
          (literals [a; b] [f; g] s)
      | _ => None end
  | Inst n ts l =>
      if forallb ground ts then
      match PM.find n (forms s) with
      | Some (All _ _ as f) => match inst true f ts with
          | Some g => option_map (add [n~1; l]) (literal l g s) | None => None end
      | Some (Ex _ _ as f) => match inst false f ts with
          | Some g => option_map (add [n~0; neg l]) (literal l g s) | None => None end
      | _ => None end else None
  | Wit n k l =>
      match PM.find n (forms s) with
      | None => None
      | Some f =>
          let ts := wits f k (next s) in
          let s' := {| forms := forms s; clauses := clauses s; count := count s; next := skip k (next s) |} in
          match f with
          | Ex _ _ => match inst false f ts with
              | Some g => option_map (add [n~1; l]) (literal l g s') | None => None end
          | All _ _ => match inst true f ts with
              | Some g => option_map (add [n~0; neg l]) (literal l g s') | None => None end
          | _ => None
          end
      end
  | Refl n =>
      match PM.find n (forms s) with
      | Some (Eq _ a b) => if term_eqb a b then Some (add [n~0] s) else None
      | _ => None end
  | Trans a b c =>
      match PM.find a (forms s), PM.find b (forms s), PM.find c (forms s) with
      | Some (Eq q x y), Some f, Some g =>
          if (if chain q x y f g then true else chain q y x f g) then Some (add [a~1; b~1; c~0] s) else None
      | _, _, _ => None end
  | CongF n es =>
      match PM.find n (forms s) with
      | Some (Eq _ (App k f l) (App k' f' l')) =>
          if Nat.eqb f f' && opt_eqb k k' then
          match args_eq (fargs S f) l l' es s with
          | Some c => Some (add (n~0 :: c) s)
          | None => None end else None
      | _ => None end
  | CongR a b es =>
      match PM.find a (forms s), PM.find b (forms s) with
      | Some (Rel k r l), Some (Rel k' r' l') =>
          if Nat.eqb r r' && opt_eqb k k' then
          match args_eq (rargs S r) l l' es s with
          | Some c => Some (add (a~1 :: b~0 :: c) s)
          | None => None end else None
      | _, _ => None end
  | Rup c hints =>
      if rup (clauses s) (fold_right (fun l a => PM.add l tt a) (PM.empty _) c) hints
      then Some (add c s) else None
  end%positive.

Fixpoint run (xs : list step) (s : st) : option st :=
  match xs with
  | [] => Some s
  | x :: xs => match run1 x s with Some s => run xs s | None => None end
  end.

(** Literal [l] is [f] already. *)
Fixpoint is_literal (l : positive) (f : form) (s : st) : bool :=
  match f with
  | Not f => is_literal (neg l) f s
  | _ => match l with
      | n~0 => match PM.find n (forms s) with Some g => same g f | None => false end
      | _ => false
      end%positive
  end.

(** Clause [c] says that [hyps] imply [goal]. *)
Definition entailed (s : st) (hyps : list form) (goal : form) (c : positive) : bool :=
  if existsb (form_eqb goal) hyps then true else
  match PM.find c (clauses s) with
  | None => false
  | Some c => forallb (fun l => if is_literal l goal s then true else existsb (fun h => is_literal (neg l) h s) hyps) c
  end.
End Ops.

(** * Transition systems *)
Record certificate := {
  invariants : list form;
  steps : list step;
  at_init : list positive;              (* a clause for each invariant *)
  at_step : list (list positive);       (* for each transition, a clause for each invariant *)
  at_safety : list positive }.          (* a clause for each safety property, from the invariants *)

Fixpoint forall2b (A B : Type) (p : A -> B -> bool) (l : list A) (m : list B) : bool :=
  match l, m with
  | [], [] => true
  | a :: l, b :: m => if p a b then forall2b p l m else false
  | _, _ => false
  end.

Definition plain (f : form) : bool := bound 1 f.

Definition check (T : system) (c : certificate) : bool :=
  match run (signature T) (steps c) start with
  | None => false
  | Some s =>
      let ax0 := map (at_state 0) (axioms T) in
      let ax1 := map (at_state 1) (axioms T) in
      let inv0 := map (at_state 0) (invariants c) in
      let inv1 := map (at_state 1) (invariants c) in
      let hyp_init := ax0 ++ map (at_state 0) (inits T) in
      let hyp_step := ax0 ++ ax1 ++ inv0 in
      forallb plain (axioms T) && forallb plain (inits T) && forallb plain (transitions T) &&
      forallb plain (invariants c) && forallb plain (safety T) &&
      forall2b (entailed s hyp_init) inv0 (at_init c) &&
      forall2b (fun t => forall2b (entailed s (t :: hyp_step)) inv1) (transitions T) (at_step c) &&
      forall2b (entailed s (ax0 ++ inv0)) (map (at_state 0) (safety T)) (at_safety c)
  end.

(** Hypotheses and goals, each with its clause; one proof for all. *)
Definition check_queries (S : sig) (qs : list (list form * form)) (steps : list step) (cs : list positive) : bool :=
  match run S steps start with
  | None => false
  | Some s => forall2b (fun q c => if forallb plain (fst q) then if plain (snd q) then entailed s (fst q) (snd q) c
                                   else false else false) qs cs
  end.
