(** The checker is right. *)
Require Import List Arith PArith Bool Lia FMapPositive FMapFacts Eqdep_dec.
Require Import Core Check.
Import ListNotations.

Lemma if_and (a b : bool) : (if a then b else false) = true -> a = true /\ b = true.
Proof. destruct a; auto; discriminate. Qed.

Ltac split_if := repeat match goal with
  | H : (if ?a then ?b else false) = true |- _ => apply if_and in H; destruct H
  | H : andb _ _ = true |- _ => apply andb_true_iff in H; destruct H
  | H : Nat.eqb _ _ = true |- _ => apply Nat.eqb_eq in H
  | H : Pos.eqb _ _ = true |- _ => apply Pos.eqb_eq in H
  end.

(** * Induction *)
Section TermInd.
Variable P : term -> Prop.
Hypothesis HV : forall i, P (Var i).
Hypothesis HA : forall k f l, (forall t, In t l -> P t) -> P (App k f l).
Hypothesis HC : forall s c, P (Cst s c).
Fixpoint term_ind2 (t : term) : P t :=
  match t with
  | Var i => HV i
  | App k f l => HA k f l ((fix go l : forall t, In t l -> P t :=
      match l with
      | [] => fun t H => match H with end
      | u :: l => fun t H => match H with
          | or_introl e => eq_ind u P (term_ind2 u) t e
          | or_intror H => go l t H end
      end) l)
  | Cst s c => HC s c
  end.
End TermInd.

Section FormInd.
Variable P : form -> Prop.
Hypothesis HRel : forall k r l, P (Rel k r l).
Hypothesis HEq : forall s a b, P (Eq s a b).
Hypothesis HNot : forall f, P f -> P (Not f).
Hypothesis HAnd : forall l, (forall f, In f l -> P f) -> P (And l).
Hypothesis HOr : forall l, (forall f, In f l -> P f) -> P (Or l).
Hypothesis HImp : forall f g, P f -> P g -> P (Imp f g).
Hypothesis HIff : forall f g, P f -> P g -> P (Iff f g).
Hypothesis HAll : forall s f, P f -> P (All s f).
Hypothesis HEx : forall s f, P f -> P (Ex s f).
Fixpoint form_ind2 (f : form) : P f :=
  let go := fix go l : forall t, In t l -> P t :=
      match l with
      | [] => fun t H => match H with end
      | u :: l => fun t H => match H with
          | or_introl e => eq_ind u P (form_ind2 u) t e
          | or_intror H => go l t H end
      end in
  match f with
  | Rel k r l => HRel k r l | Eq s a b => HEq s a b | Not f => HNot f (form_ind2 f)
  | And l => HAnd l (go l) | Or l => HOr l (go l)
  | Imp f g => HImp f g (form_ind2 f) (form_ind2 g) | Iff f g => HIff f g (form_ind2 f) (form_ind2 g)
  | All s f => HAll s f (form_ind2 f) | Ex s f => HEx s f (form_ind2 f)
  end.
End FormInd.

(** * Equality *)
Lemma list_eqb_ok A (eqb : A -> A -> bool) l : (forall a, In a l -> forall b, eqb a b = true -> a = b) ->
  forall l', list_eqb eqb l l' = true -> l = l'.
