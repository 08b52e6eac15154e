//! The example of the README.

use halo_core::Literal;
use halo_runtime::{Executable, Signature, host::HostFunctionExecutable};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The compiled code of `x + x`.
    let signature = Signature {
        name: "double".to_owned(),
        inputs: vec!["tensor<2xf32>".parse()?],
        outputs: vec!["tensor<2xf32>".parse()?],
        aliases: Vec::new(),
        tokens: Default::default(),
    };
    let executable = HostFunctionExecutable::new(signature, |inputs| {
        let doubled: Vec<f32> = inputs[0].as_slice::<f32>()?.iter().map(|x| x + x).collect();
        Ok(vec![Literal::from_slice(&[2], &doubled)?])
    });
    let results = executable.run(&[Literal::from_slice(&[2], &[1.5f32, 2.0])?])?;
    assert_eq!(results[0].as_slice::<f32>()?, [3.0, 4.0]);
    Ok(())
}
