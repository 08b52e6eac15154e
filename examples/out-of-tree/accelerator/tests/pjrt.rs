//! The plug-in through PJRT's interface, as JAX uses it.

#[allow(dead_code)]
#[path = "../../../../src/pjrt/tests/common/mod.rs"]
mod common;

use accelerator as _;
use common::{Client, call, text};
use halo_pjrt::c_api::ClientPlatformNameArgs;

/// A product, which is the machine's, and a comparison and a selection, which are the host's.
const LAYER: &str = "func.func @main(%x: tensor<1x3xf32>, %w: tensor<3x2xf32>) -> tensor<1x2xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<1x2xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0]
    : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  %1 = stablehlo.compare GT, %0, %zero : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<1x2xi1>
  %2 = stablehlo.select %1, %0, %zero : tensor<1x2xi1>, tensor<1x2xf32>
  return %2 : tensor<1x2xf32>
}";

#[test]
fn a_framework_runs_programs_on_the_accelerator() {
    let client = Client::of_backend("tiles", 1).unwrap();
    let name = call!(client_platform_name, ClientPlatformNameArgs, |arguments| {
        arguments.client = client.0;
    });
    // SAFETY: the client has the text.
    let name = unsafe { text(name.platform_name, name.platform_name_size) };
    assert_eq!(name, "accelerator");
    let executable = client.compile(LAYER).unwrap();
    let x = client.buffer(&[1, 3], &[1.0, 2.0, 3.0]);
    let w = client.buffer(&[3, 2], &[1.0, -1.0, 1.0, -1.0, 1.0, 0.0]);
    let results = executable.run(&[&x, &w], 1).unwrap();
    assert_eq!(results[0].read().unwrap(), [6.0, 0.0]);
}
