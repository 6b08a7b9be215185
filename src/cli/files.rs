//! Writing files, as a whole or not at all: what is there stays until the new file is complete.

use std::ffi::OsString;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::signals;
use super::sources::format_of;
use super::temporary::temporary_files;
use crate::diag::{Code, Diagnostic};

/// So many temporary names are tried.
const ATTEMPTS: u32 = 100;

/// Whether a file is there that holds a model or a problem, by its name.
pub(super) fn is_input(path: &Path) -> bool {
    format_of(path).is_some() && path.is_file()
}

/// What to say of a file that an output does not replace.
pub(super) fn kept(path: &Path, why: &str) -> Diagnostic {
    let message = format!("`{}` stays as it is: {why}", path.display());
    Diagnostic::error_nowhere(Code::Usage, message).help("name another file for the output")
}

/// Writes a file, into a folder that is there. A model or a problem is not replaced.
pub(super) fn write_whole(path: &Path, contents: &[u8]) -> Result<(), Diagnostic> {
    if is_input(path) {
        return Err(kept(path, "it is a model or a problem"));
    }
    replace(path, contents)
}

/// Replaces a file, or writes it into a folder that is there.
pub(super) fn replace(path: &Path, contents: &[u8]) -> Result<(), Diagnostic> {
    let target = Target::new(path)?;
    let mut file = target.open()?;
    file.write_all(contents).map_err(|error| target.unwritable(&error))?;
    file.finish()
}

/// Makes a folder for several files, in one that is there.
pub(super) fn make_folder(path: &Path) -> Result<(), Diagnostic> {
    check_parent(path)?;
    match fs::create_dir(path) {
        Err(_) if path.is_dir() => Ok(()),
        result => result.map_err(|error| unwritable(&path.display().to_string(), &error)),
    }
}

/// Whether the folder is there that a file is to be in. Nobody asked for more than the file, and most folders that are
/// missing are mistyped.
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

/// Whether the folders are there that files are to be in, as far as they are wanted: before a search and not after it.
pub(super) fn check_parents<'a>(paths: impl IntoIterator<Item = &'a Option<PathBuf>>) -> Vec<Diagnostic> {
    paths.into_iter().flatten().filter_map(|path| check_parent(path).err()).collect()
}

/// Where a file goes.
#[derive(Debug)]
pub(super) struct Target {
    /// As the user named it.
    name: String,
    /// Without links, so that the file is replaced and not the link to it.
    path: PathBuf,
    /// Those of the file that is there.
    permissions: Option<Permissions>,
    /// A pipe or a device, which is written to and not replaced.
    is_stream: bool,
}

impl Target {
    /// Looks at what is there. A directory cannot be replaced, and a file that is read-only is not.
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

    /// Finds out whether it can be written to: hours of search are a high price for learning that a folder is
    /// read-only. Nothing is done to a stream, as its reader would take that for the end.
    pub(super) fn probe(&self) -> Result<(), Diagnostic> {
        if self.is_stream { Ok(()) } else { self.open().map(drop) }
    }

    fn temporary_name(&self, attempt: u32) -> PathBuf {
        let mut name = OsString::from(".");
        name.push(self.path.file_name().unwrap_or_default());
        name.push(format!(".{}.{attempt}.tmp", std::process::id()));
        self.path.with_file_name(name)
    }

    /// Begins to write.
    pub(super) fn open(&self) -> Result<Partial<'_>, Diagnostic> {
        let open = || {
            if self.is_stream {
                let file = File::options().write(true).open(&self.path)?;
                return Ok(Partial { target: self, file: BufWriter::new(file), temporary: None });
            }
            signals::watch();
            let mut known = temporary_files();
            // A process that was killed may have left a file of this name, and had the same number.
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

    /// What to say where writing fails.
    pub(super) fn unwritable(&self, error: &io::Error) -> Diagnostic {
        unwritable(&self.name, error)
    }
}

fn unwritable(name: &str, error: &io::Error) -> Diagnostic {
    Diagnostic::error_nowhere(Code::Unreadable, format!("cannot write `{name}`: {error}"))
}

/// A file under a temporary name beside its target, whose place it takes when it is complete. It goes away if it
/// never is.
#[derive(Debug)]
pub(super) struct Partial<'a> {
    target: &'a Target,
    file: BufWriter<File>,
    /// `None` for a stream, and once the file has its name.
    temporary: Option<PathBuf>,
}

impl Partial<'_> {
    /// The file is complete.
    pub(super) fn finish(mut self) -> Result<(), Diagnostic> {
        let written = self.file.flush().and_then(|()| match &self.temporary {
            Some(temporary) => {
                let mut known = temporary_files();
                fs::rename(temporary, &self.target.path)?;
                known.retain(|path| path != temporary);
                Ok(())
            }
            None => Ok(()),
        });
        if written.is_ok() {
            self.temporary = None;
        }
        written.map_err(|error| self.target.unwritable(&error))
    }
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
            // The error that counts is the one for which the file is not complete.
            let _ = fs::remove_file(temporary);
            known.retain(|path| path != temporary);
        }
    }
}
