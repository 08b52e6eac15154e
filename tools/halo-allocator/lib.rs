//! The memory allocator of the tools: mimalloc instead of the C library's.
//!
//! MLIR and LLVM allocate each op and each pattern separately, and free them soon: with the C
//! library's `malloc`, which grows the heap of a thread page by page, a compilation takes a tenth
//! longer. The functions are in the executables and not in Halo's shared library, so an application
//! that loads the library keeps its allocator.
//!
//! One of the few modules with `unsafe`: it exports a symbol to the linker.

/// Defines `malloc`, `free` and the other functions for an executable and all libraries that it
/// loads. If the linker does not let executables define them, nothing changes.
pub fn replace_malloc() {
    // SAFETY: A null pointer may be freed.
    #[cfg(target_os = "linux")]
    unsafe {
        libmimalloc_sys::mi_free(std::ptr::null_mut());
    }
}
