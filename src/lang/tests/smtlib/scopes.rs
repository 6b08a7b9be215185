//! Tests of levels, scopes, and memory.

use super::{Command, Session, SourceTerm, Value};

#[test]
fn declarations_end_with_their_level() {
    let mut session =
        Session::after("(declare-sort S 0)(declare-const a S)(push)(declare-const b S)(assert (= a b))");
    let b = session.front.symbols().last().expect("b").sym;
    session.run("(push 2)(define-fun c () S b)(assert (! (= c a) :named n))(pop 2)");
    assert_eq!(session.error("(assert (= a c))").1, "`c` is not declared");
    assert_eq!(session.printed(), ["a = b"]);
    session.run("(declare-const n S)(pop)");
    assert_eq!((session.front.levels(), session.asserted().len()), (0, 0));
    assert_eq!(session.error("(assert (= a b))").1, "`b` is not declared");
    session.run("(declare-const b S)");
    assert_eq!(session.front.symbols().last().expect("b").sym, b, "the same symbol again");
    session.run("(push)(declare-sort T 0)(declare-fun h (T) T)(pop)(push)(declare-fun h (S) S)(pop)");
    let symbols = session.sig.symbols.len();
    session.run("(push)(declare-sort T 0)(declare-fun h (T) T)(pop)(push)(declare-fun h (S) S)(pop)");
    assert_eq!((session.sig.symbols.len(), session.sig.sorts.len()), (symbols, 3));
}

#[test]
fn declarations_may_be_global() {
    let mut session = Session::after(
        "(set-option :global-declarations true)(push)(declare-sort S 0)(declare-datatype E ((e1) (e2)))
         (declare-const a S)(assert (! (= a a) :named n))(pop)(assert n)(assert (= e1 e2))",
    );
    assert_eq!(session.printed(), ["a = a", "e1 = e2"]);
    assert_eq!(session.front.assertions().len(), 4, "what is known of an enumeration stays");
    session.run("(reset-assertions)(declare-const b S)");
    assert_eq!(session.front.assertions().len(), 2);
    assert_eq!(
        session.error("(set-option :global-declarations false)").1,
        "`:global-declarations` cannot be set any more"
    );
}

#[test]
fn resets() {
    let mut session = Session::after(
        "(set-logic UF)(declare-sort S 0)(declare-fun g (Bool) S)(push)(assert (= (g true) (g false)))",
    );
    session.run("(reset-assertions)");
    assert_eq!((session.front.levels(), session.front.assertions().len()), (0, 2));
    assert_eq!(session.error("(assert (= (g true) (g false)))").1, "`g` is not declared");
    session.run("(reset)(set-logic QF_UF)(declare-sort g 0)");
    assert_eq!(session.front.assertions().len(), 0);
    session.run("(reset)");
    session.front.compact(&mut session.sig, &mut session.terms);
    assert_eq!((session.sig.sorts.len(), session.sig.symbols.len(), session.terms.len()), (1, 0, 0));
}

#[test]
fn an_error_changes_nothing() {
    let mut session =
        Session::after("(declare-sort S 0)(declare-fun p (S) Bool)(declare-const a S)(assert (p a))");
    let wrong = [
        "(assert (and (! (p a) :named n) (let ((x a)) (forall ((y S)) (p z)))))",
        "(assert (let ((v (exists ((x S)) (p x)))) (forall ((x S)) (and v (p z)))))",
        "(define-fun d ((x S)) Bool (forall ((x S)) (! (p a) :named n) (p x)))",
        "(define-funs-rec ((u ((x S)) Bool) (v ((x S)) Bool)) ((v x) (u x)))",
        "(define-funs-rec ((u ((x S)) Bool) (v ((x S)) Bool)) ((p x) (not x)))",
        "(declare-datatypes ((E 0) (F 0)) (((n) (d)) ((v) (n))))",
        "(declare-datatype E ((n) (d (x S))))",
        "(declare-fun n (S Bool) T)",
        "(declare-sort T x)",
        "(pop)",
        "(assert (! (p a) :named n) true)",
    ];
    let (terms, assertions) = (session.terms.len(), session.front.assertions().to_vec());
    for command in wrong {
        session.error(command);
        assert_eq!(session.front.assertions(), assertions, "{command}");
    }
    session.run("(declare-const n S)(declare-const d S)(declare-const u S)(declare-const v S)(declare-sort T 0)(declare-sort E 0)(declare-sort F 0)");
    session.run("(assert (forall ((x S)) (p x)))(assert (forall ((x S)) (p x)))");
    assert_eq!(session.printed()[1], "forall x:S. p(x)", "its variable is available");
    assert_eq!(session.asserted()[1], session.asserted()[2]);
    assert!(session.terms.len() < terms + 40);
}

