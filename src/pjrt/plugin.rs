//! The functions that concern the whole plug-in.

use std::sync::LazyLock;

use halo::vhlo::Version;

use crate::c_api;
use crate::handle::set_slice;
use crate::named_value::{NamedValues, Value};
use crate::status::Result;

/// The supported versions of StableHLO: frameworks write the newest one that both sides support.
static ATTRIBUTES: LazyLock<NamedValues> = LazyLock::new(|| {
    let version = |version: Version| {
        let parts = [version.major, version.minor, version.patch];
        Value::Integers(parts.map(i64::from).to_vec())
    };
    NamedValues::new(vec![
        ("stablehlo_current_version", version(Version::CURRENT)),
        ("stablehlo_minimum_version", version(Version::MINIMUM)),
    ])
});

pub unsafe fn initialize(_: &mut c_api::PluginInitializeArgs) -> Result<()> {
    Ok(())
}

pub unsafe fn attributes(arguments: &mut c_api::PluginAttributesArgs) -> Result<()> {
    let (values, count) = (&mut arguments.attributes, &mut arguments.num_attributes);
    set_slice(ATTRIBUTES.as_raw(), values, count);
    Ok(())
}
