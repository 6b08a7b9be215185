//! `ramsey bmc`

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::args::ColorArgs;
use super::output::{Status, print_diagnostics, stderr_palette, stdout};
use super::sources::read_models;
use crate::base::span::Sources;
use crate::lang::pyv;
use crate::query::bmc::{Bmc, Options, Outcome, safety};
use crate::query::verify::Limits;

/// `ramsey bmc`
#[derive(Args, Debug)]
pub(super) struct BmcArgs {
    /// Models
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// Steps
    #[arg(long, default_value_t = 5)]
    pub(super) depth: u16,
    /// Raw
    #[arg(long)]
    pub(super) no_minimize: bool,
    /// Colours.
    #[command(flatten)]
    pub(super) color: ColorArgs,
}

pub(super) fn run(args: &BmcArgs) -> io::Result<Status> {
    let mut sources = Sources::new();
    let inputs = read_models(&args.paths, &mut sources);
    let palette = stderr_palette(args.color);
    let mut status = Status::Ok;
    for input in inputs {
        let (system, found) = match input.file {
            Ok(file) => pyv::load(file, &sources[file].text),
            Err(error) => (None, vec![error]),
        };
        status = status.max(Status::of_diagnostics(&found));
        if let Some(system) = system {
            let options = Options { properties: safety(&system), depth: args.depth, minimize: !args.no_minimize, seed: 0,
                clock: Some(super::limits::clock as fn() -> u64) };
            let mut bmc = Bmc::new(Arc::new(system), options);
            let mut out = stdout();
            while let Some(depth) = bmc.advance(&Limits::default()) {
                let s = depth.statistics;
                let word = match &depth.outcome { Outcome::Holds => "holds".to_owned(), Outcome::Violated(v) => format!("violated {:?}", v.counterexample.structure.sizes),
                    Outcome::Unknown(x) => format!("unknown {x}"), Outcome::InternalError(x) => x.clone() };
                writeln!(out, "{} {:?} {word} q {} r {} i {} c {} l {} t {} sat {:.3} cand {:.3} join {:.3} total {:.3}", input.name, depth.steps, s.queries, s.rounds, s.instances, s.conflicts, s.lemmas, s.terms,
                    s.sat_ns as f64/1e9, s.candidate_ns as f64/1e9, s.join_ns as f64/1e9, s.total_ns as f64/1e9)?;
                out.flush()?;
            }
        }
        print_diagnostics(&found, &sources, palette);
    }
    Ok(status)
}
