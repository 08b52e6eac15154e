//! Plug-ins in shared libraries, loaded while a tool starts.
//!
//! A plug-in shares Halo with the tool: both are linked with `libhalo_shared.so`, and
//! values of Rust types go between them. That is sound if both were compiled against the
//! same Halo by the same compiler. A plug-in therefore carries the name of the
//! [`BUILD`] that it was compiled against, in a section of its file that is read before
//! any of its code runs.

use crate::Plugin;
use halo_core::panics::{self, Panic};
use halo_runtime::object_code::loaded::reason;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use object::{Object, ObjectSection};
use std::{
    ffi::CStr,
    fs, io,
    path::{Path, PathBuf},
};
use thiserror::Error;

/// The version, the compiler and the sources of this Halo. Plug-ins are loaded by the
/// build that they were compiled against.
pub const BUILD: &str = env!("HALO_BUILD");

/// The section with the name of the build, and the function that returns the plug-in;
/// `halo_shared::plugin!` makes both.
const SECTION: &str = ".halo_build";
const FUNCTION: &[u8] = b"halo_plugin";

/// Why a plug-in cannot be loaded.
#[derive(Debug, Error)]
pub enum LoadError {
    /// The file cannot be read.
    #[error("cannot load plug-in '{}': {error}", path.display())]
    Unreadable { path: PathBuf, error: io::Error },
    /// The file is no shared library.
    #[error("cannot load plug-in '{}': it is not a shared library: {error}", path.display())]
    NotALibrary { path: PathBuf, error: object::Error },
    /// The library does not say that it is a plug-in.
    #[error(
        "cannot load plug-in '{}': it is a library without `halo_shared::plugin!`",
        path.display()
    )]
    NotAPlugin { path: PathBuf },
    /// The plug-in was compiled against another build of Halo.
    #[error(
        "cannot load plug-in '{}': it was compiled against Halo {found}, and this is Halo \
         {BUILD}; compile both of the same sources",
        path.display()
    )]
    OtherBuild { path: PathBuf, found: String },
    /// The process does not have Halo as a shared library.
    #[error(
        "cannot load plug-in '{}': this tool is linked without `halo-shared`",
        path.display()
    )]
    NotShared { path: PathBuf },
    /// The loader of the system fails.
    #[error("cannot load plug-in '{}': {}", path.display(), reason(error))]
    Loader {
        path: PathBuf,
        error: libloading::Error,
    },
    /// The function of the plug-in panics.
    #[error("cannot load plug-in '{}': {panic}", path.display())]
    Panicked { path: PathBuf, panic: Panic },
}

impl Plugin {
    /// Loads the plug-in of a shared library that was compiled against this very build of
    /// Halo, and keeps the library until the process ends.
    ///
    /// # Errors
    /// If the file is no plug-in of this build, if the loader fails, or if this process is
    /// not linked with `halo-shared`.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let path = path.to_owned();
        let data = match fs::read(&path) {
            Ok(data) => data,
            Err(error) => return Err(LoadError::Unreadable { path, error }),
        };
        let section = object::File::parse(&*data).and_then(|file| {
            let section = file.section_by_name(SECTION);
            section.map(|section| section.data().map(<[u8]>::to_vec)).transpose()
        });
        match section {
            Err(error) => return Err(LoadError::NotALibrary { path, error }),
            Ok(None) => return Err(LoadError::NotAPlugin { path }),
            Ok(Some(build)) if build != BUILD.as_bytes() => {
                let found = String::from_utf8_lossy(&build).into_owned();
                return Err(LoadError::OtherBuild { path, found });
            }
            Ok(Some(_)) => (),
        }
        if !is_shared() {
            return Err(LoadError::NotShared { path });
        }
        // The loader takes a name without a folder for one to search for.
        let full = match fs::canonicalize(&path) {
            Ok(full) => full,
            Err(error) => return Err(LoadError::Unreadable { path, error }),
        };
        // SAFETY: the code that runs at loading is the plug-in's and Rust's; what unsafe
        // code it has is its own. The tool was asked to run it.
        let library = match unsafe { Library::open(Some(full), RTLD_NOW | RTLD_LOCAL) } {
            Ok(library) => library,
            Err(error) => return Err(LoadError::Loader { path, error }),
        };
        // SAFETY: `halo_shared::plugin!` defines the function with this type, and the
        // build says that types and calls are the same on both sides.
        let function = match unsafe { library.get::<fn() -> Self>(FUNCTION) } {
            Ok(function) => *function,
            Err(error) => return Err(LoadError::Loader { path, error }),
        };
        // What the plug-in returns points into the library.
        std::mem::forget(library);
        panics::catch(function).map_err(|panic| LoadError::Panicked { path, panic })
    }
}

/// Whether this code is in the shared library, and not in an executable.
fn is_shared() -> bool {
    let mut info = libc::Dl_info {
        dli_fname: std::ptr::null(),
        dli_fbase: std::ptr::null_mut(),
        dli_sname: std::ptr::null(),
        dli_saddr: std::ptr::null_mut(),
    };
    let here: fn() -> bool = is_shared;
    // SAFETY: `dladdr` looks the address up and fills `info`.
    if unsafe { libc::dladdr(here as *const libc::c_void, &raw mut info) } == 0
        || info.dli_fname.is_null()
    {
        return false;
    }
    // SAFETY: the loader's name of the object ends with a zero.
    let name = unsafe { CStr::from_ptr(info.dli_fname) }.to_bytes();
    name.rsplit(|byte| *byte == b'/')
        .next()
        .is_some_and(|name| name.starts_with(b"libhalo_shared."))
}
