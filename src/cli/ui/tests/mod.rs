//! The server, by its connections.

mod client;
mod requests;
mod serving;
