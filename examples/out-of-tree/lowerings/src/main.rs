//! `vendor-run`: `halo-run` whose backend `cpu` lowers two ops in its own way.

mod saturate;
mod vendor_dot;

use halo::{Plugin, compiler::pipelines::Edits};
use std::process::ExitCode;

fn main() -> ExitCode {
    let edits = Edits::new()
        .insert_before("linalg", &vendor_dot::PASS)
        .replace("stablehlo-legalize-to-linalg", &saturate::PASS);
    let plugin = Plugin::new("vendor", env!("CARGO_PKG_VERSION"))
        .pass(&vendor_dot::PASS)
        .pass(&saturate::PASS)
        .edit("cpu", edits)
        .custom_call("vendor.dot", vendor_dot::dot);
    halo::run::main("vendor-run", plugin)
}
