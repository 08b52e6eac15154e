//! The length of the registers of SVE.
//!
//! Linux may give a process shorter ones than the processor has (Linux,
//! Documentation/arch/arm64/sve.rst, "prctl() extensions").

/// The length of this process in bits; none without SVE.
#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
pub fn of_this_process() -> Option<u32> {
    const PR_SVE_GET_VL: libc::c_int = 51;
    const PR_SVE_VL_LEN_MASK: u32 = 0xffff;
    // SAFETY: The call reads and writes no memory of this process.
    let bytes = u32::try_from(unsafe { libc::prctl(PR_SVE_GET_VL) }).ok()?;
    Some((bytes & PR_SVE_VL_LEN_MASK) * 8)
}

/// The length of this process in bits; none without SVE.
#[cfg(not(all(target_arch = "aarch64", target_os = "linux")))]
pub fn of_this_process() -> Option<u32> {
    None
}
