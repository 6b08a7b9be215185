"""Values and objects of the library for `ivy_programs.py`: a few steps with one of them, and claims about what they leave. No name of
the program is one that a parameter of the library has: with a constant `a`, Ivy 1.8.26 proves less of its arrays."""
from ivy_nets import Nets

# By kind: the declarations, the types of further parameters, the steps, and what is claimed or not. `@` is the container, `ix` its
# sequence. Steps end in `;`.
ARRAYS = ("@ar", "@ar", ["p := @ar.empty", "p := @ar.create(i, x)", "p := @ar.set(p, i, x)", "q := @ar.set(p, j, y)", "y := @ar.get(p, i)", "i := @ar.size(p)",
                         "p := @ar.resize(q, i, x)", "p := @ar.append(p, x)", "q := @ar.append(p, y)", "p := q", "q := p"],
          ["@ar.end(p) = @ar.end(q)", "p = q", "i < @ar.end(p)", "@ar.end(p) = 0", "@ar.end(p) <= @ar.end(q)", "@ar.end(q) = j"])
VALUES = ["@ar.value(p, i) = x", "@ar.value(p, j) = y", "@ar.value(p, i) = @ar.value(q, i)", "I < @ar.end(p) & 0 <= I -> @ar.value(p, I) = x"]
RELATED = ["@ar.value_is(p, i, x)", "@ar.value_is(p, j, y)", "@ar.value_is(q, i, x)", "I < @ar.end(p) & 0 <= I -> @ar.value_is(p, I, x)"]
PLACES = ["k < l", "k = l", "ix.iter.is_end(k)", "ix.iter.is_end(l)", "ix.iter.done(i, k)", "ix.iter.ahead(i, k)", "ix.iter.between(k, i, l)", "ix.iter.val(k) = i"]
STEPS = ["k := ix.iter.create(i)", "k := ix.iter.begin", "l := ix.iter.end", "l := k"]
KINDS = {
    "array": (["instance @ar : array(ix, t)"], *ARRAYS[:3], ARRAYS[3] + VALUES),
    "rel_array": (["instance @ar : rel_array(ix, t)"], *ARRAYS[:3], ARRAYS[3] + RELATED),
    "segment": (["instance @ar : array(ix, t)", "instance @sg : segment(ix, t, @ar)"], "@ar", "@sg", ["q := @sg.make(p, i, j)", "p := @ar.set(p, i, x)", "x := @sg.value(q, i)"],
                ["@sg.value(q, i) = x", "@sg.value(q, i) = @ar.value(p, i)", "i <= j", "j <= @ar.end(p)", "i <= I & I < j -> @sg.value(q, I) = @ar.value(p, I)"]),
    "map": (["individual @z : t", "instance @m : map(ix, t, @z)"], None, None, ["call @m.set_(i, x)", "y := @m.get(i)", "x := @m.get(j)", "call @m.lemma(i)", "call @m.set_(j, y)"],
            ["@m.map(i, x)", "@m.map(j, y)", "@m.map(i, X) -> X = x", "@m.map(i, @z)"]),
    "partial_function": (["instance @m : partial_function(ix, t)"], None, None,
                         ["call @m.remap(i, x)", "y := @m.get(i)", "x := @m.get(j)", "call @m.lemma(i)", "call @m.remove(j)"],
                         ["@m.map(i, x)", "@m.map(j, y)", "@m.map(i, X) -> X = x", "@m.pre(i)", "@m.pre(j)"]),
    "witness": (["instance @m : witness(t)"], None, None, ["call @m.set(x)", "y := @m.get", "call @m.clear"],
                ["@m.is(x)", "@m.is(y)", "@m.present", "@m.is(X) -> X = x", "exists X. @m.is(X)"]),
    "sequence": ([], None, None, ["j := ix.next(i)", "i := ix.next(i)", "j := ix.prev(i)", "i := ix.prev(j)"],
                 ["ix.succ(i, j)", "ix.succ(j, i)", "exists X. X > i", "i <= X", "ix.succ(i, X) -> X = j", "i = 1", "ix.max2(i, j) = i"]),
    "iterator": ([], "ix.iter.t", "ix.iter.t", [it.replace("k", "p").replace("l :=", "q :=") for it in STEPS] + ["q := ix.iter.next(p)", "q := ix.iter.prev(p)", "i := ix.iter.val(p)"],
                 [it.replace("(k", "(p").replace("(l", "(q").replace(", l)", ", q)").replace(", k)", ", p)") for it in PLACES[2:]] + ["p < q", "p = q", "i <= ix.max"]),
    "ordered_map": (["instance @m : ordered_map(ix, t)"], None, None,
                    ["call @m.set(i, x)", "call @m.set(j, y)", "x := @m.get(i, y)", "y := @m.get(j, x)", "call @m.erase(ix.iter.create(i), ix.iter.end)"],
                    ["@m.contains(i)", "@m.contains(j)", "@m.maps(i, x)", "@m.maps(j, y)", "@m.maps(j, X) -> X = y", "~@m.contains(X)", "exists X. @m.maps(i, X)"]),
}


class Containers(Nets):
    def feature_containers(self):
        self.include("collections")
        self.include("order")
        kind = self.one_of(*KINDS)
        declarations, first, second, steps, claims = KINDS[kind]
        index, stem, action = self.fresh("ix"), self.fresh("co"), self.fresh("act")

        def named(text):
            return text.replace("@", stem).replace("ix.", f"{index}.").replace("(ix", f"({index}")

        self.emit(f"instance {index} : {'iterable' if kind in ('iterator', 'ordered_map') else 'unbounded_sequence'}")
        for text in declarations:
            self.emit(named(text))
        params = [("i", index), ("j", index), ("x", "t"), ("y", "t")]
        params += [(name, named(sort)) for name, sort in (("p", first), ("q", second)) if sort]
        isolate = self.fresh("iso") if self.isolated and self.chance(0.5) else None
        if isolate:
            self.open(f"isolate {isolate} =")
        self.open(f"action {action}({', '.join(f'{name}:{sort}' for name, sort in params)}) =")
        claims = claims + ["x = y", "i = j", "i < j", "0 <= i", "i = 0"]

        def fact():
            return self.one_of(" | ", " -> ", " & ").join(f"{self.one_of('', '~')}({named(it)})" for it in self.some_of(1, 2, claims))

        for _ in range(self.rng.randint(1, 4)):
            if self.chance(0.3):
                self.emit(f"assume {fact()};")
            step = named(self.one_of(*steps)) + ";"
            self.emit(f"if {self.one_of('x = y', 'i < j', 'i = 0')} {{ {step} }};" if self.chance(0.2) else step)
        for _ in range(self.rng.randint(1, 3)):
            self.emit(f"assert {fact()};")
        self.close()
        if isolate:
            seen = [named(it.split()[1]) for it in declarations if it.startswith("instance")]
            self.close(f" with {', '.join([index, *seen])}")
        self.emit(f"export {isolate + '.' if isolate else ''}{action}")
