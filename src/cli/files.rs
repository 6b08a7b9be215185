//! Atomic writing of files: an existing file is replaced only when the new one is complete. One that has several names
//! or another owner is overwritten then.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::signals;
use super::sources::format_of;
use super::temporary::temporary_files;
use ramsey_core::diag::{Code, Diagnostic};

/// Maximum number of temporary names that are tried.
const ATTEMPTS: u32 = 100;

/// Checks whether a file exists whose name is that of a model or a problem.
pub(super) fn is_input(path: &Path) -> bool {
    format_of(path).is_some() && path.is_file()
}

/// Returns the diagnostic for a file that an output must not replace.
pub(super) fn kept(path: &Path, why: &str) -> Diagnostic {
    let message = format!("`{}` stays as it is: {why}", path.display());
    Diagnostic::error_nowhere(Code::Usage, message).help("name another file for the output")
}

/// Writes a file into an existing folder. A model or a problem is not replaced.
pub(super) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), Diagnostic> {
    if is_input(path) {
        return Err(kept(path, "it is a model or a problem"));
    }
    replace(path, contents)
}

/// Replaces a file, or writes it into an existing folder.
pub(super) fn replace(path: &Path, contents: &[u8]) -> Result<(), Diagnostic> {
    let target = Target::new(path)?;
    let mut file = target.open()?;
    file.write_all(contents).map_err(|error| target.unwritable(&error))?;
    file.finish()
}

/// Creates a folder for several files, in an existing one.
pub(super) fn make_folder(path: &Path) -> Result<(), Diagnostic> {
    check_parent(path)?;
    match fs::create_dir(path) {
        Err(_) if path.is_dir() => Ok(()),
        result => result.map_err(|error| unwritable(&path.display().to_string(), &error)),
    }
}

/// Checks whether a file's parent folder exists. Missing folders are not created, since most are typing errors.
pub(super) fn check_parent(path: &Path) -> Result<(), Diagnostic> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        None => Ok(()),
        Some(folder) => {
            let what =
                format!("cannot write `{}`: there is no folder `{}`", path.display(), folder.display());
            Err(Diagnostic::error_nowhere(Code::Unreadable, what).help("make the folder first"))
        }
    }
}

/// Checks the parent folders of the requested output files, so that errors come before a search and not after it.
pub(super) fn check_parents<'a>(paths: impl IntoIterator<Item = &'a Option<PathBuf>>) -> Vec<Diagnostic> {
    paths.into_iter().flatten().filter_map(|path| check_parent(path).err()).collect()
}

/// Destination of an output file.
#[derive(Debug)]
pub(super) struct Target {
    /// Path as given by the user.
    name: String,
    /// Path with links resolved, so that the file is replaced and not the link to it.
    path: PathBuf,
    /// Permissions of the existing file.
    permissions: Option<Permissions>,
    /// Whether it is a pipe or a device, which is written to and not replaced.
    is_stream: bool,
}

