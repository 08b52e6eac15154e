//! The lengths of the registers of SVE, and of SME's streaming mode.
//!
//! Linux may limit a process to shorter ones than the processor has (Linux,
//! Documentation/arch/arm64/sve.rst and sme.rst, "prctl() extensions").

/// The length of this process in bits; `None` without SVE.
pub fn of_this_process() -> Option<u32> {
    const PR_SVE_GET_VL: i32 = 51;
    length_of(PR_SVE_GET_VL)
}

/// The same in streaming mode; `None` without SME.
pub fn of_streaming_mode() -> Option<u32> {
    const PR_SME_GET_VL: i32 = 64;
    length_of(PR_SME_GET_VL)
}

#[cfg(all(target_arch = "aarch64", target_os = "linux"))]
fn length_of(question: i32) -> Option<u32> {
    const LENGTH: u32 = 0xffff;
    // SAFETY: The call does not access memory of this process.
    let bytes = u32::try_from(unsafe { libc::prctl(question) }).ok()?;
    Some((bytes & LENGTH) * 8)
}

#[cfg(not(all(target_arch = "aarch64", target_os = "linux")))]
fn length_of(_: i32) -> Option<u32> {
    None
}
