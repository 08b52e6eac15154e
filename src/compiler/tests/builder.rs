//! Programs of the builder of `halo-stablehlo`, read by MLIR and verified.

#[path = "../../stablehlo/tests/support/all_ops.rs"]
mod all_ops;

use halo_backend::Program;
use halo_compiler::context;
use halo_core::random::Generator;
use halo_frontend::parse;
use halo_stablehlo::{
    Builder, Dim, DotDimensionNumbers, ElementType, GatherDimensionNumbers, Quantization,
    ReduceWindow, ScatterDimensionNumbers, Type, Value, Version,
};
use melior::Context;

/// The module that MLIR reads, as text.
fn printed(context: &Context, code: impl Into<Vec<u8>>) -> Result<String, String> {
    let program = Program {
        name: "built".to_owned(),
        code: code.into(),
    };
    let module = parse(context, &program).map_err(|error| error.to_string())?;
    Ok(module.as_operation().to_string())
}

/// Asserts that MLIR reads the same module from the text and the artifact of a program.
fn expect_readable(context: &Context, program: &halo_stablehlo::Program) {
    let text = program.to_text().unwrap();
    let from_text = printed(context, text.clone()).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let artifact = program.to_artifact(Version::CURRENT).unwrap();
    let from_artifact = printed(context, artifact).unwrap_or_else(|why| panic!("{why}\n{text}"));
    assert_eq!(from_text, from_artifact);
}

#[test]
fn every_op_is_accepted_as_text_and_as_artifact() {
    expect_readable(&context(), &all_ops::program());
}

fn quantized(dimension: Option<i64>, scales: usize) -> ElementType {
    ElementType::Quantized(Box::new(Quantization {
        storage: ElementType::I8,
        storage_range: None,
        expressed: ElementType::F32,
        dimension,
        parameters: (0..scales).map(|scale| (0.5 + scale as f64, 3)).collect(),
    }))
}

#[rustfmt::skip]
fn element_types() -> Vec<ElementType> {
    use ElementType::*;
    vec![
        I1, I2, I4, I8, I16, I32, I64, UI2, UI4, UI8, UI16, UI32, UI64, F4E2M1FN, F6E2M3FN,
        F6E3M2FN, F8E3M4, F8E4M3, F8E4M3B11FNUZ, F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ,
        F8E8M0FNU, BF16, F16, F32, F64, TF32, ComplexF32, ComplexF64, quantized(None, 1),
        quantized(Some(1), 3),
    ]
}

type Op = for<'b> fn(Value<'b>) -> Value<'b>;

/// Ops with their names, each applied to one value for all operands.
#[rustfmt::skip]
const OPS: &[(&str, usize, Op)] = &[
    ("abs", 1, |x| x.abs()), ("cbrt", 1, |x| x.cbrt()), ("ceil", 1, |x| x.ceil()),
    ("count_leading_zeros", 1, |x| x.count_leading_zeros()), ("floor", 1, |x| x.floor()),
    ("imag", 1, |x| x.imag()), ("is_finite", 1, |x| x.is_finite()), ("log", 1, |x| x.log()),
    ("logistic", 1, |x| x.logistic()), ("negate", 1, |x| x.negate()), ("not", 1, |x| x.not()),
    ("popcnt", 1, |x| x.popcnt()), ("real", 1, |x| x.real()),
    ("round_nearest_afz", 1, |x| x.round_nearest_afz()),
    ("round_nearest_even", 1, |x| x.round_nearest_even()), ("sign", 1, |x| x.sign()),
    ("sqrt", 1, |x| x.sqrt()), ("tanh", 1, |x| x.tanh()),
    ("uniform_dequantize", 1, |x| x.uniform_dequantize()), ("add", 2, |x| x.add(x)),
    ("and", 2, |x| x.and(x)), ("atan2", 2, |x| x.atan2(x)), ("complex", 2, |x| x.complex(x)),
    ("divide", 2, |x| x.divide(x)), ("maximum", 2, |x| x.maximum(x)),
    ("minimum", 2, |x| x.minimum(x)), ("multiply", 2, |x| x.multiply(x)), ("or", 2, |x| x.or(x)),
    ("power", 2, |x| x.power(x)), ("remainder", 2, |x| x.remainder(x)),
    ("shift_left", 2, |x| x.shift_left(x)),
    ("shift_right_arithmetic", 2, |x| x.shift_right_arithmetic(x)),
    ("shift_right_logical", 2, |x| x.shift_right_logical(x)),
    ("subtract", 2, |x| x.subtract(x)), ("xor", 2, |x| x.xor(x)),
    ("select", 3, |x| x.select(x, x)), ("clamp", 3, |x| x.clamp(x, x)),
    ("cholesky", 1, |x| x.cholesky(false)), ("after_all", 1, |x| x.builder().after_all(&[x])),
    ("torch_index_select", 2, |x| x.torch_index_select(x, 0, 0)),
    ("tuple", 1, |x| x.builder().tuple(&[x])),
    ("optimization_barrier", 1, |x| x.builder().optimization_barrier(&[x])[0]),
];

/// An op is accepted for the same element types as MLIR's verifier accepts.
#[test]
fn element_types_agree_with_mlir() {
    let context = context();
    let mut accepted = 0;
    for element in element_types() {
        let ty = Type::tensor(element, [3, 3]);
        for (name, count, op) in OPS {
            let b = Builder::new("main");
            let x = b.parameter(ty.clone());
            let built = b.build(op(x));
            let text = match &built {
                Ok(program) => program.to_text().unwrap(),
                Err(_) => {
                    let attributes = match *name {
                        "torch_index_select" => " {dim = 0, batch_dims = 0}",
                        _ => "",
                    };
                    let operands = vec!["%x"; *count].join(", ");
                    let types = vec![ty.to_string(); *count].join(", ");
                    format!(
                        "func.func @main(%x: {ty}) {{\n  %0 = \"stablehlo.{name}\"({operands})\
                         {attributes} : ({types}) -> {ty}\n  return\n}}"
                    )
                }
            };
            let read = printed(&context, text.clone());
            assert_eq!(built.is_ok(), read.is_ok(), "{built:?}\n{read:?}\n{text}");
            accepted += usize::from(built.is_ok());
        }
    }
    assert!(accepted > 300, "{accepted}");
}

