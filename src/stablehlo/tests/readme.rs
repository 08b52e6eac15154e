//! The example of the README.

use halo_stablehlo::{Builder, ElementType::F32, Error, Type, Version};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(F32, [8, 16]));
    let w = b.parameter(Type::tensor(F32, [16, 32]));
    let h = x.matmul(w).maximum(0.0);
    let e = (h - h.reduce_max([1]).broadcast_like(h, [0])).exponential();
    let softmax = e / e.reduce_sum([1]).broadcast_like(e, [0]);

    let program = b.build(softmax)?;
    let text = program.to_text()?;
    assert!(text.contains("stablehlo.exponential"));
    let artifact = program.to_artifact(Version::new(1, 0))?;
    assert!(artifact.starts_with(b"ML\xefR"));

    // The first error is kept, with the call that made it.
    let error: Error = b.build(x.matmul(x).tanh()).unwrap_err();
    assert!(error.to_string().ends_with(
        "'stablehlo.dot_general' dimension 0 of operand 1 has size 8, but dimension 1 of operand 0 \
         has size 16"
    ));
    Ok(())
}
