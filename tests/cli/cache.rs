//! `--cache`: the binary with folders and servers that keep answers, also such that lie.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::common::binary::{Dir, LOCK, Run, broken_lock, ramsey_binary};

/// Returns the entries of a folder.
fn entries(dir: &Dir, folder: &str) -> Vec<PathBuf> {
    let mut entries = Vec::new();
    for shard in fs::read_dir(dir.0.join(folder)).expect("a folder").flatten() {
        if shard.path().is_dir() {
            entries.extend(fs::read_dir(shard.path()).expect("a folder").flatten().map(|it| it.path()));
        }
    }
    entries.sort();
    entries
}

fn cached(dir: &Dir, model: &str) -> Run {
    dir.run(&["verify", "--stats", "--cache", "kept", model])
}

/// Returns a text without the times of JUnit.
fn without_times(text: &str) -> String {
    let mut parts = text.split(" time=\"");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('"').map_or("", |(_, rest)| rest))
}

#[test]
fn the_second_run_searches_nothing() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("bad.pyv", broken_lock());
    cached(&dir, "lock.pyv").ends_with(0).prints("answers    0 checked, 6 not there, 0 not valid; 6 kept");
    assert_eq!(entries(&dir, "kept").len(), 6);
    cached(&dir, "lock.pyv")
        .ends_with(0)
        .prints("answers    6 checked, 0 not there, 0 not valid; 0 kept")
        .prints("    queries    0\n")
        .silent_on_stderr();
    // Another file, other names, other places.
    let renamed = format!("# Locks.\n\n{}", LOCK.replace("held", "taken").replace("mutex", "exclusion"));
    dir.file("other/renamed.pyv", renamed);
    cached(&dir, "other/renamed.pyv").ends_with(0).prints("answers    6 checked, 0 not there");
    // The transition that is another one, and what fails.
    cached(&dir, "bad.pyv").ends_with(1).prints("answers    4 checked, 1 not there, 0 not valid; 1 kept");
    cached(&dir, "bad.pyv").ends_with(1).prints("answers    5 checked, 0 not there");
    for form in ["text", "json", "sarif", "junit", "github", "gitlab"] {
        let run = |more: &[&str]| {
            let mut args = vec!["verify", "--format", form, "bad.pyv", "lock.pyv"];
            args.extend(more);
            let run = dir.run(&args).ends_with(1);
            (without_times(&run.out), run.err)
        };
        // Which counterexample there is for so small a model does not depend on the search.
        assert_eq!(run(&["--cache", "kept"]), run(&["--no-cache"]), "{form}");
    }
    let document = dir.run(&["verify", "--format", "json", "--stats", "--cache", "kept", "lock.pyv"]).json();
    assert_eq!((&document["cache"]["hits"], &document["cache"]["misses"]), (&6.into(), &0.into()));
}

#[test]
fn theorems_and_configurations_have_a_cache() {
    let dir = Dir::new();
    dir.file("lock.pyv", format!("{LOCK}\ntheorem held(A) -> held(A)\n"));
    let theorem = || dir.run(&["theorem", "--stats", "--cache", "kept", "lock.pyv"]).ends_with(0);
    theorem().prints("answers    0 checked, 2 not there");
    theorem().prints("answers    2 checked, 0 not there");
    let config = "cache = \"store\"\ncache-size = \"10M\"\n[[check]]\nmodels = [\"lock.pyv\"]\n[[check]]\nmodels = [\"lock.pyv\"]\ncommand = \"theorem\"\n";
    dir.file("ramsey.toml", config);
    dir.run(&["verify", "--stats"]).ends_with(0).prints(" not there, 0 not valid");
    dir.run(&["verify", "--stats"]).ends_with(0).prints(" checked, 0 not there, 0 not valid; 0 kept");
    let count = entries(&dir, "store").len();
    assert!(count > 0);
    // Options of the command line come first, and a configuration is no configuration of a named model.
    dir.run(&["verify", "--cache", "elsewhere"]).ends_with(0);
    assert_eq!(entries(&dir, "elsewhere").len(), count);
    let none = dir.run(&["verify", "--no-cache", "--stats"]).ends_with(0);
    assert!(!none.out.contains("cache:"), "{}", none.out);
    let none = dir.run(&["verify", "--stats", "lock.pyv"]).ends_with(0);
    assert!(!none.out.contains("cache:"), "{}", none.out);
    dir.file("ramsey.toml", config.replace("10M", "10 MB"));
    dir.run(&["verify"]).ends_with(2).complains("`10 MB` is no size").complains("ramsey.toml:2:14");
    // The environment comes last.
    let run = |value: &str| {
        let output = Command::new(ramsey_binary())
            .args(["verify", "--stats", "lock.pyv"])
            .env("RAMSEY_CACHE", value)
            .current_dir(&dir.0)
            .output();
        Run::of("verify", output.expect("the binary runs")).ends_with(0)
    };
    run("elsewhere").prints(" checked, 0 not there");
    assert!(!run("").out.contains("cache:"));
}

