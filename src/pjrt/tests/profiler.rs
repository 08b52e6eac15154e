//! Profiles of runs, as `jax.profiler.trace` collects them.

use std::ffi::CStr;
use std::ptr::null_mut;

use crate::common::{Client, api, take_error};
use halo_pjrt::c_api::*;

/// The functions of the extension.
fn functions() -> &'static ProfilerApi {
    // SAFETY: extensions are immutable tables in a list, and one of them is for profilers.
    unsafe {
        let mut extension = api().extension_start;
        while (*extension).type_ != ExtensionType::PROFILER {
            extension = (*extension).next;
        }
        &*(*extension.cast::<ProfilerExtension>()).profiler_api
    }
}

/// Calls a function whose arguments have a profiler, and none of the size, as XLA does.
macro_rules! call {
    ($function:ident, $type:ident, $profiler:expr) => {{
        let mut arguments = $crate::common::arguments::<$type>();
        arguments.struct_size = 0;
        arguments.profiler = $profiler;
        // SAFETY: the profiler is null for `create`, and a valid one otherwise.
        let error = unsafe { functions().$function.unwrap()(&mut arguments) };
        match take_error(error.cast()) {
            None => Ok(arguments),
            Some(error) => Err(error),
        }
    }};
}

fn contains(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

const CODE: &CStr = c"module @jit_step {
  func.func @main(%x: tensor<64xf32>) -> tensor<64xf32> {
    %0 = stablehlo.sine %x : tensor<64xf32> loc(\"step.py\":12:8)
    return %0 : tensor<64xf32>
  }
}";

#[test]
fn a_profile_has_compilations_runs_and_kernels_with_their_lines() {
    let client = Client::new(1);
    let x = client.buffer(&[64], &[0.5; 64]);
    let code = CODE.to_str().unwrap();
    let executable = client.compile(code).unwrap();
    let run = || executable.run(&[&x], 1).unwrap()[0].read().unwrap();
    let before = run();

    let profiler = call!(create, ProfilerCreateArgs, null_mut()).unwrap().profiler;
    call!(start, ProfilerStartArgs, profiler).unwrap();
    let other = call!(create, ProfilerCreateArgs, null_mut()).unwrap().profiler;
    let (code, message) = call!(start, ProfilerStartArgs, other).err().unwrap();
    assert_eq!(code, ErrorCode::FAILED_PRECONDITION);
    assert_eq!(message, "another profiler is recording");
    call!(destroy, ProfilerDestroyArgs, other).unwrap();
    assert_eq!(run(), before);
    call!(stop, ProfilerStopArgs, profiler).unwrap();
    assert_eq!(run(), before);

    let data = call!(collect_data, ProfilerCollectDataArgs, profiler).unwrap();
    // SAFETY: the profile is valid as long as the profiler.
    let profile =
        unsafe { std::slice::from_raw_parts(data.buffer, data.buffer_size_in_bytes) }.to_vec();
    for text in [
        "/device:CUSTOM:Halo",
        "jit_step",
        "machine-code",
        "main_kernel_0",
        "step.py:12:8",
    ] {
        assert!(contains(&profile, text), "{text}");
    }
    // An older caller passes a buffer.
    let mut copy = vec![0u8; profile.len()];
    let mut arguments = crate::common::arguments::<ProfilerCollectDataArgs>();
    arguments.profiler = profiler;
    arguments.buffer = copy.as_mut_ptr();
    // SAFETY: the buffer has the size of the profile.
    let error = unsafe { functions().collect_data.unwrap()(&mut arguments) };
    assert_eq!(take_error(error.cast()), None);
    assert_eq!(copy, profile);
    call!(destroy, ProfilerDestroyArgs, profiler).unwrap();
}
