//! Judgement of who sent a request.
//!
//! Any page in the user's browser can send requests to a loopback address, and by DNS rebinding it can read the
//! answers; other users of the machine can connect as well. So a request has to name this server as its host, has to
//! come from this server's page or from no page, and has to show the token for everything but the files of the page.

use std::fmt::Write as _;
use std::hint::black_box;
use std::io;

use super::http::{Head, Refusal};

/// Number of random bytes of a token.
const TOKEN_BYTES: usize = 16;
/// Port that URLs and the header `Host` leave out.
const DEFAULT_PORT: u16 = 80;

const FOREIGN_HOST: Refusal = Refusal::new(403, "The request names another host.");
const FOREIGN_PAGE: Refusal = Refusal::new(403, "The request comes from another page.");
const NO_TOKEN: Refusal =
    Refusal::new(403, "The request lacks the token. Open the address that the command printed.");
const NO_JSON: Refusal = Refusal::new(415, "The body has to be application/json.");

/// What requests have to name: an address of the server and its token.
pub(super) struct Guard {
    hosts: [String; 2],
    token: String,
}

impl Guard {
    /// Makes a guard for a port, with a new token.
    pub(super) fn new(port: u16) -> io::Result<Guard> {
        let mut bytes = [0; TOKEN_BYTES];
        getrandom::fill(&mut bytes).map_err(io::Error::other)?;
        let token = bytes.iter().fold(String::new(), |mut token, byte| {
            let _ = write!(token, "{byte:02x}");
            token
        });
        let authority = |name: &str| match port {
            DEFAULT_PORT => name.to_owned(),
            _ => format!("{name}:{port}"),
        };
        Ok(Guard { hosts: [authority("127.0.0.1"), authority("localhost")], token })
    }

    /// Returns the address for the user. A browser never sends the part after `#`.
    pub(super) fn url(&self) -> String {
        format!("http://{}/#k={}", self.hosts[0], self.token)
    }

    /// Checks the host that a request names and the page that it comes from.
    pub(super) fn check_sender(&self, head: &Head) -> Result<(), Refusal> {
        let host = head.host.as_ref().filter(|host| self.hosts.contains(host)).ok_or(FOREIGN_HOST)?;
        let is_own = head.origin.as_ref().is_none_or(|origin| origin.strip_prefix("http://") == Some(host));
        let is_near = head.site.as_ref().is_none_or(|site| matches!(site.as_str(), "none" | "same-origin"));
        if is_own && is_near { Ok(()) } else { Err(FOREIGN_PAGE) }
    }

    /// Checks whether a request shows the token.
    pub(super) fn check_token(&self, head: &Head) -> Result<(), Refusal> {
        let given = head.token.as_deref().unwrap_or_default();
        if is_equal(given.as_bytes(), self.token.as_bytes()) { Ok(()) } else { Err(NO_TOKEN) }
    }
}

/// Checks whether a request has a body in JSON. Forms of other pages cannot have one.
pub(super) fn check_json(head: &Head) -> Result<(), Refusal> {
    let media_type = head.media_type.as_deref().unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") { Ok(()) } else { Err(NO_JSON) }
}

/// Compares in a time that depends on the lengths alone.
fn is_equal(left: &[u8], right: &[u8]) -> bool {
    let difference = left.iter().zip(right).fold(0, |bits, (left, right)| black_box(bits | (left ^ right)));
    left.len() == right.len() && difference == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_new() {
        let tokens: Vec<String> = (0..3).map(|_| Guard::new(1).expect("random bytes").token).collect();
        assert!(
            tokens.iter().all(|token| token.len() == 32 && token.bytes().all(|it| it.is_ascii_hexdigit()))
        );
        assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2] && tokens[0] != tokens[2], "{tokens:?}");
    }

    #[test]
    fn comparison_sees_every_byte() {
        let token = "0123456789abcdef";
        assert!(is_equal(token.as_bytes(), token.as_bytes()));
        for at in 0..token.len() {
            let mut other = token.as_bytes().to_vec();
            other[at] ^= 1;
            assert!(!is_equal(&other, token.as_bytes()), "{at}");
            assert!(!is_equal(&token.as_bytes()[..at], token.as_bytes()), "{at}");
            assert!(!is_equal(token.as_bytes(), &token.as_bytes()[..at]), "{at}");
        }
    }

    #[test]
    fn the_default_port_is_left_out() {
        let guard = Guard::new(80).expect("random bytes");
        assert_eq!(guard.url(), format!("http://127.0.0.1/#k={}", guard.token));
        let head = Head { host: Some("localhost".into()), ..Head::default() };
        assert_eq!(guard.check_sender(&head), Ok(()));
    }
}
