//! Memory: what the process uses, what the system lets it have, and the end of a run that needs more.
//!
//! An allocation that fails ends the process where it stands. Two guards come before that. Probes end searches while
//! there is still room for a large table to double ([`is_short`]), and the answers so far are told. What asks no probe
//! (printing, say) is watched by a thread, which ends the run with a message once a quarter of that room is gone ([`watch`]).
//! Where a single allocation is larger than the room, the handler of the abort gives the exit code.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::process;
use std::sync::{Once, OnceLock};
use std::thread;
use std::time::Duration;

use super::output::print_diagnostics;
use super::signals;
use super::temporary;
use ramsey_core::base::span::Sources;
use ramsey_core::diag::{Code, Diagnostic};
use ramsey_report::{Palette, Verdict};

/// Interval between two looks of the watching thread.
const EVERY: Duration = Duration::from_millis(2);

/// Stack size of a watching thread.
pub(super) const STACK: usize = 256 << 10;

/// Size of files that take long enough to read to be worth a watching thread, in bytes.
pub(super) const LARGE_FILE: usize = 1 << 18;

/// What the system lets a process have, in bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Allowed {
    /// Address space (`ulimit -v`) or data (`ulimit -d`), whichever is smaller.
    space: Option<u64>,
    /// Memory of the control group that the process is in.
    group: Option<u64>,
}

/// Resident memory, or room for more, that a guard is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Guard {
    /// Searches end.
    Probe,
    /// The run ends.
    Thread,
}

impl Allowed {
    fn read() -> Allowed {
        let text = |path: &str| fs::read_to_string(path).unwrap_or_default();
        Allowed {
            space: space_limit(&text("/proc/self/limits")),
            group: group_limit(&text("/proc/self/cgroup"), Path::new("/sys/fs/cgroup")),
        }
    }

    /// Checks whether the process is so close to a limit that `guard` has to act.
    fn is_short(self, guard: Guard) -> bool {
        let Some(used) = resident_bytes() else { return false };
        let is_near = |limit: u64| match guard {
            Guard::Probe => used > limit - limit / 8,
            Guard::Thread => used > limit - limit / 16,
        };
        self.group.is_some_and(is_near) || self.space.is_some_and(|limit| !has(room(guard, limit, used)))
    }
}

/// Returns the room that is kept for allocations to come, of `limit` bytes of which `used` are in use.
fn room(guard: Guard, limit: u64, used: u64) -> u64 {
    // A table that doubles needs as much again as it has, and is hardly more than half of what there is.
    let room = (used / 2).max(limit / 8).min(1 << 30);
    match guard {
        Guard::Probe => room,
        Guard::Thread => room - room / 4,
    }
}

/// Checks whether so many bytes can be allocated. They are not touched, so this costs no memory.
fn has(bytes: u64) -> bool {
    let mut block: Vec<u8> = Vec::new();
    let Ok(bytes) = usize::try_from(bytes) else { return false };
    let reserved = block.try_reserve_exact(bytes).is_ok();
    // An allocation that nothing can see may be optimized away.
    black_box(&mut block);
    reserved
}

/// Returns the soft limit of address space or data in the text of `/proc/self/limits`.
fn space_limit(limits: &str) -> Option<u64> {
    let soft = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_ascii_whitespace().next()?.parse::<u64>().ok()
    };
    [soft("Max address space"), soft("Max data size")].into_iter().flatten().min()
}

/// Returns the memory limit of the control groups in the text of `/proc/self/cgroup`, of which `root` is the file system.
/// A group's limit holds for the groups in it. In a container the root itself stands for the container's group.
fn group_limit(groups: &str, root: &Path) -> Option<u64> {
    let limits = groups.lines().flat_map(|line| {
        // Version 2 has one hierarchy, whose list of controllers is empty.
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let (folder, file) = match controllers {
            "" => (root.to_owned(), "memory.max"),
            _ if controllers.split(',').any(|it| it == "memory") => {
                (root.join("memory"), "memory.limit_in_bytes")
            }
            _ => return Vec::new(),
        };
        let own = folder.join(path.trim_start_matches('/'));
        let above = own.ancestors().take_while(|it| it.starts_with(&folder));
        above.filter_map(|it| fs::read_to_string(it.join(file)).ok()?.trim().parse::<u64>().ok()).collect()
    });
    // Version 1 says the largest number of whole pages where there is no limit.
    limits.filter(|&limit| limit < 1 << 60).min()
}

/// Returns the number of threads, at most `wanted`, whose stacks of `stack` bytes leave most of the memory for the work.
pub(super) fn threads(wanted: usize, stack: usize) -> usize {
    let most = |space: u64| usize::try_from(space / 4).map_or(wanted, |space| space / stack);
    allowed().space.map_or(wanted, |space| wanted.min(most(space)))
}

fn allowed() -> Allowed {
    static ALLOWED: OnceLock<Allowed> = OnceLock::new();
    *ALLOWED.get_or_init(Allowed::read)
}

/// Checks whether the process is close to a limit that the system sets, so that searches have to end.
pub(super) fn is_short() -> bool {
    let allowed = allowed();
    allowed != Allowed::default() && allowed.is_short(Guard::Probe)
}

/// Returns what is said about answers that are missing because of the system's limit, if there is one.
pub(super) fn explanation() -> Option<String> {
    let what = limit_text(allowed())?;
    Some(format!("memory was short: {what}; where nothing else is left, `-j 1` needs the least"))
}

