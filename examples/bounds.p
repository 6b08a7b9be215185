% In a total, transitive relation any two elements have an upper and a lower bound.
% Status: Theorem.
fof(total, axiom, ! [X,Y] : (le(X,Y) | le(Y,X))).
fof(transitive, axiom, ! [X,Y,Z] : ((le(X,Y) & le(Y,Z)) => le(X,Z))).
fof(bounds, conjecture,
    ! [X,Y] :
      ( ? [U] : (le(X,U) & le(Y,U))
      & ? [L] : (le(L,X) & le(L,Y)) )).
