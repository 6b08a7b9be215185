//! One request of HTTP/1.1, read with limits.
//!
//! A connection carries one request, so nothing after it is read. What different readers could take for different
//! requests is refused: a repeated header that counts, `Transfer-Encoding`, and lengths that are not plain numbers.

use std::io::{self, Read};

/// Maximum number of bytes from the request line to the empty line.
pub(super) const MAX_HEAD: usize = 64 << 10;
/// Maximum number of bytes of a body.
pub(super) const MAX_BODY: usize = 1 << 20;
/// Maximum number of header lines.
const MAX_HEADERS: usize = 64;
/// Number of bytes per reading of a head.
const CHUNK: usize = 4 << 10;
/// What ends a head.
const END: &[u8] = b"\r\n\r\n";

/// Answer to a request that is not carried out: a status and a sentence for the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Refusal {
    pub(super) status: u16,
    pub(super) why: &'static str,
}

impl Refusal {
    pub(super) const fn new(status: u16, why: &'static str) -> Refusal {
        Refusal { status, why }
    }
}

const MALFORMED: Refusal = Refusal::new(400, "This is not a request of HTTP/1.1.");
const CUT: Refusal = Refusal::new(400, "The request ends early.");
const REPEATED: Refusal = Refusal::new(400, "A header that may occur once is repeated.");
const ENCODED: Refusal = Refusal::new(400, "Transfer encodings are not supported.");
const LENGTH: Refusal = Refusal::new(400, "The length of the body is not a number.");
const NOT_TEXT: Refusal = Refusal::new(400, "The request is not UTF-8.");
const SLOW: Refusal = Refusal::new(408, "The request took too long.");
const LONG_BODY: Refusal = Refusal::new(413, "The body is longer than 1 MiB.");
const LONG_HEAD: Refusal = Refusal::new(431, "The head of the request is too long.");

/// Head of a request, with the headers that count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) method: String,
    /// Target up to the first `?`.
    pub(super) path: String,
    /// Target after the first `?`.
    pub(super) query: Option<String>,
    pub(super) host: Option<String>,
    pub(super) origin: Option<String>,
    /// `Sec-Fetch-Site`.
    pub(super) site: Option<String>,
    /// `X-Ramsey-Token`.
    pub(super) token: Option<String>,
    /// `Content-Type`.
    pub(super) media_type: Option<String>,
    /// Length of the body.
    pub(super) length: usize,
}

/// Reads a request. `admit` judges its head before the body is read.
///
/// Returns what `admit` returns together with the body, or `None` if the client left without a word.
pub(super) fn read<T>(
    mut stream: impl Read,
    admit: impl FnOnce(&Head) -> Result<T, Refusal>,
) -> Result<Option<(T, String)>, Refusal> {
    let mut bytes = Vec::new();
    let Some(end) = read_head(&mut stream, &mut bytes)? else { return Ok(None) };
    let head = parse(&bytes[..end])?;
    let admitted = admit(&head)?;
    let mut body = bytes.split_off(end);
    body.truncate(head.length);
    let missing = head.length - body.len();
    stream.take(missing as u64).read_to_end(&mut body).map_err(|error| interrupted(&error))?;
    if body.len() < head.length {
        return Err(CUT);
    }
    let body = String::from_utf8(body).map_err(|_| NOT_TEXT)?;
    Ok(Some((admitted, body)))
}

/// Reads until a head is complete. Returns its length, or `None` if nothing comes.
fn read_head(stream: &mut impl Read, bytes: &mut Vec<u8>) -> Result<Option<usize>, Refusal> {
    let mut chunk = [0; CHUNK];
    loop {
        let count = match stream.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            // Browsers open connections in advance.
            Err(_) if bytes.is_empty() => return Ok(None),
            Err(error) => return Err(interrupted(&error)),
        };
        if count == 0 {
            return if bytes.is_empty() { Ok(None) } else { Err(CUT) };
        }
        // The end may have begun in what came before.
        let from = bytes.len().saturating_sub(END.len() - 1);
        bytes.extend_from_slice(&chunk[..count]);
        if let Some(at) = bytes[from..].windows(END.len()).position(|window| window == END) {
            let end = from + at + END.len();
            return if end <= MAX_HEAD { Ok(Some(end)) } else { Err(LONG_HEAD) };
        }
        if bytes.len() >= MAX_HEAD {
            return Err(LONG_HEAD);
        }
    }
}

/// Returns the answer to a request that an error of the connection ends.
fn interrupted(error: &io::Error) -> Refusal {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => SLOW,
        _ => CUT,
    }
}

/// Parses a complete head.
fn parse(bytes: &[u8]) -> Result<Head, Refusal> {
    // The parser takes a line feed alone for a line end as well, and an empty line as the end of a head.
    let is_alone = |pair: &[u8]| pair[1] == b'\n' && pair[0] != b'\r';
    if bytes.starts_with(b"\n") || bytes.windows(2).any(is_alone) {
        return Err(MALFORMED);
    }
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    match request.parse(bytes) {
        Ok(httparse::Status::Complete(end)) if end == bytes.len() => {}
        Err(httparse::Error::TooManyHeaders) => return Err(LONG_HEAD),
        _ => return Err(MALFORMED),
    }
    let (Some(method), Some(target)) = (request.method, request.path) else { return Err(MALFORMED) };
    let (path, query) = match target.split_once('?') {
        Some((path, query)) => (path, Some(query.to_owned())),
        None => (target, None),
    };
    let mut head = Head { method: method.to_owned(), path: path.to_owned(), query, ..Head::default() };
    let mut length = None;
    for header in request.headers.iter() {
        let field = match header.name.to_ascii_lowercase().as_str() {
            "host" => &mut head.host,
            "origin" => &mut head.origin,
            "sec-fetch-site" => &mut head.site,
            "x-ramsey-token" => &mut head.token,
            "content-type" => &mut head.media_type,
            "content-length" => &mut length,
            "transfer-encoding" => return Err(ENCODED),
            _ => continue,
        };
        let value = str::from_utf8(header.value).map_err(|_| NOT_TEXT)?;
        if field.replace(value.to_owned()).is_some() {
            return Err(REPEATED);
        }
    }
    if let Some(digits) = length {
        head.length = body_length(&digits)?;
    }
    Ok(head)
}