/// Describes the system's limit.
fn limit_text(allowed: Allowed) -> Option<String> {
    let group = allowed.group.filter(|group| allowed.space.is_none_or(|space| group < &space));
    match (allowed.space, group) {
        (_, Some(group)) => {
            Some(format!("the control group of this process may have {} MB of memory", group >> 20))
        }
        (Some(space), None) => {
            Some(format!("the system lets this process have {} MB (`ulimit -v`, `ulimit -d`)", space >> 20))
        }
        (None, None) => None,
    }
}

/// Begins to watch the system's limits, if one of them is of address space, which is found out in a moment.
pub(super) fn watch_address_space() {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    if space_limit(&limits).is_some() {
        watch();
    }
}

/// Begins to watch the system's limits, if there are any: from now on, a process that comes too close to one ends with a
/// message and the exit code of an exhausted budget.
pub(super) fn watch() {
    static WATCHED: Once = Once::new();
    WATCHED.call_once(|| {
        let allowed = allowed();
        if allowed == Allowed::default() {
            return;
        }
        signals::end_as_exhausted_on_abort();
        let watch = move || {
            while !allowed.is_short(Guard::Thread) {
                thread::sleep(EVERY);
            }
            end(out_of_memory(allowed))
        };
        // Without the thread the other guards remain.
        let _ = thread::Builder::new().name("memory".into()).stack_size(STACK).spawn(watch);
    });
}

/// Ends the process, whose budget ran out: no file is left half-written.
pub(super) fn end(error: Diagnostic) -> ! {
    let _files = temporary::remove_temporary();
    print_diagnostics(&[error], &Sources::new(), Palette::new(false));
    process::exit(Verdict::Unknown.code().into())
}

fn out_of_memory(allowed: Allowed) -> Diagnostic {
    let error = Diagnostic::error_nowhere(Code::Limit, "memory ran out before the answer".to_owned());
    let error = match limit_text(allowed) {
        Some(limit) => error.note(limit),
        None => error,
    };
    error.help("raise that limit, or set a lower one by `--memory`, where the command has it: it ends searches earlier")
}

/// Returns the resident memory of the process, or `None` if the system does not report it.
pub(super) fn resident_bytes() -> Option<u64> {
    let statm = fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = statm.split_ascii_whitespace().nth(1)?.parse().ok()?;
    pages.checked_mul(page_size())
}

/// Returns the size of a memory page.
fn page_size() -> u64 {
    static SIZE: OnceLock<u64> = OnceLock::new();
    *SIZE.get_or_init(|| {
        // AT_PAGESZ of the auxiliary vector: pairs of native words, key 6.
        let auxv = fs::read("/proc/self/auxv").unwrap_or_default();
        let (words, _) = auxv.as_chunks::<{ size_of::<usize>() }>();
        let words: Vec<u64> = words.iter().map(|&word| usize::from_ne_bytes(word) as u64).collect();
        let pair = words.chunks_exact(2).find(|pair| pair[0] == 6);
        pair.map_or(4096, |pair| pair[1]).clamp(1024, 1 << 20)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: &str = "\
Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max data size             unlimited            unlimited            bytes     
Max address space         307200000            unlimited            bytes     
";

    #[test]
    fn limits_of_address_space_are_read() {
        assert_eq!(space_limit(LIMITS), Some(307_200_000));
        assert_eq!(space_limit(&LIMITS.replace("307200000", "unlimited")), None);
        let both = LIMITS.replace("size             unlimited", "size             4096     ");
        assert_eq!(space_limit(&both), Some(4096));
        assert_eq!(space_limit(""), None);
    }

    #[test]
    fn the_smallest_limit_of_the_groups_around_counts() {
        let root = std::env::temp_dir().join(format!("ramsey-groups-{}", process::id()));
        let write = |folder: &str, file: &str, text: &str| {
            let folder = root.join(folder);
            fs::create_dir_all(&folder).expect("a folder");
            fs::write(folder.join(file), text).expect("a file");
        };
        write("a/b", "memory.max", "max\n");
        write("a", "memory.max", "5000\n");
        write("", "memory.max", "6000\n");
        write("memory/c", "memory.limit_in_bytes", "4000\n");
        write("memory", "memory.limit_in_bytes", "9223372036854771712\n");
        assert_eq!(group_limit("0::/a/b\n", &root), Some(5000));
        assert_eq!(group_limit("0::/elsewhere\n", &root), Some(6000), "in a container");
        assert_eq!(group_limit("4:cpu:/a\n", &root), None);
        assert_eq!(group_limit("4:cpu,memory:/c\n0::/a\n", &root), Some(4000));
        assert_eq!(group_limit("4:memory:/d\n", &root), None, "a number of pages stands for no limit");
        fs::remove_dir_all(&root).expect("it is there");
    }

    #[test]
    fn searches_end_before_the_run_does() {
        for (limit, used) in [(300 << 20, 1 << 20), (300 << 20, 200 << 20), (64 << 30, 40 << 30)] {
            assert!(room(Guard::Probe, limit, used) > room(Guard::Thread, limit, used));
        }
        assert!(has(1 << 20) && !has(u64::MAX / 2));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_group_is_short_before_it_is_full() {
        let used = resident_bytes().unwrap_or(0);
        assert!((100_000..100_000_000_000).contains(&used), "{used}");
        let group = |limit| Allowed { group: Some(limit), ..Allowed::default() };
        assert!(group(used / 2).is_short(Guard::Thread));
        assert!(!group(used * 4).is_short(Guard::Probe));
    }
}
