//! The memory allocator of the tools: mimalloc in place of the C library's.
//!
//! MLIR and LLVM allocate each op and each pattern by itself, and free them soon: with the
//! C library's `malloc`, which grows the heap of a thread a page at a time, a compilation
//! takes a tenth longer. The functions are in the executables and not in Halo's shared
//! library, so an application that loads the library keeps the allocator that it has.
//!
//! One of the few modules with `unsafe`: it names a function to the linker.

/// Defines `malloc`, `free` and the rest for an executable and all that it loads. Where the
/// linker does not let executables define them, nothing changes.
pub fn replace_malloc() {
    // SAFETY: A null pointer may be freed.
    #[cfg(target_os = "linux")]
    unsafe {
        libmimalloc_sys::mi_free(std::ptr::null_mut());
    }
}
