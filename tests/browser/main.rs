//! Pages in a real browser: headless Chromium. Without one the tests say that they are skipped.
#![cfg(unix)]
#![allow(unreachable_pub, reason = "a test crate has no users")]

#[path = "../common/mod.rs"]
mod common;

mod access;
mod app;
mod complaints;
mod driver;
mod drives;
mod keyboard;
mod large;
mod lasting;
mod layout;
mod models;
mod pipe;
mod report;
mod requests;
mod security;
mod session;
mod shots;
mod site;
mod suggestions;
mod truth;
mod views;
