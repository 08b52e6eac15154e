//! The example of the README.

const TEXT: &str = "HloModule m

ENTRY main {
  x = f32[4]{0} parameter(0)
  ROOT y = f32[4]{0} add(x, x)
}
";

fn main() -> Result<(), halo_hlo_text::ParseError> {
    let module = halo_hlo_text::parse(TEXT)?;
    assert_eq!(module.computations[module.entry].instructions.len(), 2);
    // The printed text reads back as an equal tree.
    assert_eq!(halo_hlo_text::parse(&module.to_string())?, module);

    let error = halo_hlo_text::parse(&TEXT.replace("add(x, x)", "add(x, z)")).unwrap_err();
    assert_eq!(error.message, "there is no instruction 'z' before this one");
    assert_eq!((error.line, error.column), (5, 29));
    Ok(())
}
