//! The texts of a program, read by the compilers of C and Rust.

use super::*;
use halo_runtime::{Alias, host::abi};

fn code() -> ObjectCode {
    let shapes = |texts: &[&str]| texts.iter().map(|text| text.parse().unwrap()).collect();
    let names = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let mut call = CustomCallSite::new(
        "app.\"twice\"?",
        vec!["tensor<2xf32>".parse().unwrap()],
        vec!["tensor<2xf32>".parse().unwrap()],
    );
    call.backend_config = "a \\ b\n".to_owned();
    ObjectCode {
        name: "sum".to_owned(),
        signature: Signature {
            name: "main".to_owned(),
            inputs: shapes(&["tensor<2x3xf32>", "tensor<4xbf16>", "tensor<i1>"]),
            outputs: shapes(&["tensor<2x3xf32>", "tensor<2xcomplex<f64>>"]),
            aliases: vec![Alias {
                input: 0,
                output: 0,
            }],
            ..Signature::default()
        },
        input_names: names(&["x", "Weights", "flag"]),
        output_names: names(&["output0", "output1"]),
        target: "x86_64-unknown-linux-gnu".to_owned(),
        size_checks: None,
        size_elements: Vec::new(),
        arena_varies: false,
        arena_size: 128,
        custom_calls: vec![call],
        constants: None,
        form: CodeForm::Object,
        code: Vec::new(),
    }
}

#[test]
fn headers_declare_what_a_run_takes() {
    let header = code().c_header().unwrap();
    for line in [
        "#define SUM_INPUTS 3",
        "#define SUM_INPUT_WEIGHTS 1",
        "#define SUM_X_SIZE 24",
        "#define SUM_ARENA_SIZE 128",
        "  {\"x\", \"tensor<2x3xf32>\", 24},",
        r#"  {"app.\"twice\"\077", "tensor<2xf32>", "tensor<2xf32>","#,
        r#"   "a \\ b\012"},"#,
        "  const float *x; /* float[2][3], tensor<2x3xf32> */",
        "  const uint16_t *Weights; /* uint16_t[4], tensor<4xbf16> */",
        "  const uint8_t *flag; /* uint8_t, tensor<i1> */",
        "  double *output1; /* double[2][2], tensor<2xcomplex<f64>> */",
        "int32_t sum_entry(const halo_context *context, uint8_t *const *buffers);",
    ] {
        assert!(header.contains(line), "{line}\n{header}");
    }
}

#[test]
fn modules_declare_what_a_run_takes() {
    let module = code().rust_module().unwrap();
    for line in [
        "    pub x: &'a Aligned<[[f32; 3]; 2]>,",
        "    pub Weights: &'a Aligned<[u16; 4]>,",
        "    pub flag: &'a Aligned<u8>,",
        "    pub output1: &'a mut Aligned<[[f64; 2]; 2]>,",
        "pub const ARENA_SIZE: usize = 128;",
        "    fn sum_entry(context: *const interface::Context, buffers: *const *mut u8) -> i32;",
    ] {
        assert!(module.contains(line), "{line}\n{module}");
    }
}

/// The header of the file of such constants, in the syntax of both languages.
fn start_of(file: &ExternalConstants) -> String {
    let start: Vec<String> = file.start().iter().map(u8::to_string).collect();
    start.join(", ")
}

#[test]
fn constants_in_a_file_are_given_to_a_run() {
    let mut code = code();
    assert!(!code.c_header().unwrap().contains("sum_map_constants"));
    assert!(!code.rust_module().unwrap().contains("Constants"));
    let file = ExternalConstants::new(&[1; 256], &code.signature);
    let start = start_of(&file);
    code.constants = Some(file);
    let header = code.c_header().unwrap();
    for line in [
        "#define SUM_CONSTANTS_SIZE 320",
        "#define SUM_CONSTANTS_ALIGNMENT 64",
        "  const halo_constants *constants; /* sum_map_constants makes them */",
        "  uint8_t *buffers[SUM_INPUTS + SUM_OUTPUTS + 2];",
        "int32_t sum_entry_with_constants(const halo_context *context, uint8_t *const *buffers);",
    ] {
        assert!(header.contains(line), "{line}\n{header}");
    }
    let joined = header.replace(",\n   ", ", ");
    assert!(joined.contains(&start), "{start}\n{header}");
    let module = code.rust_module().unwrap();
    for line in [
        "pub const CONSTANTS_SIZE: usize = 320;",
        "    constants: &Constants<'_>,",
        "    fn sum_entry_with_constants(context: *const interface::Context, buffers: ",
        "        constants.address(),\n        (&raw mut *arena).cast(),",
        &start,
    ] {
        assert!(module.contains(line), "{line}\n{module}");
    }
}

#[test]
fn sizes_that_vary_are_planned() {
    let mut dynamic = code();
    dynamic.signature.inputs[0] = "tensor<?x3xf32>".parse().unwrap();
    dynamic.signature.outputs[0] = "tensor<?xf32>".parse().unwrap();
    dynamic.size_checks = Some(vec!["expected \"rows\"".to_owned()]);
    dynamic.size_elements = vec![SizeElement {
        input: 1,
        position: 2,
    }];
    dynamic.arena_varies = true;
    let header = dynamic.c_header().unwrap();
    for line in [
        "int32_t sum_entry_sizes(int64_t *sizes);",
        "  int64_t x_0; /* dimension 0 of x, tensor<?x3xf32> */\n  \
         int64_t Weights_at_2; /* given: element 2 of Weights, tensor<4xbf16> */\n  \
         int64_t output0_0; /* dimension 0 of output0, tensor<?xf32> */",
        "    \"expected \\\"rows\\\"\"};",
        "  if (!(sizes->x_0 < 0))",
        "  inputs_of_run[0].size = halo_times((size_t)12, planned.x_0);",
        "  const float *x; /* float[x_0][3], tensor<?x3xf32> */",
    ] {
        assert!(header.contains(line), "{line}\n{header}");
    }
    assert!(!header.contains("SUM_ARENA_SIZE") && !header.contains("SUM_X_SIZE"));
    dynamic.arena_varies = false;
    assert!(dynamic.c_header().unwrap().contains("#define SUM_ARENA_SIZE "));
    let error = dynamic.rust_module().unwrap_err().to_string();
    assert!(
        error.ends_with("call the functions of the C header"),
        "{error}"
    );
}

#[test]
fn declarations_are_of_the_version_of_the_runtime() {
    let version = abi::VERSION;
    let header = code().c_header().unwrap();
    assert!(header.contains(&format!("#define HALO_OBJECT_CODE {version}\n")));
    let module = code().rust_module().unwrap();
    assert!(module.contains(&format!("                version: {version},\n")));
    let statuses = [
        (abi::NO_TILES, "NO_TILES", "NoTiles"),
        (
            abi::WRONG_VECTOR_LENGTH,
            "WRONG_VECTOR_LENGTH",
            "WrongVectorLength",
        ),
    ];
    for (status, constant, variant) in statuses {
        assert!(header.contains(&format!("  case {status}: return HALO_{constant};\n")));
        assert!(module.contains(&format!("        {status} => Err(RunError::{variant}),\n")));
    }
}