Proof.
  induction l; intros H [|b l'] E; simpl in E; try discriminate; auto. split_if.
  f_equal; [apply H; simpl; auto | apply IHl; auto; intros; apply H; simpl; auto].
Qed.
Lemma opt_eqb_ok a b : opt_eqb a b = true -> a = b.
Proof. destruct a, b; simpl; try discriminate; auto. intros H; apply Nat.eqb_eq in H; congruence. Qed.
Lemma term_eqb_ok a : forall b, term_eqb a b = true -> a = b.
Proof.
  induction a using term_ind2; intros [] E; simpl in E; try discriminate; split_if; subst; auto.
  f_equal; [apply opt_eqb_ok | apply (list_eqb_ok _ term_eqb)]; auto.
Qed.
Lemma terms_eqb_ok l l' : list_eqb term_eqb l l' = true -> l = l'.
Proof. apply list_eqb_ok. intros; apply term_eqb_ok; auto. Qed.
Lemma form_eqb_ok f : forall g, form_eqb f g = true -> f = g.
Proof.
  induction f using form_ind2; intros [] E; simpl in E; try discriminate; split_if; subst; auto; f_equal; auto;
    try (apply opt_eqb_ok; assumption); try (apply terms_eqb_ok; assumption);
    try (apply term_eqb_ok; assumption); apply (list_eqb_ok _ form_eqb); auto.
Qed.

Lemma conj_ok A (P : A -> Prop) l : conj (map P l) <-> forall x, In x l -> P x.
Proof.
  induction l as [|a [|b l] IH].
  - simpl. split; auto; intros _ x [].
  - simpl. split; [intros H x [<-|[]]; auto | auto].
  - change (conj (map P (a :: b :: l))) with (P a /\ conj (map P (b :: l))). rewrite IH.
    split; [intros [H1 H2] x [<-|H]; auto | intros H; split; [apply H; left; auto | intros; apply H; right; auto]].
Qed.
Lemma disj_ok A (P : A -> Prop) l : disj (map P l) <-> exists x, In x l /\ P x.
Proof.
  induction l as [|a [|b l] IH].
  - simpl. split; [intros [] | intros [x [[] _]]].
  - simpl. split; [intros H; exists a; auto | intros [x [[<-|[]] H]]; auto].
  - change (disj (map P (a :: b :: l))) with (P a \/ disj (map P (b :: l))). rewrite IH.
    split; [intros [H|[x [H1 H2]]]; [exists a; simpl; auto | exists x; split; auto; right; auto]
           | intros [x [[<-|H] H2]]; [left; auto | right; exists x; auto]].
Qed.

Ltac disc := intros; match goal with H : @eq _ _ _ |- _ => discriminate H end.

Section Sound.
Hypothesis EM : excluded_middle.
Variable S : sig.
Variable D : domains.
Notation interp := (Core.interp S D).
Notation sat := (@Core.sat S D).
Notation eval := (@Core.eval S D).
Notation model := (Core.model S D).

Lemma nn P : ~ ~ P -> P.
Proof. destruct (EM P); tauto. Qed.

Lemma cast_same s (d : dom D s) : cast s (existT _ s d : val D) = d.
Proof.
  unfold cast; simpl. destruct (Nat.eq_dec s s) as [e|n]; [|congruence].
  rewrite (UIP_dec Nat.eq_dec e eq_refl). reflexivity.
Qed.

(** * Meaning and operations *)
Lemma ground_eval (M : model) t : ground t = true -> forall e e', eval M e t = eval M e' t.
Proof.
  induction t using term_ind2; simpl; intros G e e'; try disc; auto.
  do 2 f_equal. apply map_ext_in. intros t Ht. apply H; auto. rewrite forallb_forall in G. auto.
Qed.

Section Agree.
Variables (r : interp) (si : nat -> interp) (n : positive) (w w' : forall s, positive -> dom D s).
Hypothesis A : forall s c, (c < n)%positive -> w s c = w' s c.
Let M := {| rigid := r; state := si; cst := w |}.
Let M' := {| rigid := r; state := si; cst := w' |}.
Lemma agree_term t : tbound n t = true -> forall e, eval M e t = eval M' e t.
Proof.
  induction t using term_ind2; simpl; intros B e; auto.
  - do 2 f_equal. apply map_ext_in. rewrite forallb_forall in B. auto.
  - f_equal. apply A. apply Pos.ltb_lt; auto.
Qed.
Lemma agree f : bound n f = true -> forall e, sat M e f <-> sat M' e f.
Proof.
  induction f using form_ind2; simpl; intros B e; split_if.
  - rewrite (map_ext_in (eval M e) (eval M' e)); [tauto|].
    rewrite forallb_forall in B. intros; apply agree_term; auto.
  - rewrite !agree_term by auto. tauto.
  - rewrite IHf by auto. tauto.
  - rewrite !conj_ok. rewrite forallb_forall in B. split; intros HH x Hx; apply (H x); auto.
  - rewrite !disj_ok. rewrite forallb_forall in B.
    split; intros [x [Hx Hs]]; exists x; split; auto; apply (H x); auto.
  - rewrite IHf1, IHf2 by auto. tauto.
  - rewrite IHf1, IHf2 by auto. tauto.
  - split; intros HH x; apply IHf; auto.
  - split; intros [x HH]; exists x; apply IHf; auto.
Qed.
End Agree.

Section Move.
Variables (r : interp) (w : forall s, positive -> dom D s) (g : nat -> nat) (si sg : nat -> interp).
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
Lemma at_form r si j w f e :
  sat {| rigid := r; state := si; cst := w |} e (at_state j f) <-> sat {| rigid := r; state := fun _ => si j; cst := w |} e f.
Proof. apply move_ok. reflexivity. Qed.

Section Subst.
Variable M : model.
Variable ts : list term.
Hypothesis G : forallb ground ts = true.
Lemma tsub_ok e t : forall e1, eval M (e1 ++ e) (tsub (length e1) ts t) = eval M (e1 ++ map (eval M []) ts ++ e) t.
Proof.
  induction t using term_ind2; simpl; intros e1; auto.
  - destruct (Nat.ltb_spec i (length e1)).
    + simpl. rewrite !app_nth1 by auto. auto.
    + rewrite (@app_nth2 _ e1) by lia. destruct (nth_error ts (i - length e1)) as [t|] eqn:E.
      * assert (i - length e1 < length ts) by (apply nth_error_Some; congruence).
        rewrite app_nth1 by (rewrite map_length; auto).
        rewrite (nth_indep _ _ (eval M [] t)) by (rewrite map_length; auto).
        rewrite map_nth. rewrite (nth_error_nth _ _ t E). apply ground_eval.
        rewrite forallb_forall in G. apply G. eapply nth_error_In; eauto.
      * apply nth_error_None in E. simpl. rewrite !app_nth2; rewrite ?map_length; try lia. f_equal; lia.
  - rewrite map_map. do 2 f_equal. apply map_ext_in. auto.
Qed.
Lemma sub_ok e f : forall e1, sat M (e1 ++ e) (sub (length e1) ts f) <-> sat M (e1 ++ map (eval M []) ts ++ e) f.
Proof.
  induction f using form_ind2; simpl; intros e1.
  - rewrite map_map. erewrite map_ext_in by (intros; apply tsub_ok). reflexivity.
  - rewrite !tsub_ok. tauto.
  - rewrite IHf. tauto.
  - rewrite map_map, !conj_ok. split; intros HH x Hx; apply (H x); auto.
  - rewrite map_map, !disj_ok. split; intros [x [Hx Hs]]; exists x; split; auto; apply (H x); auto.
  - rewrite IHf1, IHf2. tauto.
  - rewrite IHf1, IHf2. tauto.
  - split; intros HH x; apply (IHf (existT _ s x :: e1)); apply HH.
  - split; intros [x HH]; exists x; apply (IHf (existT _ s x :: e1)); apply HH.
Qed.
End Subst.

Lemma has_sort_ok (M : model) e t s : has_sort S t s = true -> exists d : dom D s, eval M e t = existT _ s d.
Proof. destruct t; simpl; try disc; intros H; apply Nat.eqb_eq in H; subst; eexists; reflexivity. Qed.

Lemma peel_all (M : model) ts : forall f b e, peel S true f ts = Some b -> sat M e f ->
  sat M (rev (map (eval M []) ts) ++ e) b.
Proof.
  induction ts as [|t ts IH]; simpl; intros f b e P H.
  - injection P as <-. exact H.
  - destruct f; try disc. destruct (has_sort S t s) eqn:E; try disc.
    destruct (has_sort_ok M [] t s E) as [d Hd]. rewrite <- app_assoc. simpl. apply IH with (f := f); auto.
    rewrite Hd. apply H.
Qed.
Lemma peel_ex (M : model) ts : forall f b e, peel S false f ts = Some b ->
  sat M (rev (map (eval M []) ts) ++ e) b -> sat M e f.
Proof.
  induction ts as [|t ts IH]; simpl; intros f b e P H.
  - injection P as <-. exact H.
  - destruct f; try disc. destruct (has_sort S t s) eqn:E; try disc.
    destruct (has_sort_ok M [] t s E) as [d Hd]. rewrite <- app_assoc in H. simpl in H, P.
    simpl. exists d. rewrite <- Hd. eapply IH; eauto.
Qed.

Lemma ground_rev ts : forallb ground ts = true -> forallb ground (rev ts) = true.
Proof. rewrite !forallb_forall. intros H x Hx. apply H, in_rev; auto. Qed.

Lemma inst_body (M : model) ts b : forallb ground ts = true ->
  (sat M [] (sub 0 (rev ts) b) <-> sat M (rev (map (eval M []) ts) ++ []) b).
Proof.
  intros G. rewrite <- map_rev. apply (sub_ok M (rev ts) (ground_rev _ G) [] b []).
Qed.

Lemma tbound_le n m t : (n <= m)%positive -> tbound n t = true -> tbound m t = true.
Proof.
  intros L. induction t using term_ind2; simpl; auto.
  - rewrite !forallb_forall. auto.
  - rewrite !Pos.ltb_lt. lia.
Qed.
Lemma bound_le n m f : (n <= m)%positive -> bound n f = true -> bound m f = true.
Proof.
  intros L. induction f using form_ind2; simpl; auto; intros B; split_if.
  - rewrite forallb_forall in *. intros; apply (tbound_le n); auto.
  - rewrite !(tbound_le n) by auto. auto.
  - rewrite forallb_forall in *. auto.
  - rewrite forallb_forall in *. auto.
  - rewrite IHf1, IHf2 by auto. auto.
  - rewrite IHf1, IHf2 by auto. auto.
Qed.

Section Models.
Variables (r : interp) (si : nat -> interp).
Definition assignment := forall s, positive -> dom D s.
Definition M (w : assignment) : model := {| rigid := r; state := si; cst := w |}.

Definition upd (w : assignment) s c (d : dom D s) : assignment :=
  fun s' c' => if Pos.eqb c' c then cast s' (existT _ s d : val D) else w s' c'.
Lemma upd_same w s c d : upd w s c d s c = d.
Proof. unfold upd. rewrite Pos.eqb_refl. apply cast_same. Qed.
Lemma upd_below w s c d s' c' : (c' < c)%positive -> upd w s c d s' c' = w s' c'.
Proof. intros H. unfold upd. destruct (Pos.eqb_spec c' c); auto. subst; lia. Qed.

Definition signed (q : bool) (P : Prop) : Prop := if q then ~ P else P.

Lemma wits_ok q k : forall f c b w e, peel S q f (wits f k c) = Some b -> bound c f = true ->
  signed q (sat (M w) e f) ->
  exists w', (forall s c', (c' < c)%positive -> w' s c' = w s c') /\
    signed q (sat (M w') (rev (map (eval (M w') []) (wits f k c)) ++ e) b).
Proof.
  induction k; intros f c b w e P B H.
  - simpl in *. exists w. split; auto. injection P as <-. exact H.
  - assert (K : (exists s g, f = if q then All s g else Ex s g) \/
                wits f (Datatypes.S k) c = [] \/ peel S q f (wits f (Datatypes.S k) c) = None).
    { destruct f; simpl; auto; destruct q; simpl; eauto. }
    destruct K as [[s [g ->]]|[K|K]].
    + assert (Hd : exists d : dom D s, signed q (sat (M w) (existT _ s d :: e) g)).
      { destruct q; simpl in *; auto. apply nn. intros N. apply H. intros x. apply nn. intros N'. apply N; eauto. }
      destruct Hd as [d Hd].
      assert (B' : bound c g = true) by (destruct q; auto).
      assert (P' : peel S q g (wits g k (Pos.succ c)) = Some b).
      { destruct q; simpl in P; rewrite Nat.eqb_refl in P; auto. }
      destruct (IHk g (Pos.succ c) b (upd w s c d) (existT _ s d :: e)) as [w' [A' H']]; auto.
      * apply (bound_le c); auto; lia.
      * assert (Q : sat (M (upd w s c d)) (existT _ s d :: e) g <-> sat (M w) (existT _ s d :: e) g).
        { apply agree with (n := c); auto. intros; apply upd_below; auto. }
        destruct q; simpl in *; tauto.
      * exists w'. split.
        { intros s' c' L. rewrite A' by lia. apply upd_below; auto. }
        { assert (E : wits (if q then All s g else Ex s g) (Datatypes.S k) c = Cst s c :: wits g k (Pos.succ c))
            by (destruct q; auto).
          rewrite E. simpl. rewrite <- app_assoc. simpl.
          rewrite (A' s c) by lia. rewrite upd_same. exact H'. }
    + rewrite K in *. simpl in P. exists w. split; auto. injection P as <-. exact H.
    + congruence.
Qed.

Lemma wits_ground k : forall f c, forallb ground (wits f k c) = true.
Proof. induction k; destruct f; simpl; auto. Qed.

(** * States *)
Definition true_lit (s : st) (w : assignment) (l : positive) : Prop :=
  match l with
  | xO n => exists f, PM.find n (forms s) = Some f /\ sat (M w) [] f
  | xI n => exists f, PM.find n (forms s) = Some f /\ ~ sat (M w) [] f
  | xH => False
  end.
Definition true_clause s w c := exists l, In l c /\ true_lit s w l.
Definition Inv (s : st) (w : assignment) : Prop :=
  (forall n f, PM.find n (forms s) = Some f -> bound (next s) f = true) /\
  (forall n c, PM.find n (clauses s) = Some c -> true_clause s w c).
Definition ext (s s' : st) : Prop := forall n f, PM.find n (forms s) = Some f -> PM.find n (forms s') = Some f.
Definition denotes (s : st) (l : positive) (f : form) : Prop :=
  exists n g, PM.find n (forms s) = Some g /\
   ((l = xO n /\ forall w, sat (M w) [] g <-> sat (M w) [] f) \/ (l = xI n /\ forall w, sat (M w) [] g <-> ~ sat (M w) [] f)).

Lemma ext_refl s : ext s s. Proof. unfold ext; auto. Qed.
Lemma ext_trans a b c : ext a b -> ext b c -> ext a c. Proof. unfold ext; auto. Qed.
Lemma denotes_ext s s' l f : ext s s' -> denotes s l f -> denotes s' l f.
Proof. intros E (n & g & F & H). exists n, g. auto. Qed.
Lemma true_ext s s' w l : ext s s' -> true_lit s w l -> true_lit s' w l.
Proof. intros E. destruct l; simpl; auto; intros [f [F H]]; exists f; auto. Qed.

Lemma denotes_true s w l f : denotes s l f -> (true_lit s w l <-> sat (M w) [] f).
Proof.
  intros (n & g & F & [[-> H]|[-> H]]); specialize (H w); simpl; rewrite F; split.
  - intros [f' [E T]]. injection E as <-. tauto.
  - intros T; exists g; tauto.
  - intros [f' [E T]]. injection E as <-. apply nn. tauto.
  - intros T; exists g; tauto.
Qed.
Lemma denotes_neg s l f : denotes s l f -> denotes s (neg l) (Not f).
Proof.
  intros (n & g & F & [[-> H]|[-> H]]); exists n, g; (split; [exact F|]).
  - right. split; auto. intros w. specialize (H w). simpl. split; [tauto|]. intros K. apply nn. tauto.
  - left. split; auto.
Qed.
Lemma neg_neg l : neg (neg l) = l. Proof. destruct l; auto. Qed.
Lemma denotes_false s w l f : denotes s l f -> (true_lit s w (neg l) <-> ~ sat (M w) [] f).
Proof. intros H. apply (denotes_true s w _ _ (denotes_neg _ _ _ H)). Qed.
Lemma denotes_not s l f : denotes s (neg l) f -> denotes s l (Not f).
Proof. intros H. apply denotes_neg in H. rewrite neg_neg in H. auto. Qed.

Lemma same_ok f g : same f g = true -> forall M e, sat M e f <-> sat M e g.
Proof.
  unfold same. destruct (form_eqb f g) eqn:E; [apply form_eqb_ok in E; subst; tauto|].
  destruct f, g; try disc; intros H; split_if; subst.
  repeat match goal with Q : term_eqb _ _ = true |- _ => apply term_eqb_ok in Q end. subst. simpl.
  split; intros; congruence.
Qed.

Lemma inv_forms s s' w : Inv s w -> ext s s' -> clauses s' = clauses s ->
  (forall n f, PM.find n (forms s') = Some f -> bound (next s') f = true) -> Inv s' w.
Proof.
  intros [I1 I2] E C B. split; auto. rewrite C. intros n c F. destruct (I2 n c F) as [l [L T]].
  exists l. split; auto. apply (true_ext s); auto.
Qed.

Lemma claim_ok w n f s s' : claim n f s = Some s' -> Inv s w ->
  ext s s' /\ Inv s' w /\ exists g, PM.find n (forms s') = Some g /\ forall w, sat (M w) [] g <-> sat (M w) [] f.
Proof.
  unfold claim. destruct (PM.find n (forms s)) eqn:F.
  - destruct (same f0 f) eqn:E; intros L I; [|disc]. injection L as <-. split; [apply ext_refl|]. split; auto.
    exists f0. split; auto. intros w'. rewrite (same_ok _ _ E). tauto.
  - destruct (bound (next s) f) eqn:B; intros L I; [|disc]. injection L as <-.
    assert (X : forall m g, PM.find m (forms s) = Some g -> PM.find m (PM.add n f (forms s)) = Some g).
    { intros m g H. destruct (Pos.eq_dec m n); [congruence|]. rewrite PM.gso; auto. }
    split; [exact X|]. split.
    + apply inv_forms with (s := s); auto. simpl. intros m g. destruct (Pos.eq_dec m n).
      * subst. rewrite PM.gss. congruence.
      * rewrite PM.gso by auto. apply I.
    + exists f. simpl. rewrite PM.gss. split; auto. tauto.
Qed.

Lemma literal_ok w s s' f : forall l, literal l f s = Some s' -> Inv s w -> ext s s' /\ Inv s' w /\ denotes s' l f.
Proof.
  induction f using form_ind2; intros lit0 L I.
  3: { simpl in L. destruct (IHf _ L I) as (E & I' & H). split; auto. split; auto. apply denotes_not; auto. }
  all: simpl in L; destruct lit0 as [n0|n0|]; try disc;
    destruct (claim_ok w _ _ _ _ L I) as (E & I' & g0 & F & Q); split; auto; split; auto; exists n0, g0; auto.
Qed.
Lemma literals_ok w fs : forall ls s s', literals ls fs s = Some s' -> Inv s w ->
  ext s s' /\ Inv s' w /\ Forall2 (denotes s') ls fs.
Proof.
  induction fs; intros [|l ls] s s' L I; simpl in L; try disc.
  - injection L as <-. repeat split; auto; try apply I; apply ext_refl.
  - destruct (literal l a s) as [s1|] eqn:E; [|disc].
    destruct (literal_ok w _ _ _ _ E I) as (X & I1 & H1). destruct (IHfs _ _ _ L I1) as (X2 & I2 & H2).
    split; [eapply ext_trans; eauto|]. split; auto. constructor; auto. eapply denotes_ext; eauto.
Qed.

Lemma add_ok s w c : Inv s w -> true_clause s w c -> Inv (add c s) w.
Proof.
  intros [I1 I2] T. split; auto. simpl. intros n c'. destruct (Pos.eq_dec n (count s)).
  - subst. rewrite PM.gss. intros [= <-]. exact T.
  - rewrite PM.gso by auto. apply I2.
Qed.

(** * Unit propagation *)
Lemma neg_false s w l : true_lit s w l -> ~ true_lit s w (neg l).
Proof. destruct l; simpl; auto; intros [f [F H]] [g [G K]]; congruence. Qed.

Lemma unit_ok a c : forall found res, unit_of c a found = Some res ->
  (forall l, found = Some l -> res = Some l) /\ (forall l, In l c -> mem l a = true \/ res = Some l).
Proof.
  induction c as [|l c IH]; simpl; intros found res U.
  - injection U as <-. split; [auto | intros l []].
  - destruct (mem l a) eqn:E.
    + destruct (IH _ _ U) as [H1 H2]. split; auto. intros l' [<-|H]; auto.
    + destruct found as [l'|].
      * destruct (Pos.eqb_spec l l'); [subst|disc]. destruct (IH _ _ U) as [H1 H2]. split; auto.
        intros l'' [<-|H]; auto.
      * destruct (IH _ _ U) as [H1 H2]. split; [disc|]. intros l'' [<-|H]; auto.
Qed.

Lemma rup_ok s w hints : (forall n c, PM.find n (clauses s) = Some c -> true_clause s w c) ->
  forall a, (forall l, mem l a = true -> ~ true_lit s w l) -> rup (clauses s) a hints = true -> False.
Proof.
  intros C. induction hints as [|h hints IH]; simpl; intros a A R; [disc|].
  destruct (PM.find h (clauses s)) as [c|] eqn:F; [|disc].
  destruct (C _ _ F) as [l [L T]].
  destruct (unit_of c a None) as [res|] eqn:U; [|disc]. destruct (unit_ok _ _ _ _ U) as [_ H].
  destruct (H l L) as [X|X]; [apply (A l); auto|]. subst.
  apply (IH _ ) in R; auto. intros l' M'. unfold mem in M'. destruct (Pos.eq_dec l' (neg l)).
  - subst. apply neg_false; auto.
  - rewrite PM.gso in M' by auto. apply A. exact M'.
Qed.

(** * Congruence *)
Lemma args_ok s w (R : Type) (r0 : R) sorts : forall ts us es c (g : curry D sorts R),
  args_eq sorts ts us es s = Some c ->
  true_clause s w c \/ apply r0 sorts g (map (eval (M w) []) ts) = apply r0 sorts g (map (eval (M w) []) us).
Proof.
  induction sorts as [|so sorts IH]; intros [|t ts] [|u us] [|e es] c g A; simpl in A; try disc;
    try (right; reflexivity).
  destruct (args_eq sorts ts us es s) as [rest|] eqn:E; [|disc].
  assert (K : true_clause s w c \/ (cast so (eval (M w) [] t) = cast so (eval (M w) [] u)) /\ (true_clause s w rest -> true_clause s w c)).
  { destruct e as [n|].
    - destruct (PM.find n (forms s)) as [f|] eqn:F; [|disc].
      destruct (same f (Eq so t u)) eqn:Q; [|disc]. injection A as <-.
      destruct (EM (sat (M w) [] f)) as [T|T].
      + right. split; [apply (same_ok _ _ Q) in T; exact T|]. intros [l [H1 H2]]. exists l. simpl; auto.
      + left. exists (xI n). split; [simpl; auto|]. exists f; auto.
    - destruct (term_eqb t u) eqn:Q; [|disc]. apply term_eqb_ok in Q. subst. injection A as <-. right. auto. }
  destruct K as [K|[K1 K2]]; auto.
  destruct (IH ts us es rest (g (cast so (eval (M w) [] t))) E) as [H|H]; auto.
  right. simpl. rewrite H. rewrite K1. reflexivity.
Qed.

Lemma chain_ok w q x y f g : chain q x y f g = true -> sat (M w) [] (Eq q x y) -> sat (M w) [] f -> sat (M w) [] g.
Proof.
  unfold chain. destruct g; try disc. set (z := if term_eqb a x then b else a). intros H A B. split_if.
  apply (same_ok _ _ H0). apply (same_ok _ _ H) in B. simpl in *. congruence.
Qed.

(** * Steps *)
Ltac step_start := match goal with
  | H : match PM.find ?n (forms ?s) with _ => _ end = Some _ |- _ =>
      let F := fresh "F" in destruct (PM.find n (forms s)) as [?f|] eqn:F; [|disc]
  end.
Ltac some_add := match goal with
  | H : option_map _ ?x = Some _ |- _ => let E := fresh "E" in destruct x eqn:E; [|disc]; simpl in H; injection H as <-
  end.

Lemma f2_in A B (R : A -> B -> Prop) l m : Forall2 R l m -> forall b, In b m -> exists a, In a l /\ R a b.
Proof. induction 1; intros b' []; [subst; exists x; simpl; auto|]. destruct (IHForall2 b' H1) as [a [H2 H3]]. exists a; simpl; auto. Qed.

Lemma not_all A (P : A -> Prop) l : ~ (forall x, In x l -> P x) -> exists x, In x l /\ ~ P x.
Proof. intros H. apply nn. intros N. apply H. intros x X. apply nn. intros K. apply N. eauto. Qed.

Lemma skip_le k c : (c <= skip k c)%positive.
Proof. unfold skip. induction k; simpl; lia. Qed.

Lemma inv_next s w w' m : Inv s w -> (next s <= m)%positive ->
  (forall so c, (c < next s)%positive -> w' so c = w so c) ->
  Inv {| forms := forms s; clauses := clauses s; count := count s; next := m |} w'.
Proof.
  intros [I1 I2] L A. split; simpl.
  - intros n f F. apply (bound_le (next s)); eauto.
  - intros n c F. destruct (I2 n c F) as [l [H T]]. exists l. split; auto.
    destruct l as [k|k|]; simpl in *; auto; destruct T as [f [G T]]; exists f; split; auto;
    rewrite (agree r si (next s) w' w A) by eauto; auto.
Qed.


Lemma run1_ok x s s' w : run1 S x s = Some s' -> Inv s w -> exists w', Inv s' w'.
Proof.
  intros R I. destruct x; unfold run1 in R.
  - (* Def *) exists w. destruct (claim_ok w _ _ _ _ R I) as (_ & I' & _). auto.
  - (* AndE *) step_start. destruct f; try disc. destruct (nth_error l0 i) as [g|] eqn:N; [|disc].
    some_add. destruct (literal_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
    destruct (EM (sat (M w) [] (And l0))) as [T|T].
    + exists l. split; [simpl; auto|]. apply (denotes_true _ w _ _ H). simpl in T. rewrite conj_ok in T.
      apply T. eapply nth_error_In; eauto.
    + exists (xI n). split; [simpl; auto|]. exists (And l0); auto.
  - (* AndI *) step_start. destruct f; try disc. some_add.
    destruct (literals_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
    destruct (EM (sat (M w) [] (And l))) as [T|T].
    + exists (xO n). split; [simpl; auto|]. exists (And l); auto.
    + simpl in T. rewrite conj_ok in T. apply not_all in T. destruct T as [g [G T]].
      destruct (f2_in _ _ _ _ _ H g G) as [l' [L1 L2]]. exists (neg l'). split; [right; apply in_map; auto|].
      apply (denotes_false _ w _ _ L2); auto.
  - (* OrE *) step_start. destruct f; try disc. some_add.
    destruct (literals_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
    destruct (EM (sat (M w) [] (Or l))) as [T|T].
    + simpl in T. rewrite disj_ok in T. destruct T as [g [G T]].
      destruct (f2_in _ _ _ _ _ H g G) as [l' [L1 L2]]. exists l'. split; [right; auto|].
      apply (denotes_true _ w _ _ L2); auto.
    + exists (xI n). split; [simpl; auto|]. exists (Or l); auto.
  - (* OrI *) step_start. destruct f; try disc. destruct (nth_error l0 i) as [g|] eqn:N; [|disc].
    some_add. destruct (literal_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
    destruct (EM (sat (M w) [] (Or l0))) as [T|T].
    + exists (xO n). split; [simpl; auto|]. exists (Or l0); auto.
    + exists (neg l). split; [simpl; auto|]. apply (denotes_false _ w _ _ H). intros K. apply T. simpl.
      rewrite disj_ok. exists g. split; auto. eapply nth_error_In; eauto.
  - (* ImpE *) step_start. destruct f; try disc. some_add.
    destruct (literals_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
    inversion H as [|? ? ? ? Ha H']; subst. inversion H' as [|? ? ? ? Hb _]; subst.
    destruct (EM (sat (M w) [] f2)) as [B|B]; [exists b; simpl; split; auto; apply (denotes_true _ w _ _ Hb); auto|].
    destruct (EM (sat (M w) [] f1)) as [A|A];
      [|exists (neg a); simpl; split; auto; apply (denotes_false _ w _ _ Ha); auto].
    exists (xI n). simpl. split; auto. exists (Imp f1 f2). split; auto.
  - (* ImpI *) step_start. destruct f; try disc. some_add.
    destruct (literals_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
    inversion H as [|? ? ? ? Ha H']; subst. inversion H' as [|? ? ? ? Hb _]; subst.
    destruct (EM (sat (M w) [] (Imp f1 f2))) as [T|T].
    + exists (xO n). split; [destruct first; simpl; auto|]. exists (Imp f1 f2). auto.
    + simpl in T. destruct first.
      * exists a. split; [simpl; auto|]. apply (denotes_true _ w _ _ Ha). apply nn. tauto.
      * exists (neg b). split; [simpl; auto|]. apply (denotes_false _ w _ _ Hb). tauto.
  - (* IffC *) step_start. destruct f; try disc. some_add.
    destruct (literals_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
    inversion H as [|? ? ? ? Ha H']; subst. inversion H' as [|? ? ? ? Hb _]; subst.
    assert (T1 : sat (M w) [] (Iff f1 f2) -> true_lit s0 w (xO n)) by (intros; exists (Iff f1 f2); auto).
    assert (T2 : ~ sat (M w) [] (Iff f1 f2) -> true_lit s0 w (xI n)) by (intros; exists (Iff f1 f2); auto).
    pose proof (denotes_true _ w _ _ Ha) as A1. pose proof (denotes_true _ w _ _ Hb) as B1.
    pose proof (denotes_false _ w _ _ Ha) as A0. pose proof (denotes_false _ w _ _ Hb) as B0.
    simpl in T1, T2.
    destruct (EM (sat (M w) [] f1)) as [A|A]; destruct (EM (sat (M w) [] f2)) as [B|B]; destruct i as [|[|[|i]]];
    match goal with |- true_clause _ _ (?p :: ?q :: ?r :: nil) =>
      first [ exists p; split; [simpl; tauto|]; simpl; tauto
            | exists q; split; [simpl; tauto|]; simpl; tauto
            | exists r; split; [simpl; tauto|]; simpl; tauto ] end.
  - (* Inst *) destruct (forallb ground ts) eqn:G; [|disc]. step_start.
    destruct f; try disc.
    + destruct (inst S true (All s0 f) ts) as [g|] eqn:IN; [|disc]. some_add.
      destruct (literal_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
      destruct (EM (sat (M w) [] (All s0 f))) as [T|T].
      * exists l. split; [simpl; auto|]. apply (denotes_true _ w _ _ H). unfold inst in IN.
        destruct (peel S true (All s0 f) ts) as [b|] eqn:P; [|disc]. injection IN as <-.
        apply inst_body; auto. eapply peel_all; eauto.
      * exists (xI n). split; [simpl; auto|]. exists (All s0 f); auto.
    + destruct (inst S false (Ex s0 f) ts) as [g|] eqn:IN; [|disc]. some_add.
      destruct (literal_ok w _ _ _ _ E I) as (X & I' & H). exists w. apply add_ok; auto.
      destruct (EM (sat (M w) [] (Ex s0 f))) as [T|T].
      * exists (xO n). split; [simpl; auto|]. exists (Ex s0 f); auto.
      * exists (neg l). split; [simpl; auto|]. apply (denotes_false _ w _ _ H). unfold inst in IN.
        destruct (peel S false (Ex s0 f) ts) as [b|] eqn:P; [|disc]. injection IN as <-.
        intros K. apply T. apply inst_body in K; auto. eapply peel_ex; eauto.
  - (* Wit *) step_start.
    assert (Bf : bound (next s) f = true) by (apply (proj1 I n); auto).
    destruct f; try disc.
    + destruct (inst S true (All s0 f) (wits (All s0 f) k (next s))) as [g|] eqn:IN; [|disc]. some_add.
      unfold inst in IN. destruct (peel S true (All s0 f) (wits (All s0 f) k (next s))) as [b|] eqn:P; [|disc].
      injection IN as <-.
      destruct (EM (sat (M w) [] (All s0 f))) as [T|T].
      * assert (I0 := inv_next s w w _ I (skip_le k (next s)) (fun _ _ _ => eq_refl)).
        destruct (literal_ok w _ _ _ _ E I0) as (X & I' & H). exists w. apply add_ok; auto.
        exists (xO n). split; [simpl; auto|]. exists (All s0 f); auto.
      * destruct (wits_ok true k _ _ _ w [] P Bf T) as [w' [A H']].
        assert (I0 := inv_next s w w' _ I (skip_le k (next s)) A).
        destruct (literal_ok w' _ _ _ _ E I0) as (X & I' & H). exists w'. apply add_ok; auto.
        exists (neg l). split; [simpl; auto|]. apply (denotes_false _ w' _ _ H).
        intros K. apply H'. apply inst_body in K; [exact K|apply wits_ground].
    + destruct (inst S false (Ex s0 f) (wits (Ex s0 f) k (next s))) as [g|] eqn:IN; [|disc]. some_add.
      unfold inst in IN. destruct (peel S false (Ex s0 f) (wits (Ex s0 f) k (next s))) as [b|] eqn:P; [|disc].
      injection IN as <-.
      destruct (EM (sat (M w) [] (Ex s0 f))) as [T|T].
      * destruct (wits_ok false k _ _ _ w [] P Bf T) as [w' [A H']].
        assert (I0 := inv_next s w w' _ I (skip_le k (next s)) A).
        destruct (literal_ok w' _ _ _ _ E I0) as (X & I' & H). exists w'. apply add_ok; auto.
        exists l. split; [simpl; auto|]. apply (denotes_true _ w' _ _ H).
        apply inst_body; [apply wits_ground|exact H'].
      * assert (I0 := inv_next s w w _ I (skip_le k (next s)) (fun _ _ _ => eq_refl)).
        destruct (literal_ok w _ _ _ _ E I0) as (X & I' & H). exists w. apply add_ok; auto.
        exists (xI n). split; [simpl; auto|]. exists (Ex s0 f); auto.
  - (* Refl *) step_start. destruct f; try disc. destruct (term_eqb a b) eqn:Q; [|disc].
    injection R as <-. apply term_eqb_ok in Q. subst. exists w. apply add_ok; auto.
    exists (xO n). split; [simpl; auto|]. exists (Eq s0 b b). split; auto. reflexivity.
  - (* Trans *) step_start. destruct f as [| q x y | | | | | | |]; try disc.
    destruct (PM.find b (forms s)) as [f|] eqn:F1; [|disc].
    destruct (PM.find c (forms s)) as [g|] eqn:F2; [|disc].
    destruct (if chain q x y f g then true else chain q y x f g) eqn:Q; [|disc]. injection R as <-.
    exists w. apply add_ok; auto.
    destruct (EM (sat (M w) [] (Eq q x y))) as [A|A];
      [|exists (xI a); split; [simpl; auto|]; exists (Eq q x y); auto].
    destruct (EM (sat (M w) [] f)) as [B|B]; [|exists (xI b); split; [simpl; auto|]; exists f; auto].
    exists (xO c). split; [simpl; auto|]. exists g. split; auto.
    destruct (chain q x y f g) eqn:Q1; [eapply chain_ok; [exact Q1|exact A|exact B]|].
    eapply chain_ok; [exact Q|symmetry; exact A|exact B].
  - (* CongF *) step_start. destruct f as [| q x y | | | | | | |]; try disc.
    destruct x as [|k f l|]; try disc. destruct y as [|k' f' l'|]; try disc.
    destruct (Nat.eqb f f' && opt_eqb k k') eqn:Q; [|disc]. split_if. apply opt_eqb_ok in H0. subst.
    destruct (args_eq (fargs S f') l l' es s) as [c|] eqn:A; [|disc]. injection R as <-.
    exists w. apply add_ok; auto.
    destruct (args_ok s w _ (dflt D (fres S f')) _ _ _ _ _ (fi (at_ (M w) k') f') A) as [[x [H1 H2]]|H].
    + exists x. simpl; auto.
    + exists (xO n). split; [simpl; auto|]. eexists. split; [exact F|]. simpl. f_equal. f_equal. exact H.
  - (* CongR *) step_start. destruct f as [k q l| | | | | | | |]; try disc.
    destruct (PM.find b (forms s)) as [f|] eqn:F1; [|disc].
    destruct f as [k' q' l'| | | | | | | |]; try disc.
    destruct (Nat.eqb q q' && opt_eqb k k') eqn:Q; [|disc]. split_if. apply opt_eqb_ok in H0. subst.
    destruct (args_eq (rargs S q') l l' es s) as [c|] eqn:A; [|disc]. injection R as <-.
    exists w. apply add_ok; auto.
    destruct (args_ok s w _ False _ _ _ _ _ (ri (at_ (M w) k') q') A) as [[x [H1 H2]]|H].
    + exists x. simpl; auto.
    + destruct (EM (sat (M w) [] (Rel k' q' l))) as [T|T];
        [|exists (xI a); split; [simpl; auto|]; eexists; split; [exact F|exact T]].
      exists (xO b). split; [simpl; auto|]. eexists. split; [exact F1|]. simpl in *. rewrite <- H. exact T.
  - (* Rup *) destruct (rup _ _ hints) eqn:Q; [|disc]. injection R as <-. exists w. apply add_ok; auto.
    apply nn. intros N. apply (rup_ok s w hints (proj2 I)) in Q; auto.
    intros l Hl T. apply N. exists l. split; auto. clear - Hl.
    induction c; simpl in Hl; [unfold mem in Hl; rewrite PM.gempty in Hl; disc|].
    unfold mem in Hl. destruct (Pos.eq_dec l a); [left; auto|]. rewrite PM.gso in Hl by auto. right. auto.
Qed.

Lemma run_ok xs : forall s s' w, run S xs s = Some s' -> Inv s w -> exists w', Inv s' w'.
Proof.
  induction xs as [|x xs IH]; simpl; intros s s' w R I.
  - injection R as <-. eauto.
  - destruct (run1 S x s) as [s1|] eqn:E; [|disc]. destruct (run1_ok _ _ _ _ E I) as [w1 I1]. eauto.
Qed.

Lemma is_literal_ok s f : forall l, is_literal l f s = true -> denotes s l f.
Proof.
  induction f using form_ind2; intros lit0 L.
  3: { simpl in L. apply denotes_not. auto. }
  all: simpl in L; destruct lit0 as [n0|n0|]; try disc;
    destruct (PM.find n0 (forms s)) as [g0|] eqn:F0; [|disc];
    exists n0, g0; split; auto; left; split; auto; intros w; apply (same_ok _ _ L).
Qed.

Lemma entailed_ok s w hyps goal c : Inv s w -> entailed s hyps goal c = true ->
  (forall h, In h hyps -> sat (M w) [] h) -> sat (M w) [] goal.
Proof.
  unfold entailed. intros [_ I] E H. destruct (existsb (form_eqb goal) hyps) eqn:X.
  { apply existsb_exists in X. destruct X as [h [Hh K]]. apply form_eqb_ok in K. subst. auto. }
  destruct (PM.find c (clauses s)) as [cl|] eqn:F; [|disc]. destruct (I _ _ F) as [l [L T]]. rewrite forallb_forall in E. specialize (E l L).
  destruct (is_literal l goal s) eqn:G.
  - apply is_literal_ok in G. apply (denotes_true _ w _ _ G). auto.
  - apply existsb_exists in E. destruct E as [h [Hh K]]. apply is_literal_ok in K.
    apply (denotes_true _ w _ _ K) in H; auto. exfalso. apply neg_false in T. auto.
Qed.
End Models.
End Sound.

(** * Transition systems *)
Lemma forall2b_ok A B (p : A -> B -> bool) l : forall m, forall2b p l m = true ->
  forall a, In a l -> exists b, In b m /\ p a b = true.
Proof.
  induction l; intros [|b m] H; simpl in H; try disc; intros a' []; split_if; subst.
  - exists b; simpl; auto.
  - destruct (IHl m H1 a' H0) as [b' [X Y]]. exists b'. simpl; auto.
Qed.

Theorem check_ok T c : check T c = true -> excluded_middle -> safe T.
Proof.
  intros C EM D r. unfold check in C.
  destruct (run (signature T) (steps c) start) as [s|] eqn:R; [|disc].
  rewrite !andb_true_iff in C. destruct C as (((((((Pa & Pi) & Pt) & Pv) & Ps) & Ci) & Ct) & Cs).
  rewrite forallb_forall in Pa, Pi, Pt, Pv, Ps.
  assert (I : forall si, exists w, Inv (signature T) D r si s w).
  { intros si. apply (run_ok EM (signature T) D r si (steps c) start s (fun s _ => dflt D s) R).
    split; intros n f F; simpl in F; rewrite PM.gempty in F; disc. }
  assert (At : forall si w j f, plain f = true ->
    (sat (M (signature T) D r si w) [] (at_state j f) <-> in_state r (si j) f)).
  { intros si w j f P. unfold M. rewrite at_form. unfold in_state.
    apply (agree (signature T) D r (fun _ => si j) 1); auto. intros; lia. }
  assert (Main : forall a, reachable T r a -> forall f, In f (axioms T ++ invariants c) -> in_state r a f).
  { intros a Ra. induction Ra as [a Ha Hi | a b t Ra IH Hb Ht Hs]; intros f F; apply in_app_or in F;
      destruct F as [F|F]; auto.
    - destruct (I (fun _ => a)) as [w Iw].
      destruct (forall2b_ok _ _ _ _ _ Ci (at_state 0 f)) as [n [_ E]]; [apply in_map; auto|].
      apply (At (fun _ => a) w 0); auto.
      apply (entailed_ok EM _ _ _ _ _ _ _ _ _ Iw E). intros h H. apply in_app_or in H.
      destruct H as [H|H]; apply in_map_iff in H; destruct H as [g [<- G]]; apply At; auto.
    - set (si := fun k => match k with 0 => a | _ => b end). destruct (I si) as [w Iw].
      destruct (forall2b_ok _ _ _ _ _ Ct t Ht) as [ns [_ E1]].
      destruct (forall2b_ok _ _ _ _ _ E1 (at_state 1 f)) as [n [_ E]]; [apply in_map; auto|].
      apply (At si w 1); auto.
      apply (entailed_ok EM _ _ _ _ _ _ _ _ _ Iw E). intros h [<-|H].
      + unfold M. apply (agree (signature T) D r si 1 w (fun s _ => dflt D s)).
        * intros; lia.
        * apply Pt; auto.
        * exact Hs.
      + apply in_app_or in H. destruct H as [H|H]; [|apply in_app_or in H; destruct H as [H|H]];
          apply in_map_iff in H; destruct H as [g [<- G]]; apply At; auto; apply IH; apply in_or_app; auto. }
  intros a Ra f F. destruct (I (fun _ => a)) as [w Iw].
  destruct (forall2b_ok _ _ _ _ _ Cs (at_state 0 f)) as [n [_ E]]; [apply in_map; auto|].
  apply (At (fun _ => a) w 0); auto.
  apply (entailed_ok EM _ _ _ _ _ _ _ _ _ Iw E). intros h H. apply in_app_or in H.
  destruct H as [H|H]; apply in_map_iff in H; destruct H as [g [<- G]]; apply At; auto; apply Main; auto;
    apply in_or_app; auto.
Qed.

Theorem check_queries_ok S qs xs cs : check_queries S qs xs cs = true -> excluded_middle ->
  forall q, In q qs -> entails S (fst q) (snd q).
Proof.
  intros C EM q Q D r si M' H. unfold check_queries in C. destruct (run S xs start) as [s|] eqn:R; [|discriminate].
  destruct (run_ok EM S D r si xs start s (fun s _ => dflt D s) R) as [w I].
  { split; intros n f F; simpl in F; rewrite PM.gempty in F; discriminate. }
  destruct (forall2b_ok _ _ _ _ _ C q Q) as [c [_ E]]. cbv beta in E.
  apply if_and in E. destruct E as [H0 E]. apply if_and in E. destruct E as [H1 H2]. rewrite forallb_forall in H0.
  assert (A : forall f, plain f = true -> (sat (M S D r si w) [] f <-> sat M' [] f)).
  { intros f P. unfold M, M'. apply (agree S D r si 1); auto. intros; lia. }
  apply A; auto. apply (entailed_ok EM _ _ _ _ _ _ _ _ _ I H2). intros h Hh. apply A; auto.
Qed.

(** That an item is in a list, by computation: a proof that counts grows with its place. *)
Definition in_nth (A : Type) (l : list A) (d : A) (k : nat) (H : Nat.ltb k (length l) = true) : In (nth k l d) l :=
  nth_In l d (proj1 (Nat.ltb_lt k (length l)) H).
Arguments in_nth {A}.

Print Assumptions check_ok.
Print Assumptions check_queries_ok.
