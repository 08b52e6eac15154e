//! Shardings reported to the framework, as `jax.debug.inspect_array_sharding` requests.
//!
//! Such a call is `stablehlo.custom_call @InspectSharding` with a number as its configuration. The
//! framework has one function for all of them:
//!
//! ```c
//! // Called when a program is compiled, with the number and a serialized xla.OpSharding. Other
//! // values than 0 fail the compilation.
//! typedef int32_t (*HaloShardingInspector)(int64_t number, const char *sharding, uint64_t size);
//! void halo_set_sharding_inspector(HaloShardingInspector);
//! ```

use std::ffi::c_char;
use std::sync::{Mutex, PoisonError};

use halo::hlo::sharding::Tiling;

use crate::shardings;
use crate::status::{Result, Status};

/// The callback that receives the sharding of a value.
pub type HaloShardingInspector = unsafe extern "C" fn(i64, *const c_char, u64) -> i32;

static INSPECTOR: Mutex<Option<HaloShardingInspector>> = Mutex::new(None);

/// Reports the shardings of values to the framework, each with the configuration of the requesting
/// call.
///
/// # Errors
/// Returns an internal error if the framework fails.
pub fn tell(inspected: &[(String, Option<Tiling>)]) -> Result<()> {
    let inspector = *INSPECTOR.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(inspector) = inspector else {
        return Ok(());
    };
    for (key, tiling) in inspected {
        let Ok(number) = key.parse::<i64>() else {
            continue;
        };
        let sharding = shardings::serialized(tiling.as_ref());
        // SAFETY: the inspector's owner vouches that it follows the interface as long as the
        // process runs.
        let code = unsafe { inspector(number, sharding.as_ptr().cast(), sharding.len() as u64) };
        if code != 0 {
            return Err(Status::internal("the inspection of a sharding has failed"));
        }
    }
    Ok(())
}

/// Sets the callback that receives shardings.
///
/// # Safety
/// The function must follow the interface, on any thread, as long as the process compiles programs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_set_sharding_inspector(function: HaloShardingInspector) {
    *INSPECTOR.lock().unwrap_or_else(PoisonError::into_inner) = Some(function);
}
