//! Kernels for NVIDIA devices.
//!
//! | pass | from | to |
//! |---|---|---|
//! | [`contractions`] | matrix products and convolutions | tiles on tensor cores, registers, warps |
//! | [`lower_bf16_mma`] | `nvgpu.mma.sync` of bf16 | `nvvm.mma.sync` |

pub mod contractions;
pub mod kernel;
pub mod lower_bf16_mma;
