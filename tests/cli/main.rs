//! Tests of the binaries: output, written files, exit codes, JSON against its schema.

#[path = "../common/mod.rs"]
mod common;

mod alethe;
mod cache;
mod cached_inference;
mod checkpoint;
mod circuits;
mod closed_forms;
mod codes;
mod config;
mod cti;
mod deadlock;
mod dialect;
mod documents;
mod executions;
mod explain;
mod files;
mod included;
mod infer;
mod infer_next;
mod inferred;
mod init;
mod instance;
mod ivy;
mod limits;
mod line_ends;
mod log;
mod mc;
mod methods;
mod problems;
mod programs;
mod readme;
mod replay;
mod results;
mod rocq;
mod rocq_instances;
mod scenes;
mod show;
#[cfg(unix)]
mod signals;
mod smtlib;
mod solve;
mod states;
mod tasks;
#[cfg(target_os = "linux")]
mod terminal;
mod translate;
mod verify;
