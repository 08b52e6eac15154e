//! What the option `explain` of passes says: why an op stays as it is.

/// Why a pass leaves an op as it is, in words that end a remark: "is not fused into its user:
/// it is a reduction".
///
/// The function that decides returns it, so that a remark gives the reason that counted.
pub type Reason = &'static str;
