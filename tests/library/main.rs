//! Tests of the library, most of them against oracles: brute force, evaluation, independent checkers.

#[path = "../common/mod.rs"]
mod common;

mod alternation;
mod api_sequences;
mod certify;
mod certify_problems;
mod check;
mod check_problems;
mod circuits;
mod commands;
mod compressed;
mod corpus;
mod documents;
mod eager;
mod embedding;
mod epr;
mod examples;
mod executions;
mod explain;
mod finite_instances;
mod generalize;
mod inference;
mod instance;
mod interactive;
mod isomorphism;
mod ivy;
mod lemmas;
mod limits;
mod lints;
mod methods;
mod minimize;
mod normal_form;
mod pictures;
mod programs;
mod proofs;
mod quantifiers;
mod replay;
mod sat;
mod session;
mod simulate;
mod symbols;
mod tracked;
mod translate;
mod trusted_base;
mod vacuity;
