//! Every construct, misused: the diagnostic has a place, names what is wrong, and says what to do.

use super::load;
use ramsey_lang::ivy::ast::Version;

/// Declarations that stand before each case, in three lines.
const HEAD: &str = "#lang ivy1.7\ntype t\nrelation r(X:t) individual c : t\n";

/// Texts, with the first diagnostic of each.
const CASES: &[(&str, &str)] = &[
    ("type", "4:4 error R003: expected the name of a type, found the end of the file"),
    ("type u = { a b }", "4:14 error R003: expected `,` or `}`, found `b`"),
    ("type u = struct a", "4:17 error R003: expected `{`, found `a`"),
    ("relation q(X)", "4:12 error R009: the type of `X` is not given (write `X:t`)"),
    (
        "relation q(X:t) : t",
        "4:17 error R003: expected `=`, or the end of the declaration, found `:` (a relation has no type; write `function`)",
    ),
    ("function f(X:t)", "4:10 error R003: `f` has no type (write `function f : t`)"),
    ("individual d", "4:12 error R003: `d` has no type (write `individual d : t`)"),
    (
        "relation (X:t r Y:t)",
        "4:15 error R003: expected an operator, found `r` (a name stands before its parameters: `r(X:t)`)",
    ),
    (
        "function (X:t + Y:t) : t = X",
        "4:15 error R023: a definition of `+` is not supported (define a function with a name: `function plus(X:t, Y:t) : t = ..`)",
    ),
    ("definition (X:t < Y:t) = Y < X", "4:17 error R012: `<:t` depends on itself"),
    ("definition (X < Y) = true", "4:13 error R009: the type of `X` is not given (write `X:t`)"),
    (
        "interpret t -> int definition (X:t < Y:t) = r(X)",
        "4:11 error R005: the order of this type is that of numbers",
    ),
    ("definition (X:t <= Y:t) = r(X)", "4:17 note R014: `definition` is read, and nothing follows from it"),
    ("variant v", "4:9 error R003: expected `of` and a type, found the end of the file"),
    (
        "variant v of t property r(X) -> X isa v",
        "4:33 error R003: `isa` takes all that is left of it, which is a formula here (write `(x isa t)` after connectives and quantifiers)",
    ),
    (
        "variant v of t property ~c isa v",
        "4:26 error R003: `isa` takes all that is left of it, which is a formula here (write `(x isa t)` after connectives and quantifiers)",
    ),
    (
        "variant v of t property forall X. X isa v | r(X)",
        "4:35 error R003: `isa` takes all that is left of it, which is a formula here (write `(x isa t)` after connectives and quantifiers)",
    ),
    (
        "include order\ninstance i : bounded_sequence(t)",
        "5:31 error R023: `t` is no native type (write `int`, `nat` or `bv[8]`; a type of the program is another one)",
    ),
    (
        "module m(a) = { module a = { } }\ninstance i : m(c)",
        "4:17 error R005: `a` is a parameter of the module, and stands for what is given for it (give it another name)",
    ),
    ("property c *> c", "4:10 error R008: `t` is no variant (declare it: `variant t of t`)"),
    ("variant v of t property exists X:v, Y:v. X *> Y", "4:42 error R008: `v` is a variant of `t`"),
    ("autoinstance a : m", "4:16 error R003: expected `[` and a parameter, found `:`"),
    ("mixin a for b", "4:9 error R003: expected `before` or `after`, found `for`"),
    (
        "action a delegate a -> b",
        "4:21 error R003: expected `,` or the end of the declaration, found `->` (claims are delegated to whoever calls the action, and to nobody else)",
    ),
    (
        "temporal invariant p",
        "4:10 error R003: expected `property` and a formula, found the keyword `invariant`",
    ),
    (
        "function d : t = some Y. r(Y) action a(x:t) = { r(x) := true } export a",
        "4:10 error R022: this value depends on `r`, which actions assign (choose a value in the action that needs it: `if some y:t. ..`)",
    ),
    (
        "action a = { } around a { c := c; ...; c := c }",
        "4:38 error R003: expected a statement, found `;` (no `;` stands behind `...`)",
    ),
    (
        "action a = { <<< f() >>>; }",
        "4:14 error R003: expected a statement or `}`, found `<<< f() >>>` (text of another language is alone in the block of an action)",
    ),
    (
        "action a = { c := c; <<< f() >>> }",
        "4:22 error R003: expected a statement or `}`, found `<<< f() >>>` (text of another language is alone in the block of an action)",
    ),
    (
        "invariant this.p",
        "4:11 error R003: expected an expression, found the keyword `this` (leave out `this.`: names mean first what the object around declares)",
    ),
    (
        "action a = { <<< f() >>> } export a",
        "4:14 error R023: statements in another language are not verified (they stand in a trusted isolate, in a section that others do not see)",
    ),
    (
        "invariant forall X:t. X.f",
        "4:23 error R009: the value of `X.f` is not known (give the type of the variable where it is bound: `X:t`)",
    ),
    (
        "destructor d : t",
        "4:12 error R007: the first argument of the destructor `d` is no value of a type (write `destructor f(X:t) : u` for a field of `t`)",
    ),
    (
        "type s = struct { a : t } action f = { a(X) := c } export f",
        "4:40 error R022: `a` is a field of a type, which no action changes (assign a field of a variable, or of a function at some arguments: `x.f := y`)",
    ),
    (
        "type s = struct { a : t } type p = struct { q : s } individual x : p action f = { q(x).a := c } export f",
        "4:83 error R022: `q.a` is a field of a type, which no action changes (assign a field of a variable, or of a function at some arguments: `x.f := y`)",
    ),
    ("axiom [a r(X)", "4:10 error R003: expected `]`, found `r`"),
    ("invariant !r(X)", "4:11 error R002: unexpected character `!` (negation is written `~`)"),
    (
        "definition q(X) = r(X) invariant q(c)",
        "4:12 error R006: `q` is not declared (declare it: `relation q(X:t)` or `function q(X:t) : u`)",
    ),
    (
        "type u action f = { r(X:u) := true } export f",
        "4:23 error R008: `X` is of type `u` here and of type `t` elsewhere",
    ),
    (
        "type u action f = { r(X) := r(X:u) } export f",
        "4:31 error R008: `X` is of type `u` here and of type `t` elsewhere",
    ),
    ("type u relation q(X:t) = r(X:u)", "4:28 error R008: `X` is of type `u` here and of type `t` elsewhere"),
    (
        "action g = { z := c } action f returns (z:t) = { z := c; call g } export f",
        "4:14 error R006: `z` is not declared",
    ),
    (
        "relation q(X:t) object o(p:t) = { definition q(X) = r(X) } invariant q(c)",
        "4:46 error R007: `q` is declared outside of the object with this definition (define it where it is declared)",
    ),
    (
        "type s = struct { h(X:t, Y:t) : t } individual i : s action f = { i.h(X,X) := c } export f",
        "4:73 error R005: the variable `X` stands for two arguments (use two variables, and say in the value where they are equal)",
    ),
    (
        "type s = struct { h(X:t) : t } function st(X:t) : s action f = { h(st(X),X) := c } export f",
        "4:74 error R005: the variable `X` stands for two arguments (use two variables, and say in the value where they are equal)",
    ),
    (
        "type s = struct { h(X:t) : t } individual i : s function g(X:t) : t action f = { i.h(g(X)) := c } export f",
        "4:88 error R006: the variable `X` is no argument of the field itself (variables left of `:=` stand alone: `x.f(Y) := ..`)",
    ),
    (
        "action g returns (y:t) = { y := c } action f = { if some x:t. g = x { r(x) := true } } export f",
        "4:63 error R023: the action `g` is called in a formula",
    ),
    ("definition q(X) r(X)", "4:17 error R003: expected `=` and the value, found `r`"),
    (
        "alias q = nothing relation z(X:q)",
        "4:32 error R006: the sort `nothing` is not declared (declare it: `type nothing`)",
    ),
    ("module m(a) { }", "4:13 error R003: expected `=` and a block, found `{`"),
    ("module m = { }\nmodule m = { }", "5:8 error R005: the module `m` is declared twice"),
    (
        "instance o : nothing(t)",
        "4:14 error R024: the module `nothing` is not declared (a module is declared before its instances, in this file or in one that is included: `include order`)",
    ),
    (
        "instance o : m\nmodule m = { }",
        "4:14 error R024: the module `m` is not declared (a module is declared before its instances, in this file or in one that is included: `include order`)",
    ),
    (
        "action g returns (y:t) = { y := c }\nexport action h = { call g }",
        "5:21 error R007: `g` returns a value (assign what it returns: `x := f(y)`, `(x, z) := f(y)`)",
    ),
    ("module m(a) = { }\ninstance o : m(t, t)", "5:1 error R007: `m` takes 1 argument, but 2 are given"),
    (
        "module m(a) = { instance m(a) }\ninstance m(t)",
        "4:26 error R012: the module `m` has an instance of itself",
    ),
    ("object o { }", "4:10 error R003: expected `=` and a block, found `{`"),
    ("isolate o = {", "4:13 error R003: expected a declaration or `}`, found the end of the file"),
    ("trusted object o = { }", "4:9 error R003: expected `isolate`, found the keyword `object`"),
    ("specification r(c)", "4:15 error R003: expected `{`, found `r`"),
    (
        "include ordr",
        "4:9 error R024: `ordr` cannot be included: there is no such file (did you mean the library's `order`?)",
    ),
    ("action a { }\nexport a", "4:10 error R003: expected `=` before the block of the action, found `{`"),
    (
        "action a = { r(c) = true }",
        "4:19 error R003: expected `:=` or `;`, found `=` (an assignment is written `:=`)",
    ),
    (
        "action a = { r(c) := true\n r(c) := false }",
        "5:2 error R003: expected `;` or `}`, found `r` (statements are separated by `;`)",
    ),
    (
        "action a = { while r(c) invariant { } }",
        "4:35 error R003: expected an expression, found `{` (use parentheses to group)",
    ),
    (
        "action a = { let x = c }",
        "4:14 error R003: `let` is not supported in actions (write `var x := value`)",
    ),
    (
        "action a = { if r(c) then { } }",
        "4:22 error R003: expected `{`, found `then` (the block follows the condition: `if c { .. }`)",
    ),
    (
        "action a = { c := c if r(c) { } }",
        "4:29 error R003: expected `else`, found `{` (a choice between values is `a if c else b`; if this is a command, a `;` is missing before `if`)",
    ),
    (
        "action a = { if some x:t. r(x) minimizing { } }",
        "4:43 error R003: expected an expression, found `{` (use parentheses to group)",
    ),
    (
        "action a = { requires r(c) }",
        "4:14 error R003: expected a statement, found `requires` (a condition of an action is written `require`)",
    ),
    (
        "action a = { if r(X) { c := * } }\nexport a",
        "4:19 error R006: the variable `X` is not bound in this condition (bind it by `forall` or `exists`)",
    ),
    (
        "type s = struct { f : t } object y = { relation f } action a(y:s) = { y.f := * }\nexport a",
        "4:71 error R022: this field cannot be given any value (declare a variable, which has any value, and assign that: `var v : t; x.f := v`)",
    ),
    (
        "type u action a(x:t) = { c := x }\nafter a(x:u) { }\nexport a",
        "5:11 error R008: `x` is of type `u` here and of type `t` elsewhere",
    ),
    (
        "module m(ty) = { action a(x:ty) }\ninstance o : m(t)\nafter o.a { c := x }\nexport o.a\ninvariant r(d)",
        "8:13 error R006: `d` is not declared (variables are bound by `forall` or `exists`, or implicitly where they are in capital letters: `D`)",
    ),
    (
        "action a = { var q(X) : bool }\nexport a",
        "4:20 error R009: the type of `X` is not given (write `X:t`)",
    ),
    (
        "action a = { d(c) }\nexport a",
        "4:14 error R006: `d` is not an action (declare it: `action d = { .. }`)",
    ),
    ("action a = { d := c }\nexport a", "4:14 error R006: `d` is not declared"),
    ("action a = { call a }\nexport a", "4:14 error R012: `a` is called while it is executed"),
    (
        "action a(x:t) = { }\naction b = { call a }\nexport b",
        "5:14 error R007: `a` takes 1 argument, but 0 are given",
    ),
    (
        "action a returns (x:t, y:t) = { }\naction b = { c := a }\nexport b",
        "5:19 error R023: the action `a` returns no single value",
    ),
    (
        "action a returns (x:t, y:t) = { }\naction b = { (c, c, c) := a }\nexport b",
        "5:14 error R007: `a` returns 2 values",
    ),
    ("action a(x) = { }\nexport a", "4:10 error R009: the type of `x` is not given (write `x:t`)"),
    ("action a = { var x := 0 }\nexport a", "4:18 error R009: the type of `x` is not given (write `x:t`)"),
    ("action a = { } action a = { } export a", "4:23 error R005: the action `a` is declared twice"),
    (
        "axiom [x] r(c)\nproperty x -> r(c)",
        "5:10 error R006: `x` is the name of a claim, not of a symbol (repeat what it claims, or declare a relation with this definition)",
    ),
    (
        "theorem [x] r(c) -> r(c)\ninvariant x",
        "5:11 error R006: `x` is the name of a claim, not of a symbol (repeat what it claims, or declare a relation with this definition)",
    ),
    ("action r = { }\nexport r", "4:8 error R005: the name `r` is declared twice"),
    ("action a = { }", "4:8 warning R014: no action is exported, so nothing ever changes (write `export a`)"),
    ("export b", "4:8 error R006: the action `b` is not declared (declare it: `action b = { .. }`)"),
    ("import b", "4:8 error R006: the action `b` is not declared (declare it: `action b = { .. }`)"),
    ("before b { }", "4:8 error R006: the action `b` is not declared (declare it: `action b = { .. }`)"),
    ("before a(x:t) { }\naction a = { }\nexport a", "4:8 error R007: `a` takes 0 arguments, but 1 are given"),
    (
        "around a { }\naction a = { }\nexport a",
        "4:8 error R023: `...` is missing in `around` (write `before`, `after`, or `...` where the statements of the action stand)",
    ),
    (
        "action a = { ... }\nexport a",
        "4:14 error R023: `...` stands for the statements of the action in `around`",
    ),
    ("implement a { }\naction a = { c := c }", "4:11 error R005: the action `a` has statements already"),
    ("action a = { instantiate m(c) }\nexport a", "4:26 error R006: the macro `m` is not declared"),
    (
        "macro m(x) = { x := c }\naction a = { instantiate m }\nexport a",
        "5:14 error R007: `m` takes 1 argument, but 0 are given",
    ),
    (
        "function f(X:t) : t\nmacro m(x) = { x := c }\naction a = { instantiate m(f(c)) }\nexport a",
        "6:28 error R023: arguments of macros are names without arguments (assign the value to a variable first: `var x := ..`)",
    ),
    (
        "macro m = { instantiate m }\naction a = { instantiate m }\nexport a",
        "4:25 error R012: the macro `m` uses itself",
    ),
    ("function f(X:t) : t = f(X)\ninvariant f(X) = X", "4:23 error R012: `f` depends on itself"),
    (
        "invariant old r(c)",
        "4:11 error R010: `old` is not possible here (`old r(x)` reads `r` as it was before the action, in its statements and monitors)",
    ),
    (
        "invariant X < Y",
        "4:11 error R009: the type of `<` cannot be inferred (give the type of a variable: `X:t`)",
    ),
    (
        "invariant 0 = 0",
        "4:11 error R009: the type of `0` cannot be inferred (give the type of a variable: `X:t`)",
    ),
    ("invariant r(c) = 0", "4:18 error R008: `0` is of no type `bool` (give the type of a variable: `X:t`)"),
    (
        "axiom X(c)",
        "4:8 error R003: `X` is applied to arguments (a name that starts with a capital letter is a variable; relations start with a small one)",
    ),
    (
        "axiom r(c) if r(c)",
        "4:18 error R003: expected `else`, found the end of the file (a choice between values is written `a if c else b`)",
    ),
    (
        "invariant r(d)",
        "4:13 error R006: `d` is not declared (variables are bound by `forall` or `exists`, or implicitly where they are in capital letters: `D`)",
    ),
    (
        "action a(x:t) returns (y:t) = { }\nexport a\ninvariant exists X. r(a(X))",
        "6:23 error R023: the action `a` is called in a formula",
    ),
    ("invariant [x] r(c)\ninvariant [x] r(c)", "5:12 error R005: the name `x` is declared twice"),
    (
        "object o(self:t) = { after init { if r(self) { } } }",
        "4:35 error R023: this statement is not supported in an initializer of an object with parameters (assign all values by formulas, as in `r(X) := ..`)",
    ),
    (
        "action a = { r(x) := false }\nexport a",
        "4:16 error R006: `x` is not declared (for all elements, write a capital letter: `X`; one element is a parameter of the action, or declared by `var name : type`)",
    ),
    (
        "action a(client:t) = { r(clint) := false }\nexport a",
        "4:26 error R006: `clint` is not declared (did you mean `client`? for all elements, write a capital letter: `CLINT`)",
    ),
    ("sort s", "4:1 error R003: expected a declaration, found `sort` (a sort is declared by `type name`)"),
    (
        "invarient r(c)",
        "4:1 error R003: expected a declaration, found `invarient` (did you mean `invariant`?)",
    ),
    (
        "require r(c)",
        "4:1 error R003: expected a declaration, found the keyword `require` (statements stand in the block of an action: `action name = { .. }`)",
    ),
    ("}", "4:1 error R003: expected a declaration, found `}` (there is no brace open here)"),
    ("mixin a before b", "4:7 error R006: the action `a` is not declared (declare it: `action a = { .. }`)"),
    ("attribute a.method = mc", "4:1 note R014: `attribute` is read, and nothing follows from it"),
    (
        "attribute check = impl",
        "4:1 error R023: `attribute check` is not supported: it changes what isolates see of an object (without it, `impl` and `implementation { .. }` are private)",
    ),
    ("attribute method = ic", "4:1 note R014: `attribute` is read, and nothing follows from it"),
    (
        "attribute method = bmc[c]",
        "4:20 error R003: `bmc` takes a number of steps, and one of unrollings of loops (write `bmc[5]`; the greatest number is 1000)",
    ),
    ("attribute a.methd = mc", "4:11 error R006: there is no attribute `methd` (did you mean `method`?)"),
    ("explicit invariant [lem] no(X)", "4:26 error R006: `no` is not declared"),
    ("attribute method mc", "4:18 error R003: expected `=` and a value, found `mc`"),
    ("interpret t -> strange", "4:1 note R014: `interpret` is read, and nothing follows from it"),
    (
        "interpret c -> int",
        "4:1 error R023: this interpretation of a symbol is not supported (write `+`, `-`, `*` or `/` after `->`, or `definition` and what it is)",
    ),
    ("interpret u -> int", "4:11 error R006: `u` is neither a type nor a symbol"),
    ("interpret t int", "4:13 error R003: expected `->` and what it is, found `int`"),
    ("interpret t -> int\ninterpret t -> nat", "5:11 error R005: the type `t` has two interpretations"),
    ("type u = { 3..1 }", "4:6 error R023: the range has no element"),
    ("type u = { 3.1 }", "4:14 error R003: expected `..` and the end of the range, found `1`"),
    (
        "object o = { }\nobject o = { }",
        "5:8 error R005: the object `o` is declared twice (what is added to an object stands in `object o = { ... }`)",
    ),
    (
        "object o = { action f(x:t) = { } }\nobject o = { ... before f { require r(x) } }\nexport o.f",
        "5:25 error R007: the parameters and results of `o.f` are not given here (write them here as well)",
    ),
    (
        "object o = { action f(x:t) = { } before o.f { require r(x) } }\nexport o.f",
        "4:41 error R007: the parameters and results of `o.f` are not given here (write them here as well)",
    ),
    (
        "object o(p:t) = { action f(x:t) = { } }\nbefore o.f { require r(c) }\nexport o.f",
        "5:8 error R007: the parameters and results of `o.f` are not given here (write them here as well)",
    ),
    (
        "object o(p:t) = { action f returns (x:t) = { } }\nafter o.f returns (x:t) { assert r(x) }\nexport o.f",
        "5:7 error R007: the parameters and results of `o.f` are not given here (write them here as well)",
    ),
    (
        "module m = { object p = { } }\ninstance i : m\nobject i = { ... object p = { ... } }",
        "6:25 error R006: the block around this does not know the object `p` (continue it in the module or the section that declares it)",
    ),
    (
        "object o(x:t) = { individual d : t }\nobject o = { ... invariant r(d) }",
        "5:30 error R007: `o.d` takes 1 argument, but 0 are given",
    ),
    (
        "object o = { } isolate o = { ... }",
        "4:30 error R003: expected a declaration or `}`, found `.` (what goes on is an object: `object o = { ... }`)",
    ),
    (
        "object o = { } extract o = { ... }",
        "4:30 error R003: expected a declaration or `}`, found `.` (what goes on is an object: `object o = { ... }`)",
    ),
    ("object o = { ... }", "4:8 error R006: the object `o` is not declared before (leave out the `...`)"),
    (
        "module m = { }\ninstance o : m\ninstance o : m",
        "6:10 error R005: the object `o` is declared twice (what is added to an object stands in `object o = { ... }`)",
    ),
    (
        "action a = { }\naround a { ... c := * }\nexport a",
        "5:12 error R023: `around` has statements on both sides of `...` (what comes on one side alone is a monitor `before` or `after` the action)",
    ),
    (
        "axiom r(c)\naction a = { c := * }\nexport a",
        "4:1 error R022: this axiom is about `c`, which actions assign (make it an `invariant`; what holds initially is assigned or assumed in `after init`)",
    ),
    (
        "init r(c)",
        "4:1 error R023: formulas about initial states are of versions up to 1.6 (write `after init { .. }` with assignments or `assume`)",
    ),
    (
        "function f(X:t) : t = X if r(Y) else c",
        "4:30 error R006: the variable `Y` occurs on the right side alone (bind it by `forall` or `exists`, or make it an argument on the left: `r(Y)`)",
    ),
    ("function f(X:t, Y:t) : t\ndefinition f(X, X) = X", "5:17 error R005: the variable `X` is bound twice"),
    ("function f(X:t) : t = X\ndefinition f(X) = c", "5:12 error R005: `f` is defined twice"),
    (
        "type u\nproperty r(X:t) | X:u = X",
        "5:19 error R008: `X` is of type `u` here and of type `t` elsewhere",
    ),
    (
        "type u\nproperty exists X:t. r(X) | X:u = X",
        "5:29 error R008: `X` is of type `u` here and of type `t` elsewhere",
    ),
    (
        "theorem [th] { type u }",
        "4:14 error R003: the theorem claims nothing (the last property is the claim, those before it are assumed)",
    ),
    (
        "theorem [th] { property { property r(c) } property { property r(c) } }",
        "4:14 error R003: the theorem claims nothing (the last property is the claim, those before it are assumed)",
    ),
    (
        "invariant r(c) proof tactic l2s with invariant r(c)",
        "4:29 error R003: the tactic `l2s` is not supported (write the proof in braces: `proof { tactic .. with .. }`)",
    ),
    (
        "action a(x:t) = { require r(x) proof { tactic l2s } } action b(x:t) = { call a(x) } export b",
        "4:47 error R023: the tactic `l2s` is not supported (supported are `skolemize`, `skolemizenp` and `sorry`)",
    ),
    (
        "axiom [s] { fresh individual k : t property r(k) }",
        "4:13 error R003: expected a parameter, `property`, `trigger` or `}`, found `fresh` (nobody checks that what stands for it is new where the schema is used, so false claims would follow: name what is needed by `property exists X. .. named c`)",
    ),
    ("property c<<1:0>> = c", "4:12 error R003: expected an expression, found `<`"),
    (
        "destructor next(X:t) : t",
        "4:12 error R012: the type `t` depends on itself (declare a function or relation of `t`, which is no field)",
    ),
    (
        "type p = struct { open : bool, at(X:p) : t }",
        "4:32 error R012: the type `p` depends on itself (declare a function or relation of `p`, which is no field)",
    ),
    (
        "type p\ntype q = struct { inside : p }\ndestructor first(X:p) : q",
        "5:19 error R012: the type `q` depends on itself (declare a function or relation of `q`, which is no field)",
    ),
    (
        "include collections\ntype p\ninstance on : vector(p)\ndestructor first(X:p) : on",
        "7:12 error R012: the type `p` depends on itself (declare a function or relation of `p`, which is no field)",
    ),
    (
        "type p = struct { inside : q }\ntype q",
        "4:28 error R006: the type `q` is declared after this (declare it first)",
    ),
    (
        "property later(X) = r(X)\nrelation later(X:t)",
        "4:10 error R006: `later` is declared after this (declare it first; only statements, and claims about states, mention what is declared later)",
    ),
    (
        "definition later(X) = r(X)\nrelation later(X:t)",
        "4:12 error R006: `later` is declared after this (declare it first)",
    ),
    (
        "derived early(X:t) = later(X)\nrelation later(X:t)",
        "4:22 error R006: `later` is declared after this (declare it first)",
    ),
    (
        "axiom [rule] { relation p(X:t) property p(X) -> later(X) }\nrelation later(X:t)",
        "4:49 error R006: `later` is declared after this (declare it first)",
    ),
    (
        "action g returns (b:bool) = { b := r(c) }\naction a = { while g { } }\nexport a",
        "5:20 error R023: the condition of a loop calls no action (assign the value to a variable before the loop and at its end)",
    ),
    (
        "export f\naction f(x:t) = { }",
        "4:8 error R006: the action `f` is declared after this (declare it first)",
    ),
    ("import f\naction f(x:t)", "4:8 error R006: the action `f` is declared after this (declare it first)"),
    (
        "individual x : t\nbefore f { assert r(x) }\naction f(x:t) = { }\nexport f",
        "5:8 error R006: the action `f` is declared after this (declare it first, or give the parameters here as well)",
    ),
    (
        "after f { assert r(c) }\naction f returns (x:t) = { }\nexport f",
        "4:7 error R006: the action `f` is declared after this (declare it first, or give the parameters here as well)",
    ),
    (
        "relation early(X:later)\ntype later",
        "4:18 error R006: the type `later` is declared after this (declare it first)",
    ),
    (
        "relation early(X:later)\nalias later = t",
        "4:18 error R006: the type `later` is declared after this (declare it first)",
    ),
    (
        "interpret later -> int\ntype later",
        "4:11 error R006: the type `later` is declared after this (declare it first)",
    ),
    (
        "axiom forall X:later. X = X\ntype later",
        "4:16 error R006: the type `later` is declared after this (declare it first; only statements, and claims about states, mention what is declared later)",
    ),
    (
        "object o = { property p(X) relation p(X:t) }",
        "4:23 error R006: `o.p` is declared after this (declare it first; only statements, and claims about states, mention what is declared later)",
    ),
    (
        "invariant c :: c = c",
        "4:13 error R002: unexpected character `:` (`x :: y`, bits after bits, is not supported: declare `function concat(X:t, Y:t) : u`)",
    ),
    (
        "invariant $l. r(c)",
        "4:11 error R002: unexpected character `$` (binders with names are not supported: declare a relation or function with a definition)",
    ),
    (
        "object o = { type u object p = { type u } relation q(X:u) }\ninvariant forall X:o.u. o.q(X)",
        "5:20 error R006: the sort `o` is not declared (the first `.` ends the variables; give the sort where the variable occurs: `X:o.u`)",
    ),
    (
        "object o = { type u relation q(X:u) }\naction a = { if some x:o.u. o.q(x) { } }\nexport a",
        "5:24 error R006: the sort `o` is not declared (the first `.` ends the variables; give the sort where the variable occurs: `X:o.u`)",
    ),
    (
        "relation q(X:t)\ndefinition q(d) = r(d)",
        "5:14 error R009: the type of `d` is not given (write `d:t`)",
    ),
    (
        "action a\naction b\nscenario { -> p; p -> q : before a { } q -> p : after a { } }",
        "6:55 error R003: `a` has transitions before it and after it (write a monitor for one of them)",
    ),
    (
        "action a(x:t)\nscenario { -> p; p -> q : before a(x:t) { } q -> p : before a(y:t) { } }",
        "5:34 error R003: transitions before `a` have other parameters (give the parameters the same names and types in all of them)",
    ),
    (
        "action f(y:t) = { r(y) := true }\naction a(x:t) = { call f(y) }\nexport a",
        "5:26 error R006: `y` is not declared (variables are bound by `forall` or `exists`; one element is a parameter of the action, or declared by `var name : type`)",
    ),
    (
        "type e = { d }\naction f(y:t) = { r(y) := true }\naction a(x:e) = { call f(x) }\nexport a",
        "6:26 error R008: expected sort `t`, found `e`",
    ),
    (
        "action f = { r(x) := true }\naction a(x:t) = { call f }\nexport a",
        "4:16 error R006: `x` is not declared",
    ),
    (
        "schema s = { r(X) }",
        "4:14 error R003: expected a parameter, `property`, `trigger` or `}`, found `r` (write `schema name = { type t  function f(X:t) : t  property ..  trigger .. }`)",
    ),
    (
        "schema s = { type u }",
        "4:21 error R003: expected `property` and the formula of the schema, found `}` (write `schema name = { type t  function f(X:t) : t  property ..  trigger .. }`)",
    ),
    (
        "axiom { property [a] r(c) property r(X) }",
        "4:7 error R003: the rule has no name (write `axiom [name] { .. }`)",
    ),
    (
        "schema s = { property [a] r(c) definition f(X) = X }",
        "4:32 error R003: definitions in theorems and schemata are not supported (write the equation as a property)",
    ),
    (
        "schema s = { relation q(X:t) = r(X) property q(X) }",
        "4:32 error R003: a parameter of a schema has no definition (write the value where the parameter occurs)",
    ),
    (
        "schema s = { relation q(X:nothing) property q(X) }",
        "4:27 error R006: the sort `nothing` is not declared (make it a parameter of the schema: `type nothing`)",
    ),
    (
        "schema s = { relation q(X) property q(X) }",
        "4:25 error R009: the type of `X` is not given (write `X:t`)",
    ),
    (
        "schema s = { type u type u property r(X) & Y:u = Y }",
        "4:26 error R005: the parameter `u` is declared twice",
    ),
    (
        "schema s = { relation q(X:t) property q(X) | q(Y) trigger q(X) }",
        "4:51 error R023: the trigger does not mention the variable `Y` (add a term with this variable, after a `,`)",
    ),
    (
        "schema s = { property r(X) trigger r(X), r(Z) }",
        "4:44 error R023: the formula of the schema does not mention the variable `Z` (a trigger consists of terms over variables of the formula)",
    ),
    ("schema s(x) = r(X)", "4:1 note R014: `schema` is read, and nothing follows from it"),
    (
        "isolate i = o with r",
        "4:13 error R006: `o` is neither an object nor a declaration (isolates list objects, actions, types, definitions and claims)",
    ),
    ("extract i = r with r", "4:1 note R014: `extract` is read, and nothing follows from it"),
    ("invariant r(c) proof let X = c", "4:16 note R014: `proof` is read, and nothing follows from it"),
];

