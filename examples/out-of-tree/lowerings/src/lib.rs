//! A vendor's dialect, library and lowerings, as a plug-in.

mod vendor_dialect;
mod vendor_dot;
mod vendor_to_linalg;

use halo::{Plugin, compiler::pipelines::Edits};

/// What the vendor adds to Halo.
pub fn plugin() -> Plugin {
    let edits = Edits::new()
        .insert_before("linalg", &vendor_dot::PASS)
        .replace("stablehlo-legalize-to-linalg", &vendor_to_linalg::PASS);
    Plugin::new("vendor", env!("CARGO_PKG_VERSION"))
        .dialect(&vendor_dialect::VENDOR)
        .evaluation("vendor.saturating_add", vendor_dialect::evaluate)
        .custom_call("vendor.dot", vendor_dot::dot)
        .edit("cpu", edits)
}

halo_shared::plugin!(plugin);
