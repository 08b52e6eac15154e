//! Plans of programs: the products that become library calls, and their parameters.

use crate::backends::cuda;
use halo_backend::{BackendOptions, CompileOptions, Program};
use halo_codegen::gpu::gpu_contractions::provider::Provider;
use halo_core::ElementType;
use halo_runtime::{
    Plan,
    plan::{BufferReference, Gemm, GemmMatrix, GemmPrecision, Slice, Thunk},
};

fn plan(body: &str, provider: Provider) -> Plan {
    let program = Program {
        name: "test.mlir".into(),
        code: body.as_bytes().to_vec(),
    };
    let mut backend = BackendOptions::default();
    backend.set("gpu-dot", provider.word());
    let options = CompileOptions {
        backend,
        architecture: Some("sm_80".to_owned()),
        ..CompileOptions::default()
    };
    let plan = cuda::backend().compiler.plan(&program, &options).unwrap();
    plan.validate().unwrap();
    plan
}

/// The products of a plan, and how many kernels it has.
fn products(body: &str, provider: Provider) -> (Vec<Gemm>, usize) {
    let plan = plan(body, provider);
    let thunks = plan.sequences.iter().flatten();
    let products = thunks.filter_map(|thunk| match thunk {
        Thunk::Gemm(gemm) => Some(*gemm),
        _ => None,
    });
    (products.collect(), plan.kernels.len())
}

fn matrix(
    buffer: BufferReference,
    (offset, size): (u64, u64),
    element_type: ElementType,
    (leading_dimension, batch_stride, transposed): (u64, u64, bool),
) -> GemmMatrix {
    GemmMatrix {
        slice: Slice {
            buffer,
            offset,
            size,
        },
        element_type,
        leading_dimension,
        batch_stride,
        transposed,
    }
}

const ROWS: &str = "
func.func @main(%a: tensor<6x4xf32>, %b: tensor<4x5xf32>) -> tensor<6x5xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
      : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
  return %0 : tensor<6x5xf32>
}";

#[test]
fn a_product_of_rows_is_one_of_a_library() {
    use BufferReference::{Input, Output};
    let f32 = ElementType::F32;
    let expected = Gemm {
        batch: 1,
        m: 6,
        n: 5,
        k: 4,
        a: matrix(Input(0), (0, 96), f32, (4, 0, false)),
        b: matrix(Input(1), (0, 80), f32, (5, 0, false)),
        c: matrix(Output(0), (0, 120), f32, (5, 0, false)),
        precision: GemmPrecision::Full,
    };
    assert_eq!(products(ROWS, Provider::Library), (vec![expected], 0));
    // Small ones are not faster there.
    for choice in [Provider::Auto, Provider::Codegen] {
        assert_eq!(products(ROWS, choice).0, []);
    }
}

#[test]
fn transposed_factors_are_read_where_they_lie() {
    use BufferReference::{Input, Output};
    let code = "
func.func @main(%a: tensor<4x6xf64>, %b: tensor<5x4xf64>) -> tensor<6x5xf64> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [0] x [1]
      : (tensor<4x6xf64>, tensor<5x4xf64>) -> tensor<6x5xf64>
  return %0 : tensor<6x5xf64>
}";
    let f64 = ElementType::F64;
    let expected = Gemm {
        batch: 1,
        m: 6,
        n: 5,
        k: 4,
        a: matrix(Input(0), (0, 192), f64, (6, 0, true)),
        b: matrix(Input(1), (0, 160), f64, (4, 0, true)),
        c: matrix(Output(0), (0, 240), f64, (5, 0, false)),
        precision: GemmPrecision::Full,
    };
    assert_eq!(products(code, Provider::Library), (vec![expected], 0));
}

#[test]
fn a_batch_of_parts_begins_where_the_parts_do() {
    use BufferReference::{Input, Output};
    // Row 2 and those after it, of matrices of 10 rows.
    let code = "
func.func @main(%a: tensor<3x10x16xbf16>, %b: tensor<3x16x5xbf16>) -> tensor<3x8x5xbf16> {
  %0 = stablehlo.slice %a [0:3, 2:10, 0:16] : (tensor<3x10x16xbf16>) -> tensor<3x8x16xbf16>
  %1 = stablehlo.dot_general %0, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1]
      : (tensor<3x8x16xbf16>, tensor<3x16x5xbf16>) -> tensor<3x8x5xbf16>
  return %1 : tensor<3x8x5xbf16>
}";
    let bf16 = ElementType::BF16;
    let (found, kernels) = products(code, Provider::Library);
    let expected = Gemm {
        batch: 3,
        m: 8,
        n: 5,
        k: 16,
        a: matrix(Input(0), (64, 896), bf16, (16, 160, false)),
        b: matrix(Input(1), (0, 480), bf16, (5, 80, false)),
        c: matrix(Output(0), (0, 240), bf16, (5, 40, false)),
        precision: GemmPrecision::Full,
    };
    assert_eq!((found, kernels), (vec![expected], 0));
}

#[test]
fn factors_are_rounded_only_where_the_program_lets_them() {
    let code = |algorithm: &str| {
        format!(
            "
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {{
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0], {algorithm}
      : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}}"
        )
    };
    let precision = |algorithm: &str| {
        let (found, _) = products(&code(algorithm), Provider::Library);
        found.iter().map(|gemm| gemm.precision).collect::<Vec<_>>()
    };
    for algorithm in ["DEFAULT", "HIGHEST"] {
        let algorithm = format!("precision = [{algorithm}, {algorithm}]");
        assert_eq!(precision(&algorithm), [GemmPrecision::Full]);
    }
    let tf32 = "algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, \
                accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, \
                num_primitive_operations = 1, allow_imprecise_accumulation = false>";
    assert_eq!(precision(tf32), [GemmPrecision::Tf32]);
}

#[test]
fn what_no_library_computes_becomes_kernels() {
    let integers = ROWS.replace("f32", "i32");
    let activated = ROWS.replace(
        "  return %0",
        "  %1 = stablehlo.tanh %0 : tensor<6x5xf32>\n  return %1",
    );
    for code in [integers, activated] {
        let (found, kernels) = products(&code, Provider::Library);
        assert_eq!(found, []);
        assert!(kernels > 0);
    }
}

/// Also where the unknown dimension is in a tuple of which nothing is used.
#[test]
fn plans_are_made_of_static_shapes() {
    let element = "tuple<tensor<f32>, tuple<!stablehlo.token, tensor<?xi8>>>";
    for ty in ["tensor<?xi8>", element] {
        let program = Program {
            name: "test.mlir".into(),
            code: format!("func.func @main(%a: {ty}) {{ return }}").into_bytes(),
        };
        let compiler = cuda::backend().compiler;
        let error = compiler.plan(&program, &CompileOptions::default()).unwrap_err().to_string();
        assert!(
            error.contains("a plan is made for shapes that are known; @main("),
            "{error}"
        );
    }
}
