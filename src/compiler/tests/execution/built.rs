//! Programs of the builder of `halo-stablehlo`.

use super::{expect, f32s, run};
use halo_core::Literal;
use halo_stablehlo::{Builder, ElementType, Program, ReduceWindow, Type};

fn text(program: Result<Program, halo_stablehlo::Error>) -> String {
    program.unwrap().to_text().unwrap()
}

/// `scipy.special.softmax(numpy.maximum(x @ w, 0), 1)`
#[test]
fn a_layer() {
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::F32, [1, 2]));
    let w = b.parameter(Type::tensor(ElementType::F32, [2, 2]));
    let h = x.matmul(w).maximum(0.0);
    let e = (h - h.reduce_max([1]).broadcast_like(h, [0])).exponential();
    let code = text(b.build(e / e.reduce_sum([1]).broadcast_like(e, [0])));
    let inputs = [
        f32s(&[1, 2], &[1.0, 2.0]),
        f32s(&[2, 2], &[1.0, -1.0, 1.5, -4.0]),
    ];
    // exp(0), exp(-4), divided by their sum.
    for outputs in run(&code, &inputs) {
        let [large, small] = outputs[0].as_slice::<f32>().unwrap() else {
            panic!("{outputs:?}");
        };
        assert!((large - 0.982_013_8).abs() < 1e-6 && (small - 0.017_986_2).abs() < 1e-6);
    }
}

/// The example of section `reduce_window` of the specification.
#[test]
fn windows() {
    let b = Builder::new("main");
    let x = b.parameter(Type::tensor(ElementType::I64, [3, 2]));
    let window = ReduceWindow {
        window_dimensions: vec![2, 1],
        window_strides: vec![4, 1],
        base_dilations: vec![2, 1],
        window_dilations: vec![3, 1],
        padding: vec![[2, 1], [0, 0]],
    };
    let sums = b.reduce_window(&[x], &[b.scalar(0_i64)], &window, |pair| pair[0] + pair[1]);
    let input = Literal::from_slice(&[3, 2], &[1_i64, 2, 3, 4, 5, 6]).unwrap();
    expect(
        &text(b.build(sums)),
        &[input],
        &["dense<[[0, 0], [3, 4]]> : tensor<2x2xi64>"],
    );
}

/// The example of section `while` of the specification, with a function for the step.
#[test]
fn loops_and_calls() {
    let b = Builder::new("main");
    let ty = Type::tensor(ElementType::I64, []);
    let step = b.function("step", &[ty.clone(), ty], |values| {
        [values[0] + 1, values[1] + 1]
    });
    let zero = b.scalar(0_i64);
    let results = b.while_loop(
        &[zero, zero],
        |values| values[0].lt(10),
        |values| b.call(&step, values),
    );
    let code = text(b.build(results));
    expect(
        &code,
        &[],
        &["dense<10> : tensor<i64>", "dense<10> : tensor<i64>"],
    );
}
