//! Tests of splitting scripts into commands, and of whole scripts.

use super::{Form, Reader, Session, file, problem, quote};
use ramsey_core::logic::Query;

fn shown(form: &Form<'_>) -> String {
    let error = form.error.as_ref().map_or(String::new(), |error| format!(" !{}", error.message));
    format!("{}:{}@{} {}{error}", form.line, form.column, form.offset, form.text)
}

/// Returns all forms of a script that arrives in pieces.
fn forms(pieces: &[&[u8]]) -> Vec<String> {
    let mut reader = Reader::new();
    let mut found = Vec::new();
    for piece in pieces {
        reader.feed(piece);
        while let Some(form) = reader.next_form() {
            found.push(shown(&form));
        }
    }
    while let Some(form) = reader.finish() {
        found.push(shown(&form));
    }
    found
}

#[test]
fn forms_do_not_depend_on_pieces() {
    let script = "(a ; ) comment \"\n (b |c ) ;|) \"x \"\" ) (\") é(d)\n\n  (e) ) f(g)h\n; end (\n(é)";
    let whole = forms(&[script.as_bytes()]);
    assert_eq!(
        whole,
        [
            "1:1@0 (a ; ) comment \"\n (b |c ) ;|) \"x \"\" ) (\")",
            "2:26@42 é !a command is expected here",
            "2:27@44 (d)",
            "4:3@51 (e)",
            "4:7@55 ) !this `)` closes nothing",
            "4:9@57 f !a command is expected here",
            "4:10@58 (g)",
            "4:13@61 h !a command is expected here",
            "6:1@71 (é)",
        ]
    );
    for size in 1..20 {
        let pieces: Vec<&[u8]> = script.as_bytes().chunks(size).collect();
        assert_eq!(forms(&pieces), whole, "pieces of {size}");
    }
}

#[test]
fn unterminated_forms_are_reported() {
    assert_eq!(forms(&[b"(a (b)"]), ["1:1@0 (a (b) !the script ends before this command does"]);
    assert_eq!(forms(&[b"(a \"b)"]), ["1:1@0 (a \"b) !a string in this command has no end"]);
    assert_eq!(forms(&[b"\n (a |b)"]), ["2:2@2 (a |b) !a quoted symbol in this command has no end"]);
    assert_eq!(forms(&[b"a"]), ["1:1@0 a !a command is expected here"]);
    assert_eq!(forms(&[b" ; no newline"]), [""; 0]);
    assert_eq!(
        forms(&[b"(a \xff\xfe) (b)"]),
        ["1:1@0 (a \u{FFFD}\u{FFFD}) !this is not UTF-8 text", "1:8@7 (b)"]
    );
}

#[test]
fn a_script_is_a_list_of_queries() {
    let text = "(set-logic UF)(declare-sort S 0)(declare-const a S)(declare-fun p (S) Bool)(declare-datatype E ((e)))
        (assert (p a))
        (check-sat)
        (push)(assert (not (p a)))
        (check-sat-assuming ((= a a)
          (p a)))
        (pop)(reset)(declare-sort S 0)(declare-const a S)(assert (= a a))(check-sat)(exit)(assert nonsense";
    let (problem, diagnostics) = problem(file(), text);
    assert_eq!(diagnostics, []);
    let problem = problem.expect("no errors");
    let shown: Vec<(usize, String)> = problem
        .queries
        .iter()
        .map(|Query { hypotheses, goal, line, .. }| {
            let print = |&term| ramsey_solver::formulas::Pretty::new(problem.syntax(), term).to_string();
            let hypotheses: Vec<String> = hypotheses.iter().map(print).collect();
            (*line, format!("{} |- {}", hypotheses.join(", "), print(goal)))
        })
        .collect();
    assert_eq!(
        shown,
        [
            (3, "forall x:E. x = e, p(a) |- false".into()),
            (5, "forall x:E. x = e, p(a), !p(a), a = a, p(a) |- false".into()),
            (7, "a = a |- false".into()),
        ]
    );
    assert_eq!(problem.sig.sorts.len(), 4, "that before and that after the reset");
}

#[test]
fn symbols_are_quoted_where_they_need_it() {
    for (name, expected) in [
        ("x", "x"),
        ("x!1", "x!1"),
        ("<=", "<="),
        ("@y.z", "@y.z"),
        ("1x", "|1x|"),
        ("", "||"),
        ("a b", "|a b|"),
        ("let", "|let|"),
        ("!", "|!|"),
        ("é", "|é|"),
        ("a;b", "|a;b|"),
    ] {
        assert_eq!(quote(name), expected);
        let mut session = Session::after(&format!("(declare-const {expected} Bool)(assert {expected})"));
        assert_eq!(session.front.symbols().next().map(|live| live.name.to_owned()).as_deref(), Some(name));
        session.run(&format!("(assert |{name}|)"));
        assert_eq!(session.asserted()[0], session.asserted()[1]);
    }
}
