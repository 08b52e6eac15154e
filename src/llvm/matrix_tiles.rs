//! The permission to use the tiles of AMX.
//!
//! Their registers are 8 KB that the system has to keep for each thread, so a Linux process must
//! request permission to use them (Linux, Documentation/arch/x86/xstate.rst, "Dynamic features in
//! Intel XSAVE").

/// Requests the permission for all threads of this process. Returns true if the system grants it.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
pub fn request_permission() -> bool {
    const ARCH_REQ_XCOMP_PERM: libc::c_long = 0x1023;
    const XFEATURE_XTILEDATA: libc::c_long = 18;
    // SAFETY: The call does not access memory of this process.
    let result = unsafe {
        libc::syscall(
            libc::SYS_arch_prctl,
            ARCH_REQ_XCOMP_PERM,
            XFEATURE_XTILEDATA,
        )
    };
    result == 0
}

/// Requests the permission for all threads of this process. Returns true if the system grants it.
#[cfg(not(all(target_arch = "x86_64", target_os = "linux")))]
pub fn request_permission() -> bool {
    false
}
