(** Executions of at most so many steps: what is claimed of them, the queries of which it consists, and the proof. *)
Require Import List Arith PArith Lia.
Require Import Core Check Sound.
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
Definition from_number (i : nat) : form -> form := move (fun k => match k with 0 => i | S _ => S i end).

Definition any_transition (T : system) : form := match transitions T with [t] => t | ts => Or ts end.
(** That the states 0 to [n] are an execution. *)
Definition execution (T : system) (n : nat) : list form :=
  map (at_state 0) (axioms T ++ inits T) ++
  flat_map (fun i => from_number i (any_transition T) :: map (at_state (S i)) (axioms T)) (seq 0 n).
Definition queries_within (T : system) (depth : nat) : list (list form * form) :=
  flat_map (fun n => map (fun f => (execution T n, at_state n f)) (safety T)) (seq 0 (S depth)).

(** * The proof *)
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
  assert (E : entails (signature T) (execution T n) (at_state n f)).
  { apply (Q (execution T n, at_state n f)). apply in_flat_map. exists n. split; [apply in_seq; lia|].
    apply in_map_iff. eauto. }
  apply (move_ok _ _ _ _ (fun _ => n) st (fun _ => st n)); auto. apply E. apply execution_ok; auto.
Qed.

Print Assumptions within_ok.
