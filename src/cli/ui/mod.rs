//! `ramsey ui`: a server for one person, on the loopback address.
//!
//! `server` accepts connections and has the table of routes; `http` reads a request, `guard` judges who sent it,
//! `assets` has the files of the page, and `open` starts a browser.

mod assets;
mod guard;
mod http;
#[expect(dead_code, reason = "the command `ui` is not there yet")]
mod open;
#[cfg_attr(not(test), expect(dead_code, reason = "the command `ui` is not there yet"))]
mod server;
#[cfg(test)]
mod tests;
