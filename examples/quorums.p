% Two values cannot both have the votes of a quorum, if quorums meet and nodes vote once.
% Status: Theorem.
tff(node_type, type, node: $tType).
tff(quorum_type, type, quorum: $tType).
tff(value_type, type, value: $tType).
tff(member_type, type, member: (node * quorum) > $o).
tff(voted_type, type, voted: (node * value) > $o).

tff(quorums_meet, axiom, ! [Q: quorum, R: quorum] : ? [N: node] : (member(N,Q) & member(N,R))).
tff(votes_are_unique, axiom, ! [N: node, V: value, W: value] : ((voted(N,V) & voted(N,W)) => V = W)).

tff(decisions_agree, conjecture,
    ! [V: value, W: value] :
      ( ( ? [Q: quorum] : ! [N: node] : (member(N,Q) => voted(N,V))
        & ? [Q: quorum] : ! [N: node] : (member(N,Q) => voted(N,W)) )
     => V = W )).