#[test]
fn places_that_are_none_are_errors() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("file", "no folder");
    let run = |place: &str| dir.run(&["verify", "--cache", place, "lock.pyv"]).ends_with(2);
    run("file").complains("--cache: `file` cannot be the folder of a cache").complains("name a folder");
    run("file/below").complains("cannot be the folder of a cache");
    run("http://").complains("http://HOST/PATH");
    run("ftp://host/path").complains("`ftp://host/path` is neither a folder nor http");
    run("http://host/path?x=1").complains("it has no `?`");
    run("http://host/path#x").complains("no `#`");
    run("~/kept").complains("`~/kept` begins with `~`").complains("write the whole path");
    assert!(!dir.0.join("~").exists());
    if !cfg!(feature = "https") {
        run("https://user:secret@host/path")
            .complains("built without https, so `https://host/path` is no cache");
    }
    dir.run(&["verify", "--cache-size", "x", "lock.pyv"]).ends_with(2).complains("500M");
}

/// What is done to an entry, with what was in it.
type Damage<'a> = dyn Fn(&PathBuf, &[u8]) + 'a;

/// Every way in which an entry may be damaged as a file: the answer is the same, it is told, and it is replaced.
#[test]
fn damaged_files_are_told_and_replaced() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    let clean = dir.run(&["verify", "--cache", "kept", "bad.pyv"]).ends_with(1);
    let files = entries(&dir, "kept");
    let whole: Vec<Vec<u8>> = files.iter().map(|path| fs::read(path).expect("an entry")).collect();
    let damages: [(&str, &Damage<'_>); 8] = [
        ("end", &|path, entry| fs::write(path, &entry[..entry.len() / 2]).expect("written")),
        ("first line", &|path, _| fs::write(path, "").expect("written")),
        ("not UTF-8", &|path, _| fs::write(path, [0xff; 100]).expect("written")),
        ("has 17825792 bytes", &|path, _| fs::write(path, vec![0; 17 << 20]).expect("written")),
        ("not a file", &|path, _| {
            fs::remove_file(path).expect("removed");
            fs::create_dir(path).expect("a folder");
            fs::write(path.join("more"), "x").expect("written");
        }),
        ("", &|path, _| {
            fs::remove_file(path).expect("removed");
            #[cfg(unix)]
            std::os::unix::fs::symlink(path.with_extension("nowhere"), path).expect("a link");
            #[cfg(not(unix))]
            fs::write(path, "").expect("written");
        }),
        ("about another obligation", &|path, _| {
            let at = files.iter().position(|it| it == path).expect("an entry");
            fs::write(path, &whole[(at + 1) % files.len()]).expect("written");
        }),
        ("not UTF-8", &|path, entry| {
            let mut entry = entry.to_vec();
            let middle = entry.len() / 2;
            entry[middle] ^= 0x80;
            fs::write(path, entry).expect("written");
        }),
    ];
    for (reason, damage) in damages {
        files.iter().zip(&whole).for_each(|(path, entry)| damage(path, entry));
        let run = cached(&dir, "bad.pyv").ends_with(1);
        assert!(run.out.contains(&format!(" {} not valid", files.len())), "{reason}: {}", run.out);
        let told = run.err.matches("warning[R036]: the entry `kept/").count();
        assert_eq!(told, files.len(), "{reason}: {}", run.err);
        assert!(run.err.contains(reason), "{reason}: {}", run.err);
        // The same once more, by entries that are as they were.
        let again = dir.run(&["verify", "--cache", "kept", "bad.pyv"]).ends_with(1).silent_on_stderr();
        assert_eq!(again.out, clean.out);
        for (path, entry) in files.iter().zip(&whole) {
            assert_eq!(&fs::read(path).expect("an entry"), entry, "{reason}");
        }
    }
    // Warnings of a cache can be silenced, and are part of documents.
    fs::write(&files[0], "x").expect("written");
    let document = dir.run(&["verify", "--format", "json", "--cache", "kept", "bad.pyv"]).ends_with(1).json();
    assert!(document.to_string().contains("R036"), "{document}");
    fs::write(&files[0], "x").expect("written");
    dir.run(&["verify", "--allow", "R036", "--cache", "kept", "bad.pyv"]).ends_with(1).silent_on_stderr();
}

