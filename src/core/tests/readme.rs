//! The example of the README.

use halo_core::{Literal, Rule, compare};

fn main() -> halo_core::Result<()> {
    let read = Literal::parse("dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>", None)?;
    let made = Literal::from_slice(&[2, 2], &[1.0f32, 2.0, 3.0, 4.0])?;
    assert_eq!(read.as_slice::<f32>()?, made.as_slice::<f32>()?);
    assert!(compare(&read, &made, Rule::EXACT)?.passed());
    Ok(())
}
