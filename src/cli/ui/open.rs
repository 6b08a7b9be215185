//! The user's browser.

use std::io;
use std::process::{Command, Stdio};
use std::thread;

/// Opens an address in the browser of the desktop, without waiting for it. Calls `hint`, on any thread, if that fails.
pub(super) fn open(url: &str, hint: impl FnOnce() + Send + 'static) {
    match opener(url) {
        Some(command) => start(command, hint),
        None => hint(),
    }
}

/// Returns the command that opens an address, or `None` if there is no desktop.
fn opener(url: &str) -> Option<Command> {
    let words: &[&str] = if cfg!(windows) {
        // The first quoted word after `start` is the title of a window.
        &["cmd", "/c", "start", ""]
    } else if cfg!(target_os = "macos") {
        &["open"]
    } else {
        // Without a display a browser in the terminal would be started, in the place of this program.
        let has_display = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
        if !has_display {
            return None;
        }
        &["xdg-open"]
    };
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).arg(url);
    Some(command)
}

/// Starts a command. A thread waits for its end.
fn start(mut command: Command, hint: impl FnOnce() + Send + 'static) {
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let wait = move || {
        let ended: io::Result<_> = command.spawn().and_then(|mut child| child.wait());
        if !ended.is_ok_and(|status| status.success()) {
            hint();
        }
    };
    // Without a thread there is no browser either; the address is printed in any case.
    let _ = thread::Builder::new().name("browser".into()).spawn(wait);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::time::Duration;

    #[test]
    fn a_failure_gives_a_hint() {
        let (sender, receiver) = channel();
        start(Command::new("there is no such program"), move || {
            let _ = sender.send(());
        });
        assert_eq!(receiver.recv_timeout(Duration::from_secs(60)), Ok(()));
    }

    #[test]
    fn the_address_is_one_argument() {
        let url = "http://127.0.0.1:1/#k=0";
        if let Some(command) = opener(url) {
            assert_eq!(command.get_args().last(), Some(url.as_ref()));
        }
    }
}
