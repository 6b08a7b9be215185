//! Kinds of output files, recognized by their first bytes: a file is replaced without `--force` only by one of its own kind.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use super::mark::is_written_here;

/// Number of bytes that suffice to recognize every kind.
const HEAD: u64 = 1024;

/// Magic number of compressed files.
const GZIP: &[u8] = b"\x1f\x8b";

/// A kind of output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// A picture.
    Svg,
    /// A graph for Graphviz.
    Dot,
    /// A page with a report.
    Html,
    /// A document of this program.
    Json,
    /// A log in the format SARIF.
    Sarif,
    /// The XML of JUnit.
    Junit,
    /// Workflow commands of GitHub Actions.
    Github,
    /// A report on code quality for GitLab.
    Gitlab,
    /// An execution in the Informal Trace Format.
    Itf,
    /// A certificate, compressed or not.
    Certificate,
    /// A circuit, as AIGER or VMT.
    Circuit,
    /// A propositional proof, DRAT or LRAT.
    Proof,
    /// Events of an inference, one per line.
    Log,
    /// A model that a command wrote.
    Model,
}

impl Kind {
    /// Returns the kind, in a sentence.
    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Svg => "no SVG picture",
            Kind::Dot => "no graph for Graphviz",
            Kind::Html => "no report of ramsey",
            Kind::Json => "no document of ramsey",
            Kind::Sarif => "no SARIF log",
            Kind::Junit => "no report of JUnit",
            Kind::Github => "no list of workflow commands",
            Kind::Gitlab => "no report on code quality",
            Kind::Itf => "no trace in the Informal Trace Format",
            Kind::Certificate => "no certificate",
            Kind::Circuit => "no circuit",
            Kind::Proof => "no propositional proof",
            Kind::Log => "no log of `ramsey infer`",
            Kind::Model => "no model that ramsey wrote",
        }
    }

    /// Checks whether a file that begins like this is of this kind.
    fn fits(self, head: &[u8]) -> bool {
        let head = head.trim_ascii();
        let begins = |starts: &[&str]| starts.iter().any(|start| head.starts_with(start.as_bytes()));
        let contains = |part: &str| head.windows(part.len()).any(|it| it == part.as_bytes());
        match self {
            Kind::Svg => begins(&["<svg"]) || begins(&["<?xml"]) && contains("<svg"),
            Kind::Dot => begins(&["digraph", "strict digraph", "graph"]),
            Kind::Html => {
                begins(&["<!doctype html>"]) && contains("<meta name=\"generator\" content=\"ramsey\">")
            }
            Kind::Json => begins(&["{"]) && contains("\"schema\"") && contains("\"ramsey/"),
            Kind::Sarif => begins(&["{"]) && contains("sarif-schema"),
            Kind::Junit => begins(&["<?xml"]) && contains("<testsuites"),
            Kind::Github => begins(&["::error ", "::warning ", "::notice "]) || head == b"::notice::",
            Kind::Gitlab => begins(&["["]) && (contains("\"check_name\"") || head == b"[]"),
            Kind::Itf => begins(&["{"]) && contains("\"ITF\""),
            Kind::Certificate => begins(&["ramsey-certificate "]) || head.starts_with(GZIP),
            Kind::Circuit => begins(&["aig ", "aag ", "(set-logic QF_UF)\n(declare-fun |"]),
            Kind::Proof => is_proof(head),
            Kind::Log => begins(&["{\"questions\":"]),
            Kind::Model => is_written_here(&String::from_utf8_lossy(head)),
        }
    }
}

/// Checks whether a file begins like a propositional proof, in text or binary.
fn is_proof(head: &[u8]) -> bool {
    // The binary encoding has a letter per step, and numbers in which text does not occur for long.
    let is_binary = matches!(head, [b'a' | b'd', ..]) && head.contains(&0);
    is_binary || head.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b' ' | b'd' | b'\r' | b'\n'))
}

/// Checks whether there is a file at `path` that an output of this kind must not replace. Empty files may be replaced,
/// and so may files that cannot be read: they are reported when they are written.
pub(super) fn is_other(kind: Kind, path: &Path) -> bool {
    let mut head = Vec::new();
    let read = File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    read.is_ok() && !head.is_empty() && !kind.fits(&head)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart() {
        let heads: &[(Kind, &[&[u8]])] = &[
            (Kind::Svg, &[b"<svg xmlns=", b"<?xml version=\"1.0\"?>\n<svg>"]),
            (Kind::Dot, &[b"digraph states {"]),
            (Kind::Html, &[b"<!doctype html>\n<head>\n<meta name=\"generator\" content=\"ramsey\">"]),
            (Kind::Json, &[b"{\n  \"schema\": \"ramsey/cti/1\",", b"{\"schema\":\"ramsey/infer/1\"}"]),
            (Kind::Sarif, &[b"{\n  \"$schema\": \"https://x/sarif-schema-2.1.0.json\","]),
            (Kind::Junit, &[b"<?xml version=\"1.0\"?>\n<testsuites name="]),
            (Kind::Github, &[b"::error file=a.pyv::no", b"::warning title=a::b", b"::notice title=a::b"]),
            (Kind::Gitlab, &[b"[]\n", b"[\n  {\n    \"description\": \"x\", \"check_name\": \"y\""]),
            (Kind::Itf, &[b"{\n  \"#meta\": {\n    \"format\": \"ITF\","]),
            (Kind::Certificate, &[b"ramsey-certificate 1\n", b"\x1f\x8b\x08\0"]),
            (Kind::Circuit, &[b"aag 1 0 1 0 0\n", b"aig 1", b"(set-logic QF_UF)\n(declare-fun |p| () Bool)"]),
            (Kind::Proof, &[b"1 -2 0\nd 1 2 0\n", b"a\x02\x03\0d\x05\0", b"3 0 1 2 0\n"]),
            (Kind::Log, &[b"{\"questions\":0,\"event\":\"started\"}\n"]),
        ];
        for &(kind, own) in heads {
            for &(other, texts) in heads {
                for head in texts {
                    assert_eq!(kind.fits(head), kind == other, "{kind:?}, {other:?}");
                }
            }
            assert!(!own.is_empty());
            let others: [&[u8]; 4] =
                [b"sort n\n", b"<!doctype html><p>ramsey</p>", b"{\"a\": 1}", b"\x7fELF\x02"];
            for text in others {
                assert!(!kind.fits(text), "{kind:?}: {text:?}");
            }
        }
    }
}
