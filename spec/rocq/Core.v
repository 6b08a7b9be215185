(** Core: the definitions to read and trust.  Many-sorted first-order logic, its meaning in structures of any
    cardinality, transition systems, and what it means that a property holds in every reachable state. *)
Require Import List Arith PArith.
Import ListNotations.
Set Implicit Arguments.

Definition sort := nat.

(** A signature: argument sorts and result sort of function symbols, argument sorts of relation symbols, and which of
    them may change from state to state. *)
Record sig := { fargs : nat -> list sort; fres : nat -> sort; rargs : nat -> list sort;
                fmut : nat -> bool; rmut : nat -> bool }.

(** Symbols are read in a state ([Some 0]: this one, [Some 1]: the next one) or are rigid ([None]).
    Variables are de Bruijn indices.  [Cst] is for proofs: constants that the proof itself introduces. *)
Inductive term :=
| Var (i : nat)
| App (k : option nat) (f : nat) (l : list term)
| Cst (s : sort) (c : positive).

Inductive form :=
| Rel (k : option nat) (r : nat) (l : list term)
| Eq (s : sort) (a b : term)
| Not (f : form)
| And (l : list form)
| Or (l : list form)
| Imp (f g : form)
| Iff (f g : form)
| All (s : sort) (f : form)
| Ex (s : sort) (f : form).

(** Domains: one type per sort, not empty. *)
Record domains := { dom : sort -> Type; dflt : forall s, dom s }.

Section Meaning.
Variable S : sig.
Variable D : domains.

Definition val := { s : sort & dom D s }.

(** A value as an element of sort [s]; values of other sorts (there are none in well-sorted formulas) become the
    default element. *)
Definition cast (s : sort) (v : val) : dom D s :=
  match Nat.eq_dec (projT1 v) s with
  | left e => eq_rect _ (dom D) (projT2 v) _ e
  | right _ => dflt D s
  end.

(** [dom s1 -> dom s2 -> .. -> R] *)
Fixpoint curry (l : list sort) (R : Type) : Type :=
  match l with [] => R | s :: l => dom D s -> curry l R end.

Fixpoint apply (R : Type) (r : R) (l : list sort) : curry l R -> list val -> R :=
  match l with
  | [] => fun g _ => g
  | s :: l => fun g vs => match vs with [] => r | v :: vs => apply r l (g (cast s v)) vs end
  end.

(** An interpretation of the symbols: ordinary functions and relations. *)
Record interp := {
  fi : forall f, curry (fargs S f) (dom D (fres S f));
  ri : forall r, curry (rargs S r) Prop }.

(** What a formula is read in: rigid symbols, a state for each number, constants of proofs. *)
Record model := { rigid : interp; state : nat -> interp; cst : forall s, positive -> dom D s }.

Definition at_ (M : model) (k : option nat) : interp :=
  match k with None => rigid M | Some k => state M k end.

Fixpoint eval (M : model) (e : list val) (t : term) : val :=
  match t with
  | Var i => nth i e (existT _ 0 (dflt D 0))
  | App k f l => existT _ (fres S f) (apply (dflt D _) (fargs S f) (fi (at_ M k) f) (map (eval M e) l))
  | Cst s c => existT _ s (cst M s c)
  end.

Fixpoint conj (l : list Prop) : Prop := match l with [] => True | [p] => p | p :: l => p /\ conj l end.
Fixpoint disj (l : list Prop) : Prop := match l with [] => False | [p] => p | p :: l => p \/ disj l end.

Fixpoint sat (M : model) (e : list val) (f : form) : Prop :=
  match f with
  | Rel k r l => apply False (rargs S r) (ri (at_ M k) r) (map (eval M e) l)
  | Eq s a b => cast s (eval M e a) = cast s (eval M e b)
  | Not f => ~ sat M e f
  | And l => conj (map (sat M e) l)
  | Or l => disj (map (sat M e) l)
  | Imp f g => sat M e f -> sat M e g
  | Iff f g => sat M e f <-> sat M e g
  | All s f => forall x : dom D s, sat M (existT _ s x :: e) f
  | Ex s f => exists x : dom D s, sat M (existT _ s x :: e) f
  end.