#[test]
fn every_construct_misused() {
    expect_first(CASES);
}

/// Makes sure that each text has this first diagnostic, after the declarations of [`HEAD`].
#[track_caller]
pub(super) fn expect_first(cases: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in cases {
        let (system, found) = load(&format!("{HEAD}{text}\n"));
        let first = found.first().map(String::as_str).unwrap_or_default();
        if first != *expected || system.is_none() != expected.contains("error") {
            wrong.push((text, expected, found));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn one_mistake_is_one_error() {
    let alone = [
        "schema s = { type u { r(X) } action a }\naction b = { }\nexport b",
        "function f(X:t) : t = f(X)\ninvariant f(X) = X",
        "action a(x) = { }\nexport a",
        "mixin a before b",
    ];
    for text in alone {
        let (_, found) = load(&format!("{HEAD}{text}\n"));
        assert_eq!(found.len(), 1, "{found:#?}");
    }
    let (_, found) = load(&format!("{HEAD}action a = {{ r( }}\nexport a\ninvariant r(c)\n"));
    assert_eq!(found.len(), 1, "an action with errors is declared: {found:#?}");
}

#[test]
fn the_first_line_gives_the_version() {
    let known = ["ivy1.1", "ivy1.3", "ivy1.8", "ivy", "ivy 1.7", "ivy1.7 "];
    for line in known {
        let (system, found) = load(&format!("#lang {line}\ntype t\n"));
        assert!(system.is_some(), "{line}: {found:?}");
    }
    let unknown = [
        ("ivy1.0", "version `1.0` of the language is not read"),
        ("ivy1.9", "version `1.9` of the language is not read"),
        ("ivy2", "version `2` of the language is not read"),
        (
            "ivy999",
            "version `999` of the language is not read (write `#lang ivy1.7`; versions 1.1 to 1.8 are read)",
        ),
        ("ivy1.+7", "version `1.+7`"),
        ("ivy1.7.2", "version `1.7.2`"),
        ("ivy1.99999999999", "version `1.99999999999`"),
        ("foo", "the language `foo` is not read"),
        ("", "the language `` is not read"),
    ];
    for (line, message) in unknown {
        let (system, found) = load(&format!("\u{feff}#lang {line}\ntype t\n"));
        assert!(system.is_none() && found.len() == 1, "{line}: {found:?}");
        assert!(found[0].starts_with("1:1 error R003:") && found[0].contains(message), "{found:?}");
    }
    // Without a number, it is the newest one, and other comments say nothing of it.
    assert_eq!(Version::of_text("#lang ivy\n"), Version::NEWEST);
    for text in ["#language foo\ntype t\n", "# lang foo\ntype t\n", "type t\n"] {
        assert_eq!(Version::given(text), Ok(Version::DEFAULT));
    }
    // A word is a name in the versions that do not reserve it.
    for (word, versions) in [
        ("require", 3..=6),
        ("apply", 3..=6),
        ("requires", 8..=8),
        ("field", 3..=7),
        ("of", 3..=5),
        ("execute", 3..=4),
        ("method", 3..=8),
    ] {
        for version in 3..=8 {
            let (system, found) = load(&format!("#lang ivy1.{version}\nrelation {word}\n"));
            assert_eq!(system.is_some(), versions.contains(&version), "1.{version}, {word}: {found:?}");
        }
    }
    let taken = load("#lang ivy1.7\ntype from\n").1;
    assert!(taken[0].contains("`from` is a reserved word and cannot be a name"), "{taken:?}");
    // So it is with what begins declarations and statements.
    for (text, versions) in [
        ("relation p invariant p", 7..=8),
        ("relation p action a = { ensures p }", 3..=6),
        ("relation p action a = { requires p }", 9..=9),
        ("relation p action a = { ensure p }", 7..=8),
        ("module isolate m(t) with o = { }", 3..=8),
        ("relation p object o = { } isolate i = o with this", 6..=8),
        ("type t action a(x:t) = { } action m(x:t) returns (y:t) = { } mixin m after a", 9..=9),
        ("type t action a(x:t) returns (y:t) = { } action m(x:t) = { } mixin m after a", 9..=9),
        ("type t action a(x:t) returns (y:t) = { } action m(x:t) returns (y:t) = { } mixin m after a", 3..=8),
        ("module isolate m(t) = { } with this", 9..=9),
    ] {
        for version in 3..=8 {
            let (system, found) = load(&format!("#lang ivy1.{version}\n{text}\n"));
            assert_eq!(system.is_some(), versions.contains(&version), "1.{version}, {text}: {found:?}");
        }
    }
}