#[test]
fn reading_the_same_again_takes_no_memory() {
    let script = "(push)(declare-fun r (S S) Bool)(define-fun m ((x S) (y Bool)) Bool (exists ((z S)) (and y (r x z))))
        (assert (! (forall ((x S) (y S)) (let ((v (exists ((x S)) (r x y)))) (exists ((x S)) (and v (m x v))))) :named n))
        (assert (forall ((z S)) (m z (m z n))))(check-sat-assuming ((r a a) n))(pop)";
    let mut session = Session::after("(declare-sort S 0)(declare-const a S)");
    session.run(script);
    let size = (session.terms.len(), session.sig.symbols.len(), session.terms.mark());
    for _ in 0..1_000 {
        session.run(script);
    }
    let again = (session.terms.len(), session.sig.symbols.len(), session.terms.mark());
    assert_eq!(format!("{size:?}"), format!("{again:?}"), "neither terms nor variables nor arguments");
}

#[test]
fn compaction_keeps_what_is_live() {
    let mut session = Session::after(
        "(declare-sort Dead 0)(declare-sort S 0)(declare-sort P 1)(define-sort Q (X) (P (P X)))
         (declare-datatype E ((e1) (e2)))(declare-fun p ((Q S)) Bool)(declare-fun g (Bool) S)(declare-const a S)
         (define-fun m ((x S)) Bool (exists ((y S)) (= x y)))
         (push)(declare-fun dead (Dead) Bool)(assert (exists ((d Dead)) (dead d)))(pop)
         (push)(declare-const b S)(assert (! (forall ((x S)) (m x)) :named n))(assert (= (g n) b))",
    );
    let before: Vec<String> = session.front.assertions().iter().map(|it| session.print(it.formula)).collect();
    let (terms, sorts) = (session.terms.len(), session.sig.sorts.len());
    session.front.compact(&mut session.sig, &mut session.terms);
    let after: Vec<String> = session.front.assertions().iter().map(|it| session.print(it.formula)).collect();
    assert_eq!(before, after);
    assert!(session.terms.len() < terms);
    assert_eq!(session.sig.symbols.iter().filter(|symbol| symbol.name == "dead").count(), 0);
    assert!(session.sig.sorts.len() <= sorts);
    let symbols: Vec<&str> = session.front.symbols().map(|live| live.name).collect();
    assert_eq!(symbols, ["p", "g", "a", "b"]);
    session.run("(declare-const c (Q S))(assert (p c))(assert (=> n (m a) ((_ is e1) e2)))(pop)(assert (= (g true) a))");
    assert_eq!(session.printed(), ["g(if true then true@ else false@) = a"]);
    assert_eq!(session.error("(assert n)").1, "`n` is not declared");
    session.run("(declare-const b E)(assert (= b e1))");
}