/// Whoever may write into the folder gets at no file outside of it: nothing is read, written, or deleted through a link.
#[cfg(unix)]
#[test]
fn links_lead_nowhere() {
    use std::os::unix::fs::symlink;

    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    let names = ["notes".to_owned(), "0".repeat(62)];
    let place = dir.0.join("of_others");
    fs::create_dir(&place).expect("a folder");
    let content = "x".repeat(10_000);
    names.iter().for_each(|name| fs::write(place.join(name), &content).expect("written"));
    cached(&dir, "lock.pyv").ends_with(0);
    let kept = dir.0.join("kept");
    let own = entries(&dir, "kept").len();
    let shard = entries(&dir, "kept")[0].parent().expect("a folder").to_owned();

    // A folder of entries that is elsewhere is not looked through.
    dir.file("more.pyv", LOCK.replace("N1 = N2", "N2 = N1"));
    dir.run(&["verify", "--cache", "other", "more.pyv"]).ends_with(0);
    let shards = (0..256).map(|at| format!("{at:02x}"));
    let mut free = shards.filter(|it| !dir.0.join("other").join(it).exists()).map(|it| kept.join(it));
    let free = free.find(|it| !it.exists()).expect("a name");
    symlink(&place, &free).expect("a link");
    // Nor are files deleted that are no entries.
    fs::write(shard.join("photo.png"), "x").expect("written");
    let counted = kept.join("bytes");
    fs::remove_file(&counted).expect("removed");
    symlink(place.join("notes"), &counted).expect("a link");
    dir.run(&["verify", "--cache", "kept", "--cache-size", "1", "more.pyv"]).ends_with(0).silent_on_stderr();
    for name in &names {
        assert_eq!(fs::read_to_string(place.join(name)).expect("a file"), content, "{name}");
    }
    assert!(shard.join("photo.png").exists());
    assert!(fs::symlink_metadata(&counted).expect("a file").is_file());
    fs::remove_file(&free).expect("removed");
    fs::remove_file(shard.join("photo.png")).expect("removed");
    assert!(entries(&dir, "kept").is_empty(), "there was room for no entry");

    // An entry that is elsewhere is none, also if it is valid, and another one takes its place.
    cached(&dir, "lock.pyv").ends_with(0);
    let files = entries(&dir, "kept");
    assert_eq!(files.len(), own);
    fs::rename(&files[0], place.join("entry")).expect("moved");
    symlink(place.join("entry"), &files[0]).expect("a link");
    let before = fs::read(place.join("entry")).expect("an entry");
    cached(&dir, "lock.pyv").ends_with(0).prints("1 not valid; 1 kept").complains("it is not a file");
    assert_eq!(fs::read(place.join("entry")).expect("an entry"), before);
    assert!(fs::symlink_metadata(&files[0]).expect("an entry").is_file());

    // Nothing is written into a folder that is elsewhere.
    let shard = files[0].parent().expect("a folder");
    fs::remove_dir_all(shard).expect("removed");
    symlink(&place, shard).expect("a link");
    cached(&dir, "lock.pyv")
        .ends_with(0)
        .complains("cannot be written into the cache")
        .complains("is no folder");
    assert_eq!(fs::read_dir(&place).expect("a folder").count(), 3);
}

