//! The extension for shardings.

use super::*;

arguments! {
    ShardingsExecutableParameterShardingsArgs = "PJRT_Shardings_PJRT_Executable_ParameterShardings_Args" {
        executable: *mut Executable,
        num_parameters: usize,
        shardings: *const *const c_char,
        sharding_sizes: *const usize,
    }
    ShardingsExecutableOutputShardingsArgs = "PJRT_Shardings_PJRT_Executable_OutputShardings_Args" {
        executable: *mut Executable,
        num_outputs: usize,
        shardings: *const *const c_char,
        sharding_sizes: *const usize,
    }
}