#[test]
fn commands_are_resolved() {
    let mut session = Session::default();
    let commands = session.run(
        "(set-logic QF_UF)(set-option :produce-models true)(set-option :seed 17)(set-info :status sat)
         (set-info :source |any text|)(set-info :x (a \"b\"))(set-info :flag)(get-info :name)(get-option :seed)
         (declare-sort S 0)(declare-const a S)(define-const b S a)(push 3)(pop)(check-sat)(echo \"a \"\"b\"\"\")
         (get-model)(get-value (a (= a b)))(eval a :completion true)(check-sat-assuming ((= a b) (not (= a b))))
         (check-sat-assuming ())(get-unsat-core)(get-unsat-assumptions)(get-assertions)(get-assignment)(get-proof)
         (minimize (+ a 1))(check-sat-using (then simplify smt))(reset-assertions)(reset)(set-logic QF_LIA)
         (set-logic AUFLIRA)(declare-const p Bool)(check-sat p (not p))(exit)",
    );
    let option = |keyword: &str, value| Command::SetOption { keyword: keyword.into(), value };
    let info = |keyword: &str, value| Command::SetInfo { keyword: keyword.into(), value };
    let texts = |entered: &[SourceTerm]| entered.iter().map(|it| it.text.to_string()).collect::<Vec<_>>();
    assert_eq!(commands[0], Command::SetLogic("QF_UF".into()));
    assert_eq!(commands[1], option(":produce-models", Value::Symbol("true".into())));
    assert_eq!(commands[2], option(":seed", Value::Numeral("17".into())));
    assert_eq!(commands[3], info(":status", Value::Symbol("sat".into())));
    assert_eq!(commands[4], info(":source", Value::Symbol("any text".into())));
    assert_eq!(commands[5], info(":x", Value::Other("(a \"b\")".into())));
    assert_eq!(commands[6], info(":flag", Value::None));
    assert_eq!(commands[7..9], [Command::GetInfo(":name".into()), Command::GetOption(":seed".into())]);
    assert_eq!(commands[9..12], [Command::Declared, Command::Declared, Command::Defined]);
    assert_eq!(commands[12..15], [Command::Push(3), Command::Pop(1), Command::CheckSat]);
    assert_eq!(commands[15..17], [Command::Echo("a \"b\"".into()), Command::GetModel]);
    assert!(matches!(&commands[17], Command::GetValue(terms) if texts(terms) == ["a", "(= a b)"]));
    assert!(matches!(&commands[18], Command::Eval(term) if &*term.text == "a"));
    assert!(
        matches!(&commands[19], Command::CheckSatAssuming(terms) if texts(terms) == ["(= a b)", "(not (= a b))"])
    );
    assert_eq!(
        commands[20..26],
        [
            Command::CheckSatAssuming(Vec::new()),
            Command::GetUnsatCore,
            Command::GetUnsatAssumptions,
            Command::GetAssertions,
            Command::GetAssignment,
            Command::GetProof,
        ]
    );
    assert_eq!(commands[26], Command::Unsupported("the command `minimize`".into()));
    assert_eq!(commands[27], Command::CheckSat);
    assert_eq!(commands[28..30], [Command::ResetAssertions, Command::Reset]);
    assert_eq!(commands[30], Command::Unsupported("the logic `QF_LIA`".into()));
    assert_eq!(commands[31..33], [Command::SetLogic("AUFLIRA".into()), Command::Declared]);
    assert!(matches!(&commands[33], Command::CheckSatAssuming(terms) if texts(terms) == ["p", "(not p)"]));
    assert_eq!(commands[34], Command::Exit);
}

#[test]
fn definitions_of_deep_parts_are_below_all_levels() {
    let mut session = Session::after("(declare-sort S 0)(declare-fun f (S) S)(declare-const a S)(push)");
    let deep = format!("{}x{}", "(f ".repeat(1_500), ")".repeat(1_500));
    session.run(&format!("(assert (forall ((x S)) (= {deep} x)))"));
    let parts = |session: &Session| session.front.assertions().iter().filter(|it| it.implicit).count();
    assert_eq!((parts(&session), session.asserted().len(), session.front.level_begin(0)), (1, 1, 1));
    assert_eq!(
        session.printed(),
        ["forall x:S. ".to_owned() + &"f(".repeat(501) + "@part1(x)" + &")".repeat(501) + " = x"]
    );
    // The same text results in the same term.
    session.run(&format!("(assert (forall ((x S)) (= {deep} x)))"));
    assert_eq!(parts(&session), 1);
    assert_eq!(session.asserted()[0], session.asserted()[1]);
    // A model does not interpret new parts.
    let (_, message, _) = session.error(&format!("(get-value ({}))", deep.replace('x', "a")));
    assert_eq!(message, "this term is nested too deep for the model to have a value for it");
    assert_eq!(parts(&session), 1);
    session.front.compact(&mut session.sig, &mut session.terms);
    assert_eq!((parts(&session), session.asserted().len(), session.front.level_begin(0)), (1, 2, 1));
    session.run(&format!("(assert (forall ((x S)) (= {deep} x)))"));
    assert_eq!(session.asserted()[0], session.asserted()[2], "names are known after that, too");
    session.run("(pop)");
    session.front.compact(&mut session.sig, &mut session.terms);
    assert_eq!(session.front.assertions().len(), 0, "nothing needs them any more");
}

#[test]
fn rejected_assertions_are_recorded_per_level() {
    let mut session = Session::after("(declare-const p Bool)");
    let lacks = |session: &mut Session, command: &str| {
        let _ = session.command(command);
        session.front.lacks_assertions()
    };
    assert!(!lacks(&mut session, "(assert p)"));
    assert!(!lacks(&mut session, "(declare-const q Int)"));
    assert!(!lacks(&mut session, "(pop)"));
    assert!(!lacks(&mut session, "(push 2)"));
    assert!(lacks(&mut session, "(assert q)"));
    assert!(lacks(&mut session, "(push)"));
    assert!(lacks(&mut session, "(pop)"));
    assert!(!lacks(&mut session, "(pop)"));
    assert!(!lacks(&mut session, "(assert-soft p)"));
    assert!(lacks(&mut session, "(assert-not p)"));
    assert!(!lacks(&mut session, "(pop)"));
    assert!(lacks(&mut session, "(push 10000000)"), "what follows is asserted at other levels");
    assert!(!lacks(&mut session, "(reset-assertions)"));
    assert!(lacks(&mut session, "(assert 1)"));
    assert!(!lacks(&mut session, "(reset)"));
}