Definition in_state (r s : interp) (f : form) : Prop :=
  sat {| rigid := r; state := fun _ => s; cst := fun s _ => dflt D s |} [] f.
Definition in_step (r s s' : interp) (f : form) : Prop :=
  sat {| rigid := r; state := fun k => match k with 0 => s | _ => s' end; cst := fun s _ => dflt D s |} [] f.
End Meaning.

(** A transition system with what is claimed of it. Axioms are assumed of every state. *)
Record system := { signature : sig; axioms : list form; inits : list form; transitions : list form;
                   safety : list form }.

Section Reachable.
Variable T : system.
Variable D : domains.
Let interp := interp (signature T) D.

Inductive reachable (r : interp) : interp -> Prop :=
| reach_init s : (forall f, In f (axioms T) -> in_state r s f) ->
    (forall f, In f (inits T) -> in_state r s f) -> reachable r s
| reach_step s s' t : reachable r s -> (forall f, In f (axioms T) -> in_state r s' f) ->
    In t (transitions T) -> in_step r s s' t -> reachable r s'.
End Reachable.

(** The claim: in every structure, every reachable state satisfies the safety properties. *)
Definition safe (T : system) : Prop :=
  forall (D : domains) (r s : interp (signature T) D), reachable T r s ->
  forall f, In f (safety T) -> in_state r s f.

(** Hypotheses imply a goal, in every structure (theorems, queries; with numbered states also bounded executions). *)
Definition entails (S : sig) (hyps : list form) (goal : form) : Prop :=
  forall (D : domains) (r : interp S D) (st : nat -> interp S D),
  let M := {| rigid := r; state := st; cst := fun s _ => dflt D s |} in
  (forall h, In h hyps -> sat M [] h) -> sat M [] goal.

Definition excluded_middle : Prop := forall P : Prop, P \/ ~ P.

(** * Well-sortedness
    Not needed for the theorem, but then no cast above ever takes the default element, symbols are read in a state if and
    only if they may change, and formulas speak of no states but the first [states] ones. *)
Section WellSorted.
Variable S : sig.
Variable states : nat.
Definition reads (k : option nat) (mutable : bool) : bool :=
  match k with None => negb mutable | Some i => if mutable then Nat.ltb i states else false end.
Fixpoint sort_of (e : list sort) (t : term) : option sort :=
  match t with
  | Var i => nth_error e i
  | App k f l => if reads k (fmut S f) then if (fix args (l : list term) (ss : list sort) := match l, ss with
      | [], [] => true
      | t :: l, s :: ss => match sort_of e t with Some s' => if Nat.eqb s s' then args l ss else false | None => false end
      | _, _ => false end) l (fargs S f) then Some (fres S f) else None else None
  | Cst _ _ => None
  end.
Definition has (e : list sort) (t : term) (s : sort) : bool :=
  match sort_of e t with Some s' => Nat.eqb s s' | None => false end.
Fixpoint well_sorted (e : list sort) (f : form) : bool :=
  match f with
  | Rel k r l => if reads k (rmut S r) then (fix args (l : list term) (ss : list sort) := match l, ss with
      | [], [] => true | t :: l, s :: ss => if has e t s then args l ss else false | _, _ => false end) l (rargs S r)
      else false
  | Eq s a b => if has e a s then has e b s else false
  | Not f => well_sorted e f
  | And l | Or l => forallb (well_sorted e) l
  | Imp f g | Iff f g => if well_sorted e f then well_sorted e g else false
  | All s f | Ex s f => well_sorted (s :: e) f
  end.
End WellSorted.
Definition system_well_sorted (T : system) : bool :=
  if forallb (well_sorted (signature T) 1 []) (axioms T ++ inits T ++ safety T)
  then forallb (well_sorted (signature T) 2 []) (transitions T) else false.