/// Reads the length of a body, which is nothing but digits.
fn body_length(digits: &str) -> Result<usize, Refusal> {
    if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
        return Err(LENGTH);
    }
    // A number that does not fit is too long in any case.
    digits.parse().ok().filter(|&length| length <= MAX_BODY).ok_or(LONG_BODY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bytes that come in pieces, as from a network.
    struct Pieces<'a> {
        bytes: &'a [u8],
        sizes: std::iter::Cycle<std::slice::Iter<'a, usize>>,
    }

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let size = self.sizes.next().map_or(1, |&size| size.min(buffer.len()));
            self.bytes.read(&mut buffer[..size])
        }
    }

    fn read_all(bytes: &[u8], sizes: &[usize]) -> Result<Option<(Head, String)>, Refusal> {
        read(Pieces { bytes, sizes: sizes.iter().cycle() }, |head| Ok(head.clone()))
    }

    /// Lines of heads, of which some count and some are wrong.
    const LINES: [&str; 14] = [
        "Host: 127.0.0.1:80\r\n",
        "Content-Length: 3\r\n",
        "content-length: 3\r\n",
        "Content-Length: +3\r\n",
        "Content-Length: 3, 3\r\n",
        "Content-Length: 99999999999999999999999\r\n",
        "Transfer-Encoding: chunked\r\n",
        "X: y\n",
        "X : y\r\n",
        " folded\r\n",
        "X-Ramsey-Token: \u{e9}\r\n",
        "no colon\r\n",
        "Origin: null\r\n",
        "\n",
    ];

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

        #[test]
        fn any_bytes_are_read_or_refused(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            sizes in prop::collection::vec(1_usize..9, 1..5),
        ) {
            let whole = read_all(&bytes, &[usize::MAX]);
            prop_assert_eq!(read_all(&bytes, &sizes), whole);
        }

        #[test]
        fn damaged_requests_are_read_or_refused_however_they_come(
            lines in prop::collection::vec(prop::sample::select(&LINES[..]), 0..5),
            damage in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
            cut in prop::option::of(any::<prop::sample::Index>()),
            sizes in prop::collection::vec(1_usize..40, 1..5),
        ) {
            let mut bytes = format!("POST /a?b HTTP/1.1\r\n{}\r\nabcdef", lines.concat()).into_bytes();
            if let Some((at, byte)) = damage {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
            if let Some(at) = cut {
                bytes.truncate(at.index(bytes.len()));
            }
            let whole = read_all(&bytes, &[usize::MAX]);
            prop_assert_eq!(&read_all(&bytes, &sizes), &whole);
            if let Ok(Some((head, body))) = whole {
                prop_assert_eq!(head.length, body.len());
            }
        }

        #[test]
        fn heads_with_one_meaning_are_read(
            lines in prop::collection::vec(prop::sample::select(&LINES[..]), 0..4),
        ) {
            let text = format!("POST /a?b HTTP/1.1\r\n{}\r\nabcdef", lines.concat());
            let count = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
            let lengths = count("ength: 3\r");
            let wrong = ["+3", "3, 3", "999", "Transfer", "X: y", "X :", "folded", "no colon"];
            let is_wrong = wrong.iter().any(|part| count(part) > 0)
                || lines.contains(&"\n")
                || [lengths, count("Host"), count("Origin"), count("Token")].iter().any(|&it| it > 1);
            let answer = read_all(text.as_bytes(), &[usize::MAX]);
            if is_wrong {
                prop_assert!(answer.is_err(), "{text}");
            } else {
                let (head, body) = answer.expect(&text).expect("a request");
                prop_assert_eq!((head.path.as_str(), head.query.as_deref()), ("/a", Some("b")));
                prop_assert_eq!(body, &"abc"[..3 * lengths]);
            }
        }
    }

    #[test]
    fn lengths_are_limited() {
        let status = |text: &str| read_all(text.as_bytes(), &[usize::MAX]).map_err(|refusal| refusal.status);
        let long = "x".repeat(MAX_HEAD);
        assert_eq!(status(&format!("GET /{long} HTTP/1.1\r\n\r\n")), Err(431));
        assert_eq!(status(&format!("GET / HTTP/1.1\r\nX: {long}\r\n\r\n")), Err(431));
        assert_eq!(
            status(&format!("GET / HTTP/1.1\r\n{}\r\n", "X: y\r\n".repeat(MAX_HEADERS + 1))),
            Err(431)
        );
        assert_eq!(status(&long), Err(431), "without any end");
        let post =
            |length| format!("POST / HTTP/1.1\r\nContent-Length: {length}\r\n\r\n{}", "x".repeat(length));
        assert_eq!(status(&post(MAX_BODY + 1)), Err(413));
        let (_, body) = status(&post(MAX_BODY)).expect("short enough").expect("a request");
        assert_eq!(body.len(), MAX_BODY);
    }
}
