//! The functions of `halo_ir::ops` that build several ops, or fold trivial ones.

use halo::{
    compiler,
    ir::{
        apply_patterns_once,
        diagnostics::parse_module,
        fill_module,
        ops::{complex, index::Index},
        pass::register_pass,
        pipeline,
    },
    melior::ir::{Location, Module},
    prelude::*,
};

/// The last index of a range of a number or a value.
fn last<'c>(b: &Builder<'c>, count: impl Index<'c>) -> Value<'c> {
    index::sub(b, count, 1)
}

/// Arithmetic on indices folds constants.
fn indices(b: &Builder) {
    let ty = Type::index(b.context());
    func::func(b, "indices", &[ty; 2], &[ty; 2], |b, arguments| {
        let (x, y) = (arguments[0], arguments[1]);
        let seven = index::add(b, index::constant(b, 3), 4);
        let fourteen = index::mul(b, seven, 2);
        assert_eq!(arith::constant_index(fourteen), Some(14));
        let moved = index::add(b, x, 5);
        assert_eq!(index::sum_with_constant(moved), Some((x, 5)));
        let rows = index::div(b, moved, 8);
        let end = index::end_of_range(b, rows, last(b, y));
        let whole = index::end_of_whole_steps(b, (rows, end), y);
        index::delinearize(b, whole, &[4, 8])
    });
}

/// Loops over buffers, which load and store one or several elements.
fn buffers(b: &Builder) {
    let f32 = Type::float32(b.context());
    func::func(b, "buffers", &[], &[], |b, _| {
        let [from, to] = [64; 2].map(|size| memref::alloc_aligned(b, &[size], f32));
        assert!(from.defining_op().and_then(memref::view_source).is_none());
        scf::for_range(b, 64, 4, |b, at| {
            let numbers = vector::load_elements(b, from, at, 4);
            vector::store_elements(b, numbers, to, at, 4);
        });
        scf::parallel_range(b, 64, |b, at| {
            let number = vector::load_elements(b, to, at, 1);
            vector::store_elements(b, number, from, at, 1);
        });
        Vec::new()
    });
}

/// Numbers of other widths, and complex numbers in parts.
fn numbers(b: &Builder) {
    let context = b.context();
    let (f16, f32) = (Type::float16(context), Type::float32(context));
    let (i32, i64) = (integer_type(context, 32), integer_type(context, 64));
    func::func(b, "numbers", &[f32, i32], &[f32, i64], |b, arguments| {
        let half = arith::resize_float(b, arguments[0], f16);
        assert!(half.ty().is_narrow_float());
        let z = complex::from_parts(b, arguments[0], arith::resize_float(b, half, f32));
        let square = complex::multiply_parts(b, z, z);
        let difference = complex::subtract_parts(b, square, z);
        let wide = arith::resize_integer(b, arguments[1], i64, true);
        let mask = arith::constant_of(b, integer_attribute(i64, 255), i64);
        vec![complex::re(b, difference), arith::andi(b, wide, mask)]
    });
}

/// The sums of the rows of a matrix whose columns are reversed.
fn sums(b: &Builder) {
    let f32 = Type::float32(b.context());
    let (matrix, sums) = (tensor_type(&[2, 3], f32), tensor_type(&[2], f32));
    func::func(b, "sums", &[matrix], &[sums], |b, arguments| {
        let reversed = structured::reverse(b, arguments[0], &[1]);
        let start = structured::filled(b, arith::constant(b, f32, 0.0), sums);
        let generic = structured::Generic {
            inputs: vec![(reversed, structured::projection(b, 2, &[0, 1]))],
            outputs: vec![(start, structured::projection(b, 2, &[0]))],
            iterators: vec![IteratorType::Parallel, IteratorType::Reduction],
        };
        generic.build(b, |b, elements| {
            vec![arith::addf(b, elements[0], elements[1])]
        })
    });
}

