//! The platform on machines with and without a driver. Tests that need a driver run only on
//! request: `make test-gpu`.

use super::*;

/// There are devices, or an error gives the reason; nothing panics.
#[test]
fn devices_or_a_reason() {
    let platform = CudaPlatform::new();
    assert_eq!(platform.name(), "cuda");
    match platform.device_count() {
        0 => {
            let error = platform.executor(0).err().unwrap().to_string();
            assert!(error.starts_with("no CUDA driver was found: "), "{error}");
            let again = CudaPlatform::device(0).err().unwrap();
            assert!(matches!(again, Error::Execution(_)));
            assert_eq!(again.to_string(), error);
        }
        count => {
            let error = platform.executor(count).err().unwrap().to_string();
            assert!(error.starts_with("there is no CUDA device "), "{error}");
        }
    }
}

mod gpu;
