% A cycle of four nodes can be colored by two colors.
% Status: Satisfiable.
cnf(some_color, axiom, red(X) | blue(X)).
cnf(no_red_pair, axiom, ~ edge(X,Y) | ~ red(X) | ~ red(Y)).
cnf(no_blue_pair, axiom, ~ edge(X,Y) | ~ blue(X) | ~ blue(Y)).
cnf(first, axiom, edge(a,b)).
cnf(second, axiom, edge(b,c)).
cnf(third, axiom, edge(c,d)).
cnf(fourth, axiom, edge(d,a)).
