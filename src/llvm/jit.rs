//! Loading of an object file into this process, by LLVM's ORC.
//!
//! Uses `unsafe`: inkwell has no bindings for ORC's object layer, and C++ creates a JIT without a
//! compiler.

use crate::perf;
use halo_runtime::Error;
use inkwell::llvm_sys::{core, error, orc2, orc2::lljit, prelude::LLVMMemoryBufferRef};
use object::Object as _;
use std::{
    ffi::{CStr, CString},
    ptr,
    sync::{Mutex, PoisonError},
};

unsafe extern "C" {
    fn haloCreateObjectLinker(
        tells_debuggers: bool,
        jit: *mut lljit::LLVMOrcLLJITRef,
    ) -> error::LLVMErrorRef;
}

/// Object files in memory, linked and ready to run. The code lives as long as this does.
pub struct LoadedObject {
    jit: orc2::lljit::LLVMOrcLLJITRef,
    /// The output for `perf`, and the objects that are still to be reported.
    perf: Option<perf::Output>,
    untold: Mutex<Vec<Vec<u8>>>,
}

// SAFETY: ORC's sessions may be used from any thread; nothing is changed after loading.
unsafe impl Send for LoadedObject {}
// SAFETY: As above.
unsafe impl Sync for LoadedObject {}

impl LoadedObject {
    /// Links object files with each other, against the symbols of this process, and functions that
    /// are given by name and address. Objects with line tables are registered with debuggers.
    ///
    /// # Errors
    /// Returns an internal error if LLVM cannot read an object.
    pub fn load<'a>(
        objects: impl IntoIterator<Item = &'a [u8]>,
        functions: &[(&CStr, usize)],
    ) -> Result<Self, Error> {
        let objects: Vec<&[u8]> = objects.into_iter().collect();
        let perf = perf::Output::wanted()?;
        let has_lines = objects.iter().any(|object| has_line_table(object));
        let mut jit = ptr::null_mut();
        // SAFETY: The JIT is owned by `loaded` from here on.
        check(unsafe { haloCreateObjectLinker(has_lines, &mut jit) })?;
        let loaded = Self {
            jit,
            perf,
            untold: Mutex::new(match perf {
                Some(_) => objects.iter().map(|object| object.to_vec()).collect(),
                None => Vec::new(),
            }),
        };
        // SAFETY: The JIT is valid. The library belongs to it.
        let library = unsafe { lljit::LLVMOrcLLJITGetMainJITDylib(jit) };
        super::support::define(jit, library, functions)?;
        for object in objects {
            // SAFETY: The bytes are copied into a buffer that the JIT takes over.
            unsafe {
                let copy: LLVMMemoryBufferRef = core::LLVMCreateMemoryBufferWithMemoryRangeCopy(
                    object.as_ptr().cast(),
                    object.len(),
                    c"object".as_ptr(),
                );
                check(lljit::LLVMOrcLLJITAddObjectFile(jit, library, copy))?;
            }
        }
        Ok(loaded)
    }

    /// Reports the functions of new objects to `perf`.
    fn tell_perf(&self) -> Result<(), Error> {
        let Some(perf) = self.perf else {
            return Ok(());
        };
        let mut untold = self.untold.lock().unwrap_or_else(PoisonError::into_inner);
        let find = |name: &str| self.find(name).ok().map(|address| address as u64);
        for object in std::mem::take(&mut *untold) {
            // SAFETY: The functions of the object were linked into this process, and live as long
            // as this value.
            unsafe { perf.add(&object, find)? };
        }
        Ok(())
    }

    /// The address of a function. The first call links the objects, and reports their functions to
    /// `perf` if requested ([`perf`]).
    ///
    /// # Errors
    /// Returns an internal error if they cannot be linked, or the function does not exist; an
    /// execution error if the report to `perf` fails.
    pub fn address(&self, name: &str) -> Result<usize, Error> {
        let address = self.find(name)?;
        self.tell_perf()?;
        Ok(address)
    }

    fn find(&self, name: &str) -> Result<usize, Error> {
        let symbol = CString::new(name)
            .map_err(|_| Error::internal(format!("a function is named '{name:?}'")))?;
        let mut address = 0;
        // SAFETY: The JIT is valid and the name NUL-terminated.
        check(unsafe { lljit::LLVMOrcLLJITLookup(self.jit, &mut address, symbol.as_ptr()) })?;
        usize::try_from(address).map_err(|_| Error::internal("an address is too wide"))
    }
}

impl Drop for LoadedObject {
    fn drop(&mut self) {
        // SAFETY: The JIT is valid and not used again. A failure to clean up is
        // not reported.
        unsafe {
            let failure = lljit::LLVMOrcDisposeLLJIT(self.jit);
            if !failure.is_null() {
                error::LLVMConsumeError(failure);
            }
        }
    }
}

/// Returns true if an object has a line table.
fn has_line_table(object: &[u8]) -> bool {
    let file = object::File::parse(object);
    file.is_ok_and(|file| file.section_by_name(".debug_line").is_some())
}

/// Converts an error of LLVM to one of Halo.
pub(super) fn check(failure: error::LLVMErrorRef) -> Result<(), Error> {
    if failure.is_null() {
        return Ok(());
    }
    // SAFETY: The error is not null; taking its message consumes it, and the
    // message is freed after it is copied.
    unsafe {
        let message = error::LLVMGetErrorMessage(failure);
        let text = CStr::from_ptr(message).to_string_lossy().into_owned();
        error::LLVMDisposeErrorMessage(message);
        Err(Error::internal(format!("linking failed: {text}")))
    }
}
