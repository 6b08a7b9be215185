(** Formulas in finite structures: their values by computation, and the proof that these are what the formulas mean. *)
Require Import List Arith PArith Bool Lia.
Require Import Core Sound.
Import ListNotations.

Section Finite.
Variables (S : sig) (D : domains).
(** The elements of each sort have numbers. *)
Variables (size : sort -> nat) (element : forall s, nat -> dom D s) (number : forall s, dom D s -> nat).
Hypothesis numbered : forall s x, Nat.ltb (number s x) (size s) = true /\ element s (number s x) = x.

(** An interpretation of the symbols, in which relations have truth values. *)
Record finite := { ff : forall f, curry D (fargs S f) (dom D (fres S f)); fr : forall r, curry D (rargs S r) bool }.
Fixpoint is_true (l : list sort) : curry D l bool -> curry D l Prop :=
  match l with [] => fun b => b = true | s :: l => fun g x => is_true l (g x) end.
Definition interp_of (F : finite) : interp S D := {| fi := ff F; ri := fun r => is_true (rargs S r) (fr F r) |}.
Variables (rigid : finite) (state : nat -> finite).
Definition structure : model S D :=
  {| Core.rigid := interp_of rigid; Core.state := fun k => interp_of (state k); cst := fun s _ => dflt D s |}.
Definition finite_at (k : option nat) : finite := match k with None => rigid | Some k => state k end.

Definition elements (s : sort) : list (dom D s) := map (element s) (seq 0 (size s)).
Fixpoint value (e : list (val D)) (f : form) : bool :=
  match f with
  | Rel k r l => apply false (rargs S r) (fr (finite_at k) r) (map (eval structure e) l)
  | Eq s a b => Nat.eqb (number s (cast s (eval structure e a))) (number s (cast s (eval structure e b)))
  | Not f => negb (value e f)
  | And l => forallb (value e) l
  | Or l => existsb (value e) l
  | Imp f g => if value e f then value e g else true
  | Iff f g => Bool.eqb (value e f) (value e g)
  | All s f => forallb (fun x => value (existT _ s x :: e) f) (elements s)
  | Ex s f => existsb (fun x => value (existT _ s x :: e) f) (elements s)
  end.

Lemma all_elements s x : In x (elements s).
Proof.
  destruct (numbered s x) as [L E]. rewrite <- E. apply Nat.ltb_lt in L. apply in_map, in_seq. lia.
Qed.
Lemma number_inj s x y : number s x = number s y -> x = y.
Proof. intros H. destruct (numbered s x) as [_ <-], (numbered s y) as [_ <-]. congruence. Qed.
Lemma apply_ok l : forall (g : curry D l bool) vs, apply false l g vs = true <-> apply False l (is_true l g) vs.
Proof.
  induction l as [|s l IH]; simpl; intros g vs; [tauto|].
  destruct vs; [split; [discriminate|tauto]|]. apply IH.
Qed.
Lemma ri_at k r : ri (at_ structure k) r = is_true (rargs S r) (fr (finite_at k) r).
Proof. destruct k; reflexivity. Qed.

Theorem value_ok f : forall e, value e f = true <-> sat structure e f.
Proof.
  induction f using form_ind2; intros e; simpl.
  - rewrite ri_at. apply apply_ok.
  - rewrite Nat.eqb_eq. split; [apply number_inj | congruence].
  - rewrite negb_true_iff, <- IHf. destruct (value e f); intuition congruence.
  - rewrite forallb_forall, conj_ok. split; intros K x X; apply (H x X), K, X.
  - rewrite existsb_exists, disj_ok. split; intros [x [X K]]; exists x; split; auto; apply (H x X), K.
  - rewrite <- IHf1, <- IHf2. destruct (value e f1); intuition congruence.
  - rewrite <- IHf1, <- IHf2, eqb_true_iff. destruct (value e f1), (value e f2); intuition congruence.
  - rewrite forallb_forall. split; intros K x; [apply IHf, K, all_elements | intros _; apply IHf, K].
  - rewrite existsb_exists. split; intros [x K]; exists x; [apply IHf, K | split; [apply all_elements | apply IHf, K]].
Qed.

(** Formulas all of which have the value true are true. *)
Theorem all_true l : forallb (value []) l = true -> forall f, In f l -> sat structure [] f.
Proof. rewrite forallb_forall. intros H f F. apply value_ok, H, F. Qed.
End Finite.

Print Assumptions value_ok.