#[test]
fn many_processes_share_a_folder() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("bad.pyv", broken_lock());
    let runs: Vec<_> = (0..8)
        .map(|at| {
            let model = if at % 2 == 0 { "lock.pyv" } else { "bad.pyv" };
            let args = ["verify", "--cache", "kept", "--cache-size", "1K", model];
            (at, dir.start(&mut Command::new(ramsey_binary()), &args))
        })
        .collect();
    for (at, child) in runs {
        let run = Run::of("verify", child.wait_with_output().expect("the binary ends"));
        run.ends_with(at % 2).silent_on_stderr();
    }
    let left: Vec<PathBuf> =
        entries(&dir, "kept").into_iter().filter(|it| it.to_string_lossy().contains(".new-")).collect();
    assert!(left.is_empty(), "{left:?}");
    cached(&dir, "lock.pyv").ends_with(0).prints(" 0 not valid");
}

#[test]
fn what_was_not_used_makes_room() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK);
    cached(&dir, "lock.pyv").ends_with(0);
    let old = SystemTime::now() - Duration::from_secs(100_000);
    let before = entries(&dir, "kept");
    let size =
        |paths: &[PathBuf]| -> u64 { paths.iter().map(|it| fs::metadata(it).map_or(0, |it| it.len())).sum() };
    for path in &before {
        fs::File::open(path).and_then(|file| file.set_modified(old)).expect("a time");
    }
    let abandoned = before[0].with_file_name(".new-1-1");
    fs::write(&abandoned, "x").expect("written");
    fs::File::open(&abandoned).and_then(|file| file.set_modified(old)).expect("a time");
    // These are used, and so they are not old any more.
    dir.run(&["verify", "--check-transition", "acquire", "--cache", "kept", "lock.pyv"]).ends_with(0);
    let is_old = |path: &&PathBuf| {
        fs::metadata(path).and_then(|it| it.modified()).expect("a time")
            < SystemTime::now() - Duration::from_secs(1000)
    };
    let unused: Vec<PathBuf> = before.iter().filter(is_old).cloned().collect();
    assert!(!unused.is_empty() && unused.len() < before.len());
    // Others are written, and there is room for as many as there were.
    let more =
        LOCK.replace("forall N. !held(N)", "forall N. held(N) -> !held(N)").replace("N1 = N2", "N2 = N1");
    dir.file("more.pyv", more);
    let most = size(&before);
    dir.run(&["verify", "--cache", "kept", "--cache-size", &most.to_string(), "more.pyv"]).ends_with(0);
    let after = entries(&dir, "kept");
    assert!(size(&after) <= most, "{} {most}", size(&after));
    assert!(!abandoned.exists());
    let kept_old = unused.iter().filter(|it| it.exists()).count();
    let kept_used = before.iter().filter(|it| it.exists()).count() - kept_old;
    assert!(kept_old == 0 || kept_used == before.len() - unused.len(), "what was used goes last");
}

/// A server for the entries of a cache.
struct Server {
    address: String,
    entries: Arc<Mutex<BTreeMap<String, Vec<u8>>>>,
    requests: Arc<Mutex<Vec<String>>>,
}

/// What a server does with requests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    Works,
    ReadOnly,
    Hangs,
    Fails,
    Lies,
    Endless,
    Closes,
}

impl Server {
    fn new(manner: Manner) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = format!("http://{}/some/cache", listener.local_addr().expect("an address"));
        let (entries, requests) = (Arc::default(), Arc::default());
        let server = Server { address, entries: Arc::clone(&entries), requests: Arc::clone(&requests) };
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (entries, requests) = (Arc::clone(&entries), Arc::clone(&requests));
                thread::spawn(move || while serve(&stream, manner, &entries, &requests).is_some() {});
            }
        });
        server
    }
}