impl Target {
    /// Inspects the path. Directories and read-only files are refused.
    pub(super) fn new(path: &Path) -> Result<Target, Diagnostic> {
        check_parent(path)?;
        let name = path.display().to_string();
        let known = fs::metadata(path).ok();
        if known.as_ref().is_some_and(fs::Metadata::is_dir) {
            return Err(unwritable(&name, &io::ErrorKind::IsADirectory.into()));
        }
        let is_stream = known.as_ref().is_some_and(|it| !it.is_file());
        let permissions = known.filter(fs::Metadata::is_file).map(|it| it.permissions());
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            return Err(unwritable(&name, &io::ErrorKind::PermissionDenied.into()));
        }
        let path =
            if is_stream { None } else { fs::canonicalize(path).ok() }.unwrap_or_else(|| path.to_owned());
        Ok(Target { name, path, permissions, is_stream })
    }

    /// Checks whether the target is writable, so that a read-only folder is reported before a long search. A stream is
    /// not opened, as its reader would take closing it for the end.
    pub(super) fn probe(&self) -> Result<(), Diagnostic> {
        if self.is_stream { Ok(()) } else { self.open().map(drop) }
    }

    /// Checks whether a new file, open as `file`, can take the place of the target and nothing else is lost than the old
    /// contents: no further name, no owner.
    #[cfg(unix)]
    fn is_own(&self, file: &File) -> bool {
        use std::os::unix::fs::MetadataExt as _;
        let (Ok(old), Ok(new)) = (fs::metadata(&self.path), file.metadata()) else { return true };
        old.nlink() == 1 && (old.uid(), old.gid()) == (new.uid(), new.gid())
    }

    /// Checks whether a new file can take the place of the target.
    #[cfg(not(unix))]
    fn is_own(&self, _file: &File) -> bool {
        true
    }

    fn temporary_name(&self, attempt: u32) -> PathBuf {
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".{}.{attempt}.tmp", std::process::id()));
        self.path.with_file_name(name)
    }

    /// Opens the target for writing.
    pub(super) fn open(&self) -> Result<Partial<'_>, Diagnostic> {
        let open = || {
            if self.is_stream {
                let file = File::options().write(true).open(&self.path)?;
                return Ok(Partial { target: self, file: BufWriter::new(file), temporary: None });
            }
            signals::watch();
            let mut known = temporary_files();
            // A killed process may have left a file of this name and had the same process number.
            let (temporary, file) = (0..ATTEMPTS)
                .map(|attempt| {
                    let temporary = self.temporary_name(attempt);
                    File::create_new(&temporary).map(|file| (temporary, file))
                })
                .find(|made| !made.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists))
                .unwrap_or_else(|| Err(io::ErrorKind::AlreadyExists.into()))?;
            known.push(temporary.clone());
            drop(known);
            let partial = Partial { target: self, file: BufWriter::new(file), temporary: Some(temporary) };
            if let Some(permissions) = &self.permissions {
                partial.file.get_ref().set_permissions(permissions.clone())?;
            }
            Ok(partial)
        };
        open().map_err(|error| self.unwritable(&error))
    }

    /// Returns the diagnostic for a failure to write.
    pub(super) fn unwritable(&self, error: &io::Error) -> Diagnostic {
        unwritable(&self.name, error)
    }
}

fn unwritable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Unreadable, format!("cannot write `{name}`: {error}"))
}

/// File under a temporary name beside its target, which it replaces when it is complete. Dropping it before removes it.
#[derive(Debug)]
pub(super) struct Partial<'a> {
    target: &'a Target,
    file: BufWriter<File>,
    /// `None` for a stream, and after the file is renamed.
    temporary: Option<PathBuf>,
}

impl Partial<'_> {
    /// Completes the file.
    pub(super) fn finish(mut self) -> Result<(), Diagnostic> {
        let target = self.target;
        let unwritable = |error: io::Error| target.unwritable(&error);
        self.file.flush().map_err(unwritable)?;
        let Some(temporary) = self.temporary.clone() else { return Ok(()) };
        let mut known = temporary_files();
        if target.is_own(self.file.get_ref()) {
            fs::rename(&temporary, &target.path).map_err(unwritable)?;
        } else {
            extend(&target.path, &temporary).map_err(unwritable)?;
            let written = fill(&target.path, &temporary);
            if let Err(error) = written.and_then(|()| fs::remove_file(&temporary)) {
                // It has all that was to be written, and the target may not.
                known.retain(|path| *path != temporary);
                self.temporary = None;
                let place = format!("the whole of it is in `{}`", temporary.display());
                return Err(unwritable(error).note(place));
            }
        }
        known.retain(|path| *path != temporary);
        self.temporary = None;
        Ok(())
    }
}

/// Begins to give an existing file the contents of another one, by what goes beyond its end: this takes space on the disk,
/// and if there is none the file gets its old length back and nothing has changed.
fn extend(path: &Path, from: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    source.sync_all()?;
    let mut file = File::options().write(true).open(path)?;
    let old = file.seek(SeekFrom::End(0))?;
    source.seek(SeekFrom::Start(old))?;
    let written = io::copy(&mut source, &mut file).and_then(|_| file.sync_all());
    if written.is_err() {
        file.set_len(old)?;
    }
    written
}

/// Overwrites a file by another one, which is no longer. The file keeps its names and its owner.
fn fill(path: &Path, from: &Path) -> io::Result<()> {
    let mut source = File::open(from)?;
    let mut file = File::options().write(true).open(path)?;
    let length = io::copy(&mut source, &mut file)?;
    file.set_len(length)?;
    file.sync_all()
}

impl Write for Partial<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Partial<'_> {
    fn drop(&mut self) {
        if let Some(temporary) = &self.temporary {
            let mut known = temporary_files();
            // The first error is reported, not one of the removal.
            let _ = fs::remove_file(temporary);
            known.retain(|path| path != temporary);
        }
    }
}
