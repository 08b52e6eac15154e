//! The example of the README.

use halo_vhlo::Version;

/// An artifact that jaxlib wrote.
const ARTIFACT: &[u8] = include_bytes!("../artifacts/manual_computation.1.15.0.bc");

fn main() -> Result<(), halo_vhlo::Error> {
    let mut module = halo_vhlo::read(ARTIFACT)?;
    assert_eq!(module.version, "1.15.0".parse()?);
    module.upgrade();
    let newest = halo_vhlo::write(&module, Version::CURRENT)?;
    assert!(halo_vhlo::is_portable_artifact(&newest));
    Ok(())
}
