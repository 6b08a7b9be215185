(** Executions of at most so many steps: what is claimed of them, the queries of which it consists, and the proof. *)
Require Import List Arith PArith Lia.
Require Import Core Sound.
Import ListNotations.

Section Reached.
Variable T : system.
Variable D : domains.
Let interp := interp (signature T) D.

(** States that an execution of so many steps leads to. *)
Inductive reached (r : interp) : nat -> interp -> Prop :=
| reached_init s : (forall f, In f (axioms T) -> in_state r s f) ->
    (forall f, In f (inits T) -> in_state r s f) -> reached r 0 s
| reached_step n s s' t : reached r n s -> (forall f, In f (axioms T) -> in_state r s' f) ->
    In t (transitions T) -> in_step r s s' t -> reached r (S n) s'.
End Reached.

(** The claim: in every structure, every state that is reached in at most [depth] steps satisfies the safety properties. *)
Definition safe_within (T : system) (depth : nat) : Prop :=
  forall (D : domains) (r s : interp (signature T) D) n, n <= depth -> reached T D r n s ->
  forall f, In f (safety T) -> in_state r s f.

(** * Queries *)
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
Definition at_number (i : nat) : form -> form := move (fun _ => i).
Definition from_number (i : nat) : form -> form := move (fun k => match k with 0 => i | S _ => S i end).

Definition any_transition (T : system) : form := match transitions T with [t] => t | ts => Or ts end.
(** That the states 0 to [n] are an execution. *)
Definition execution (T : system) (n : nat) : list form :=
  map (at_number 0) (axioms T ++ inits T) ++
  flat_map (fun i => from_number i (any_transition T) :: map (at_number (S i)) (axioms T)) (seq 0 n).
Definition queries_within (T : system) (depth : nat) : list (list form * form) :=
  flat_map (fun n => map (fun f => (execution T n, at_number n f)) (safety T)) (seq 0 (S depth)).

(** * The proof *)
Section Move.
Variables (S : sig) (D : domains) (r : interp S D) (w : forall s, positive -> dom D s).
Variables (g : nat -> nat) (si sg : nat -> interp S D).
Hypothesis same : forall k, sg k = si (g k).
Let M := {| rigid := r; state := si; cst := w |}.
Let M' := {| rigid := r; state := sg; cst := w |}.
Lemma moved k : at_ M (option_map g k) = at_ M' k.
Proof. destruct k; simpl; auto. Qed.
Lemma tmove_ok t : forall e, eval M e (tmove g t) = eval M' e t.
Proof.
  induction t using term_ind2; simpl; intros e; auto.
  rewrite moved, map_map, (map_ext_in (fun x => eval M e (tmove g x)) (eval M' e)) by auto. reflexivity.
Qed.
Lemma move_ok f : forall e, sat M e (move g f) <-> sat M' e f.
Proof.
  induction f using form_ind2; simpl; intros e.
  - rewrite moved, map_map, (map_ext_in (fun x => eval M e (tmove g x)) (eval M' e)) by (intros; apply tmove_ok). reflexivity.
  - rewrite !tmove_ok. tauto.
  - rewrite IHf. tauto.
  - rewrite map_map, !conj_ok. split; intros HH x Hx; apply (H x); auto.
  - rewrite map_map, !disj_ok. split; intros [x [Hx Hs]]; exists x; split; auto; apply (H x); auto.
  - rewrite IHf1, IHf2. tauto.
  - rewrite IHf1, IHf2. tauto.
  - split; intros HH x; apply IHf; auto.
  - split; intros [x HH]; exists x; apply IHf; auto.
Qed.
End Move.

Lemma any_transition_ok T D (M : model (signature T) D) t : In t (transitions T) -> sat M [] t -> sat M [] (any_transition T).
Proof.
  unfold any_transition. destruct (transitions T) as [|a [|b l]]; intros H X.
  - destruct H.
  - destruct H as [<-|[]]. exact X.
  - change (disj (map (sat M []) (a :: b :: l))). apply disj_ok. eauto.
Qed.

Section Within.
Variables (T : system) (D : domains) (r : interp (signature T) D).
Let holds s := forall f, In f (axioms T) -> in_state r s f.

Lemma states_of n s : reached T D r n s -> exists st, st n = s /\ (forall i, i <= n -> holds (st i)) /\
  (forall f, In f (inits T) -> in_state r (st 0) f) /\
  (forall i, i < n -> exists t, In t (transitions T) /\ in_step r (st i) (st (S i)) t).
Proof.
  induction 1 as [s A I | n s s' t R (st & E & A & I & X) A' Ht Hs].
  - exists (fun _ => s). repeat split; auto. intros i L. lia.
  - exists (fun k => if Nat.leb k n then st k else s'). repeat split.
    + destruct (Nat.leb_spec (S n) n); [lia|auto].
    + intros i L. destruct (Nat.leb_spec i n); auto.
    + exact I.
    + intros i L. destruct (Nat.leb_spec i n); [|lia]. destruct (Nat.leb_spec (S i) n); auto.
      assert (i = n) by lia. subst. eauto.
Qed.

Lemma execution_ok st n : (forall i, i <= n -> holds (st i)) -> (forall f, In f (inits T) -> in_state r (st 0) f) ->
  (forall i, i < n -> exists t, In t (transitions T) /\ in_step r (st i) (st (S i)) t) ->
  forall h, In h (execution T n) -> sat {| rigid := r; state := st; cst := fun s _ => dflt D s |} [] h.
Proof.
  intros A I X h H. unfold execution in H. apply in_app_or in H. destruct H as [H|H].
  - apply in_map_iff in H. destruct H as [f [<- F]]. apply (move_ok _ _ _ _ (fun _ => 0) st (fun _ => st 0)); auto.
    apply in_app_or in F. destruct F; [apply A; auto with arith | apply I; auto].
  - apply in_flat_map in H. destruct H as [i [Hi H]]. apply in_seq in Hi. destruct H as [<-|H].
    + destruct (X i) as [t [Ht Hs]]; [lia|].
      apply (move_ok _ _ _ _ (fun k => match k with 0 => i | S _ => S i end) st
        (fun k => match k with 0 => st i | S _ => st (S i) end)); [destruct k; auto|].
      eapply any_transition_ok; [exact Ht|exact Hs].
    + apply in_map_iff in H. destruct H as [f [<- F]].
      apply (move_ok _ _ _ _ (fun _ => S i) st (fun _ => st (S i))); auto. apply A; [lia|auto].
Qed.
End Within.

Theorem within_ok T depth :
  (forall q, In q (queries_within T depth) -> entails (signature T) (fst q) (snd q)) -> safe_within T depth.
Proof.
  intros Q D r s n L R f F. destruct (states_of T D r n s R) as (st & <- & A & I & X).
  assert (E : entails (signature T) (execution T n) (at_number n f)).
  { apply (Q (execution T n, at_number n f)). apply in_flat_map. exists n. split; [apply in_seq; lia|].
    apply in_map_iff. eauto. }
  apply (move_ok _ _ _ _ (fun _ => n) st (fun _ => st n)); auto. apply E. apply execution_ok; auto.
Qed.

Print Assumptions within_ok.