/// Sizes that only a run determines, and ops on tensors that have them.
fn sizes_at_run_time(b: &Builder) {
    let f32 = Type::float32(b.context());
    let rows = tensor_type(&[sizes::DYNAMIC, 4], f32);
    let joined = tensor_type(&[sizes::DYNAMIC], f32);
    func::func(b, "sizes", &[rows], &[joined], |b, arguments| {
        let [count, columns] = Size::all(b, arguments[0])[..] else {
            return Vec::new();
        };
        assert_eq!(columns.known(), Some(4));
        assert!(count.is_not_negative());
        let shape = Shape::new(vec![count, columns], f32);
        assert_eq!(shape.ty(), rows);
        let zeros = structured::filled(b, arith::constant(b, f32, 0.0), &shape);
        let integers = shape.with_element(integer_type(b.context(), 32));
        let indices = structured::computed(b, integers, |b, indices| {
            arith::cast(
                b,
                arith::index_cast,
                indices[0],
                integer_type(b.context(), 32),
            )
        });
        // The tensors were made with the size.
        assert!(Size::of(b, zeros, 0).equals(count));
        assert_eq!(Size::of(b, indices, 0).key(), count.key());

        let product = sizes::product(b, &[count, columns]);
        assert!(sizes::Product::of(&[count, columns]).equals(&sizes::Product::of(&[product])));
        assert_eq!(sizes::numbers(&[product, columns]), [sizes::DYNAMIC, 4]);
        assert_eq!(sizes::values(&[product, columns]).len(), 1);
        assert_eq!(sizes::fixed(&[4]), [columns]);

        // Arithmetic on numbers folds.
        let seven = Size::from_index(index::constant(b, 7));
        let twelve = seven.plus(b, 3).minus(b, 4).times(b, 2);
        assert_eq!(twelve.divided_up(b, 5).max(b, 2).min(b, 9), Size::Static(3));

        let flat = structured::reshape_to(b, zeros, &[product]);
        vec![structured::cast(b, flat, &[product])]
    });
}

const PROGRAM: &[u8] = b"
func.func @main(%x: tensor<4xf32>, %at: tensor<2x1xi32>, %sizes: tensor<1xi32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<f32>) {
  %0 = stablehlo.negate %x {kept} : tensor<4xf32>
  %1 = stablehlo.cosine %x {kept} : tensor<4xf32>
  %2 = \"stablehlo.dynamic_gather\"(%x, %at, %sizes) {
    dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0],
      index_vector_dim = 1>, kept
  } : (tensor<4xf32>, tensor<2x1xi32>, tensor<1xi32>) -> tensor<2xf32>
  %3 = stablehlo.dot_general %x, %0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST]
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<2xf32>, tensor<f32>
}";

/// An op of another name with the same attributes.
fn absolute<'c>(b: &Builder<'c>, op: stablehlo::NegOp<'c>) -> RewriteResult {
    let types = op.result_types();
    let new = b.rebuild(*op, "stablehlo.abs", &op.operands(), &types);
    b.replace_with(*op, new)
}

/// The same op with another operand.
fn of_part<'c>(b: &Builder<'c>, op: stablehlo::CosineOp<'c>) -> RewriteResult {
    let part = stablehlo::vector_part(b, op.operand(), 0, 4);
    let same = stablehlo::convert_elements(b, part, Type::float32(b.context()));
    let new = b.with_operands(*op, &[same]);
    b.replace_with(*op, new)
}

/// A value that takes over the attributes of an op.
fn static_sizes<'c>(b: &Builder<'c>, op: stablehlo::DynamicGatherOp<'c>) -> RewriteResult {
    b.replace_merged(*op, stablehlo::static_gather(b, op, &[1]))
}

/// The product of two vectors in the other order, with the same precision.
fn swapped<'c>(b: &Builder<'c>, op: stablehlo::DotGeneralOp<'c>) -> RewriteResult {
    let (operands, numbers) = ([op.rhs(), op.lhs()], op.dot_dimension_numbers());
    let product = stablehlo::dot_like(b, op, operands, &numbers, op.result().ty());
    b.replace_merged(*op, product)
}

static PASS: PassDeclaration = PassDeclaration::new("example-shorthands", "Replace ops", |pass| {
    let patterns = [
        Pattern::new::<stablehlo::NegOp>(absolute),
        Pattern::new::<stablehlo::CosineOp>(of_part),
        Pattern::new::<stablehlo::DynamicGatherOp>(static_sizes),
        Pattern::new::<stablehlo::DotGeneralOp>(swapped),
    ];
    apply_patterns_once(pass.operation(), &patterns)
});

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    for dialect in [
        "arith", "complex", "func", "linalg", "memref", "scf", "tensor", "vector",
    ] {
        context.get_or_load_dialect(dialect);
    }
    let mut module = Module::new(Location::unknown(&context));
    fill_module(&mut module, &(), |b, _, ()| {
        indices(b);
        buffers(b);
        numbers(b);
        sums(b);
        sizes_at_run_time(b);
    })?;
    assert!(module.as_operation().verify());
    register_pass(&PASS)?;
    let mut module = parse_module(&context, PROGRAM, "a.mlir").ok_or("no program")?;
    pipeline![&PASS].run(&mut module)?;
    let text = module.as_operation().to_string();
    for part in [
        "stablehlo.abs",
        "stablehlo.slice",
        "stablehlo.gather",
        "dot_general %0, %arg0, contracting_dims = [0] x [0], precision = [HIGHEST, HIGHEST]",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(text.matches("kept").count(), 3, "{text}");
    Ok(())
}
