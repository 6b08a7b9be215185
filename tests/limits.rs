//! Formulas whose normal forms, clauses or values would be exponentially larger than themselves: the answer is right, or
//! that a limit was reached, and it comes soon.

mod common;

use std::fmt::Write as _;
use std::sync::Arc;

use common::rng_structures::random_structure;
use ramsey::base::budget::Exhausted;
use ramsey::base::ids::Id as _;
use ramsey::base::rng::Rng;
use ramsey::base::span::FileId;
use ramsey::lang::{pyv, rml};
use ramsey::logic::{Evaluator, Nnf, Structure};
use ramsey::query::{Limits, Options, Outcome, Plan, bmc};
use ramsey::system::System;
use ramsey::vc::Property;
