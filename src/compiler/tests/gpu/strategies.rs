//! The kernels of programs, by name: a test fails if a decision changes.
//!
//! The name of a kernel consists of the entry, its strategy and a number.

use super::{models::named, plan};
use halo_backend::Program;
use halo_runtime::plan::Thunk;

/// The strategies of a program's kernels in the order of the kernels, without repetitions.
fn strategies(program: &Program) -> Vec<String> {
    let plan = plan(program, "sm_90").unwrap();
    let mut strategies: Vec<String> = plan
        .kernels
        .iter()
        .map(|kernel| {
            let name = kernel.name.strip_prefix("main_").unwrap();
            name.rsplit_once('_').unwrap().0.to_owned()
        })
        .collect();
    strategies.dedup();
    strategies
}

#[track_caller]
fn expect(model: &str, expected: &[&str]) {
    assert_eq!(strategies(&named(model).program()), expected, "{model}");
}

/// Fills, padding and epilogues of a reduction or a product are part of other kernels: a launch
/// takes as long as a block needs for thousands of elements.
#[test]
fn kernels_are_few() {
    let most = [
        ("resnet18", 24),
        ("encoder_block", 11),
        ("gpt2_block", 9),
        ("mlp_sgd", 8),
        ("mlp_fwd", 3),
        ("conv2d", 1),
        ("depthwise_conv", 1),
        ("maxpool", 1),
        ("reduce_sum", 2),
        ("matvec_f32", 1),
    ];
    for (model, expected) in most {
        let plan = plan(&named(model).program(), "sm_90").unwrap();
        let names: Vec<&str> = plan.kernels.iter().map(|k| k.name.as_str()).collect();
        let thunks = plan.sequences.iter().flatten();
        let launches = thunks.filter(|thunk| matches!(thunk, Thunk::Launch { .. }));
        assert_eq!(launches.count(), expected, "{model}: {names:?}");
    }
}

/// One kernel that reads each row once, whatever is computed from it.
#[test]
fn rows_stay_in_a_block() {
    for model in ["softmax", "layernorm"] {
        let plan = plan(&named(model).program(), "sm_90").unwrap();
        let names: Vec<&str> = plan.kernels.iter().map(|k| k.name.as_str()).collect();
        assert_eq!(names, ["main_group_0"], "{model}");
    }
}

/// Products use tensor cores, in f32 as three products of TF32.
#[test]
fn products_are_for_tensor_cores() {
    expect("matmul_bf16", &["mma_m16n8k16_32x32x64"]);
    for model in [
        "matmul_f32_64",
        "matmul_f32_100",
        "matmul_f32_odd",
        "bmm_f32",
    ] {
        expect(model, &["mma_m16n8k8_3xtf32_32x32x32"]);
    }
    let convolution = strategies(&named("conv2d").program());
    let last = convolution.last().unwrap();
    assert!(last.starts_with("mma_m16n8k8_3xtf32_"), "{last}");
}

/// 128 blocks of 256x128 are one wave on 132 multiprocessors, but two on 108, where three waves of
/// blocks of half the size take less time.
#[test]
fn tiles_divide_work_evenly() {
    let product = "func.func @main(%a: tensor<2048x512xbf16>, %b: tensor<512x2048xbf16>)
            -> tensor<2048x2048xbf16> {
          %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
            : (tensor<2048x512xbf16>, tensor<512x2048xbf16>) -> tensor<2048x2048xbf16>
          return %0 : tensor<2048x2048xbf16>
        }";
    let program = Program {
        name: "product.mlir".to_owned(),
        code: product.into(),
    };
    for (architecture, tile, memory) in [
        ("sm_80", "128x128", 65536),
        ("sm_89", "256x128", 98304),
        ("sm_90", "256x128", 98304),
    ] {
        let plan = plan(&program, architecture).unwrap();
        let expected = format!("main_mma_m16n8k16_{tile}x32_0");
        assert_eq!(plan.kernels[0].name, expected, "{architecture}");
        let Thunk::Launch {
            dynamic_shared_memory,
            ..
        } = plan.sequences[0][0]
        else {
            panic!("expected a launch");
        };
        assert_eq!(dynamic_shared_memory, memory, "{architecture}");
    }
}

/// Blocks sort tiles in shared memory.
#[test]
fn sorts_are_networks() {
    expect("sort", &["group"]);
    expect("sort_pairs", &["group"]);
}

/// Prefix sums are scans, not one sum for each element.
#[test]
fn running_sums_are_scans() {
    expect("cumsum", &["scan"]);
}

#[test]
fn what_is_moved_has_kernels_of_its_own() {
    expect("transpose", &["transpose"]);
    expect("embedding", &["elementwise"]);
    expect("embedding_grad_scatter", &["elementwise", "scatter"]);
}

/// Blocks sum pieces of a long vector, and one block then sums the partial sums. A kernel before
/// them computes the initial value of the sum.
#[test]
fn long_sums_have_two_steps() {
    let model = named("reduce_sum").program();
    let code = String::from_utf8(model.code).unwrap();
    let program = Program {
        code: code.replace("40000", "16777216").into(),
        ..model
    };
    let plan = plan(&program, "sm_90").unwrap();
    let reductions = plan
        .kernels
        .iter()
        .filter(|kernel| kernel.name.starts_with("main_row_reduction_"));
    assert_eq!(reductions.count(), 2, "{:?}", plan.kernels);
}
