; Verification conditions of a lock that is handed over, as another tool would write them.
(set-logic UF)
(set-option :produce-unsat-cores true)
(declare-sort node 0)
(declare-fun holds (node) Bool)     ; before the step
(declare-fun holds2 (node) Bool)    ; after it
(declare-const receiver node)
(define-fun exclusive () Bool
  (forall ((x node) (y node)) (=> (and (holds x) (holds y)) (= x y))))
(assert (! exclusive :named invariant))

; Only the receiver has it afterwards.
(push)
(assert (! (forall ((x node)) (= (holds2 x) (= x receiver))) :named step))
(assert (exists ((x node) (y node)) (and (holds2 x) (holds2 y) (not (= x y)))))
(check-sat)
(get-unsat-core)
(pop)

; Whoever had it keeps it: then two may have it.
(push)
(assert (! (forall ((x node)) (= (holds2 x) (or (holds x) (= x receiver)))) :named step))
(assert (exists ((x node) (y node)) (and (holds2 x) (holds2 y) (not (= x y)))))
(check-sat)
(get-value (receiver (holds receiver) (holds2 receiver)))
(pop)