struct Pick(Generator);

impl Pick {
    fn below(&mut self, limit: usize) -> usize {
        (self.0.bits() % limit as u64) as usize
    }

    fn list(&mut self, below: usize) -> Vec<i64> {
        (0..self.below(4)).map(|_| self.below(below + 1) as i64 - 1).collect()
    }

    fn ty(&mut self) -> Type {
        let elements = element_types();
        // Common types are frequent, so that operands agree.
        let element = match self.below(3) {
            0 => elements[self.below(elements.len())].clone(),
            1 => ElementType::I32,
            _ => ElementType::F32,
        };
        let sizes = [
            Dim::Static(3),
            Dim::Static(1),
            Dim::Static(4),
            Dim::Dynamic,
            Dim::Bounded(4),
        ];
        let dims = (0..self.below(4)).map(|_| match self.below(3) {
            0 => sizes[self.below(sizes.len())],
            _ => Dim::Static(3),
        });
        Type::dynamic_tensor(element, dims.collect::<Vec<_>>())
    }
}

/// Applies a random op to random values, which may be of wrong types.
fn random_op<'b>(b: &'b Builder, pick: &mut Pick) -> Vec<Value<'b>> {
    let x = b.parameter(pick.ty());
    let other = match pick.below(2) {
        0 => x.ty().unwrap_or(Type::Token),
        _ => pick.ty(),
    };
    let y = b.parameter(other);
    let scalar = b.parameter(Type::tensor(x.element().unwrap_or(ElementType::F32), []));
    let (one, two, three) = (pick.list(4), pick.list(4), pick.list(3));
    let index = pick.below(4) as i64 - 1;
    let identity = |arguments: &[Value<'b>]| vec![arguments[0]];
    vec![match pick.below(28) {
        0 => x.add(y),
        1 => x.compare(y, Default::default(), Default::default()),
        2 => x.broadcast_in_dim([3, 4, 3], one),
        3 => x.reshape(one),
        4 => x.transpose(one),
        5 => x.reverse(one),
        6 => x.slice(one, two, three),
        7 => b.concatenate(&[x, y], index),
        8 => x.pad(scalar, one, two, three),
        9 => x.broadcast(one),
        10 => {
            let numbers = DotDimensionNumbers {
                lhs_contracting_dimensions: one,
                rhs_contracting_dimensions: two,
                ..DotDimensionNumbers::default()
            };
            x.dot_general(y, &numbers, &Default::default())
        }
        11 => x.dot(y),
        12 => return b.reduce(&[x], &[scalar], one, identity),
        13 => {
            return b.reduce(&[x, y], &[scalar, y], one, |arguments| {
                arguments[..2].to_vec()
            });
        }
        14 => {
            let numbers = GatherDimensionNumbers {
                offset_dims: one,
                collapsed_slice_dims: two,
                start_index_map: three,
                index_vector_dim: index,
                ..GatherDimensionNumbers::default()
            };
            x.gather(y, &numbers, pick.list(4), false)
        }
        15 => {
            let numbers = ScatterDimensionNumbers {
                update_window_dims: one,
                inserted_window_dims: two,
                scatter_dims_to_operand_dims: three,
                index_vector_dim: index,
                ..ScatterDimensionNumbers::default()
            };
            return b.scatter(&[x], y, &[x], &numbers, Default::default(), identity);
        }
        16 => {
            let window = ReduceWindow {
                window_dimensions: one,
                window_strides: two,
                base_dilations: three,
                ..ReduceWindow::default()
            };
            return b.reduce_window(&[x], &[scalar], &window, identity);
        }
        17 => return b.sort(&[x, y], index, false, |pair| pair[0].eq(pair[1])),
        18 => b.map(&[x, y], one, |pair| pair[0].add(pair[1])),
        19 => x.convert(pick.ty().element().cloned().unwrap_or(ElementType::F32)),
        20 => x.bitcast_convert(&pick.ty()),
        21 => x.get_dimension_size(index),
        22 => x.set_dimension_size(y, index),
        23 => x.select(y, y),
        24 => x.dynamic_slice(&[y, y], one),
        25 => return b.while_loop(&[x, y], |_| x.eq(x), |values| values.to_vec()),
        26 => return x.if_else(|| [x], || [y]),
        _ => x.iota_like(index),
    }]
}

trait IotaLike {
    fn iota_like(self, dimension: i64) -> Self;
}

impl IotaLike for Value<'_> {
    fn iota_like(self, dimension: i64) -> Self {
        self.builder().iota(self.ty().unwrap_or(Type::Token), dimension)
    }
}

/// MLIR accepts every random op that the builder accepts.
#[test]
fn random_ops_that_are_built_are_accepted() {
    let context = context();
    let mut pick = Pick(Generator::new(72));
    let mut accepted = 0;
    for _ in 0..4000 {
        let b = Builder::new("main");
        let results = random_op(&b, &mut pick);
        if let Ok(program) = b.build(results) {
            expect_readable(&context, &program);
            accepted += 1;
        }
    }
    assert!((400..3600).contains(&accepted), "{accepted} are accepted");
}
