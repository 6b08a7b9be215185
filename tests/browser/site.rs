//! A small server for the tests of the driver.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::thread;

/// Serves files, each a path, further headers and a text, until the tests end. Returns the port.
pub fn serve(files: &'static [(&'static str, &'static str, &'static str)]) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            // Browsers open connections in advance, so each has a thread.
            thread::spawn(move || {
                let lines = BufReader::new(&stream).lines().map_while(Result::ok);
                let head: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
                let Some(path) = head.first().and_then(|line| line.split(' ').nth(1)) else { return };
                let answer = match files.iter().find(|file| file.0 == path) {
                    Some((_, headers, text)) => {
                        let length = text.len();
                        format!(
                            "HTTP/1.1 200 OK\r\n{headers}Content-Type: text/html; charset=utf-8\r\n\
                             Content-Length: {length}\r\nConnection: close\r\n\r\n{text}"
                        )
                    }
                    None => "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".into(),
                };
                let _ = stream.write_all(answer.as_bytes());
            });
        }
    });
    port
}
