//! The permission to use the tiles of AMX.
//!
//! Their registers are 8 KB that the system has to keep for each thread, so Linux lets a process
//! use them only after it has asked (Linux, Documentation/arch/x86/xstate.rst, "Dynamic
//! features in Intel XSAVE").

/// Asks for the permission for all threads of this process. Whether the system gives it.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub fn request_permission() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_long = 18;
    // SAFETY: The call reads and writes no memory of this process.
    let result = unsafe {
        libc::syscall(
            libc::SYS_arch_prctl,
            ARCH_REQ_XCOMP_PERM,
            XFEATURE_XTILEDATA,
        )
    };
    result == 0
}

/// Asks for the permission for all threads of this process. Whether the system gives it.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
pub fn request_permission() -> bool {
    false
}