/// Answers a request; `None` if there are no more.
fn serve(
    stream: &TcpStream,
    manner: Manner,
    entries: &Mutex<BTreeMap<String, Vec<u8>>>,
    requests: &Mutex<Vec<String>>,
) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).ok().filter(|&count| count > 0)?;
    let (mut length, mut head) = (0, String::new());
    loop {
        let mut field = String::new();
        reader.read_line(&mut field).ok()?;
        if field.trim().is_empty() {
            break;
        }
        if let Some(value) = field.to_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head.push_str(&field);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    requests.lock().expect("no panic").push(format!("{line}{head}"));
    let mut words = line.split(' ');
    let (method, path) = (words.next()?, words.next()?.to_owned());
    assert!(path.starts_with("/some/cache/") && path.len() == "/some/cache/".len() + 64, "{path}");
    let mut stream = stream;
    let mut answer = |status: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(&[head.as_bytes(), body].concat()).ok()
    };
    let mut entries = entries.lock().expect("no panic");
    match (manner, method) {
        (Manner::Hangs, _) => {
            drop(entries);
            thread::sleep(Duration::from_secs(60));
            None
        }
        (Manner::Closes, _) => None,
        (Manner::Fails, _) => answer("503 Service Unavailable", b"try again"),
        (Manner::Lies, "GET") => answer("200 OK", b"<html>proved</html>"),
        (Manner::Endless, "GET") => {
            drop(entries);
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
            while stream.write_all(&[b'x'; 1 << 16]).is_ok() {}
            None
        }
        (_, "GET") => match entries.get(&path) {
            Some(entry) => answer("200 OK", entry),
            None => answer("404 Not Found", b"nothing here"),
        },
        (Manner::ReadOnly, _) => answer("403 Forbidden", b""),
        _ => {
            entries.insert(path, body);
            answer("201 Created", b"")
        }
    }
}

#[test]
fn servers_keep_entries() {
    let dir = Dir::new();
    dir.file("lock.pyv", LOCK).file("bad.pyv", broken_lock());
    let server = Server::new(Manner::Works);
    let run =
        |model: &str| dir.run(&["verify", "--stats", "--cache", &server.address, model]).silent_on_stderr();
    run("lock.pyv").ends_with(0).prints("answers    0 checked, 6 not there, 0 not valid; 6 kept");
    run("lock.pyv").ends_with(0).prints("answers    6 checked, 0 not there, 0 not valid; 0 kept");
    run("bad.pyv").ends_with(1);
    run("bad.pyv").ends_with(1).prints("answers    5 checked, 0 not there");
    // A name and a password are sent, and not told.
    let address = server.address.replace("http://", "http://me:secret@");
    server.entries.lock().expect("no panic").values_mut().for_each(|entry| entry.truncate(20));
    let told = dir.run(&["verify", "--stats", "--cache", &address, "lock.pyv"]).ends_with(0);
    assert!(told.out.contains(" 6 not valid; 6 kept"), "{}", told.out);
    assert!(told.err.contains(&format!("the entry `{}/", server.address)), "{}", told.err);
    assert!(!told.err.contains("secret"), "{}", told.err);
    let requests = server.requests.lock().expect("no panic").clone();
    assert!(
        requests.last().is_some_and(|it| it.to_lowercase().contains("authorization: basic bwu6c2vjcmv0"))
    );
    run("lock.pyv").ends_with(0).prints("answers    6 checked");
}

/// Whatever a server does, the answers are those of a run without a cache, and take little longer.
#[test]
fn servers_that_do_not_work_cost_no_answer() {
    let dir = Dir::new();
    dir.file("bad.pyv", broken_lock());
    let clean = dir.run(&["verify", "bad.pyv"]).ends_with(1);
    let manners =
        [Manner::ReadOnly, Manner::Hangs, Manner::Fails, Manner::Lies, Manner::Endless, Manner::Closes];
    for manner in manners {
        let server = Server::new(manner);
        let start = Instant::now();
        let run = dir.run(&["verify", "--cache", &server.address, "bad.pyv"]).ends_with(1);
        assert_eq!(run.out, clean.out, "{manner:?}");
        assert!(start.elapsed() < Duration::from_secs(15), "{manner:?}");
        let (told, count) = match manner {
            Manner::ReadOnly => ("cannot be written to the cache `http://127.0.0.1", 1),
            Manner::Lies => ("is not valid: its first line is not `ramsey-cache 1`", 5),
            Manner::Endless => ("is not valid: it is too large", 5),
            _ => ("does not answer: ", 1),
        };
        assert_eq!(run.err.matches("warning[R036]").count(), count, "{manner:?}: {}", run.err);
        assert!(run.err.contains(told), "{manner:?}: {}", run.err);
    }
    // Nobody listens there any more.
    let port = TcpListener::bind("127.0.0.1:0").and_then(|it| it.local_addr()).expect("a port").port();
    let place = format!("http://127.0.0.1:{port}/");
    let run = dir.run(&["verify", "--cache", &place, "bad.pyv"]).ends_with(1);
    assert_eq!((run.out.as_str(), run.err.matches("warning[R036]").count()), (clean.out.as_str(), 1));
}
