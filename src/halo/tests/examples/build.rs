use halo::{
    compiler,
    ir::{
        OpSpec, Region, fill_module,
        ops::{
            BinaryFn,
            arith::{self, FastMathFlags},
        },
        stablehlo::attributes::ComparisonDirection,
    },
    melior::ir::{AffineMap, Location, Module},
    prelude::*,
};

/// Selects one of several similar ops by a function.
fn larger(is_signed: bool) -> BinaryFn {
    if is_signed {
        arith::maxsi
    } else {
        arith::maxui
    }
}

/// A constant of any numeric type.
fn number<'c>(b: &Builder<'c>, ty: Type<'c>, value: impl Into<arith::Number>) -> Value<'c> {
    arith::constant(b, ty, value)
}

/// A function in which a branch and a loop compute on scalars.
fn scalars(b: &Builder) {
    let i32 = integer_type(b.context(), 32);
    func::func(b, "scalars", &[i32, i32], &[i32], |b, arguments| {
        let (x, y) = (arguments[0], arguments[1]);
        // Each op has a function; its result types are inferred.
        let seven = number(b, i32, 7);
        let constant = arith::constant_integer(seven);
        assert_eq!(constant.map(arith::SignlessInteger::unsigned), Some(7));
        let most = larger(true)(b, x, arith::addi(b, y, seven));
        let is_x = arith::cmpi(b, arith::CmpIPredicate::Eq, most, x);
        // A closure fills each region.
        scf::if_(b, is_x, |b| {
            arith::muli(b, x, y);
        });
        let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
        assert_eq!(arith::constant_index(one), Some(1));
        let sum = scf::for_(b, (zero, zero, one), &[most], |b, _, carried| {
            vec![arith::addi(b, carried[0], x)]
        });
        // An op by its name, for dialects without Rust types.
        let named = b.op("arith.subi").operands(&[sum.results()[0], x]);
        let difference = named.infer_results().value();
        let constant: OpSpec = b.op("arith.constant").result(i32);
        let value = integer_attribute(i32, 1);
        let one = constant.attribute("value", value).insert().results()[0];
        vec![arith::muli(b, difference, one)]
    });
}

/// A function on tensors: sorted numbers, and a structured op.
fn tensors(b: &Builder) {
    let f32 = Type::float32(b.context());
    let vector = tensor_type(&[8], f32);
    assert_eq!(f32.float_kind(), Some(FloatKind::F32));
    func::func(b, "tensors", &[vector], &[vector], |b, arguments| {
        let sorted = stablehlo::sort(b, arguments, 0, false, |b, pair| {
            stablehlo::compare(b, pair[0], pair[1], ComparisonDirection::Lt)
        });
        let sorted = sorted.results()[0];
        let map = AffineMap::new(
            b.context(),
            1,
            0,
            &[halo::melior::ir::AffineExpr::dim(b.context(), 0)],
        );
        let loops = [linalg::IteratorType::Parallel];
        let doubled = linalg::generic(
            b,
            &[sorted],
            &[sorted],
            &[map, map],
            &loops,
            |b, elements| {
                let sum = arith::addf(b, elements[0], elements[0]);
                if let Some(op) = sum.defining_op() {
                    arith::set_fastmath(op, FastMathFlags::NNAN);
                    assert_eq!(arith::fastmath(op), Some(FastMathFlags::NNAN));
                }
                vec![sum]
            },
        );
        assert!(doubled.is_structured());
        assert_eq!(doubled.operation().indexing_maps(), Some(vec![map, map]));
        assert_eq!(doubled.operation().indexing_map(1), Some(map));
        doubled.result_tensors()
    });
}

/// A kernel, which uses the index of its thread.
fn kernel(b: &Builder) {
    func::func(b, "kernel", &[], &[], |b, _| {
        let one = index::constant(b, 1);
        let launch = gpu::launch(b, [one; 3], [one; 3], &[], |b, ids: &gpu::ThreadIds, _| {
            arith::addi(b, ids.block[0], ids.thread[0]);
        });
        launch.insert();
        Vec::new()
    });
}

/// A region that is created before its op.
fn regions(b: &Builder) {
    let i32 = integer_type(b.context(), 32);
    func::func(b, "regions", &[i32], &[i32], |b, arguments| {
        let condition = arith::constant(b, integer_type(b.context(), 1), 1);
        let then: Region = b.region_at(&[], |b, _| {
            scf::yield_(b, arguments);
        });
        let choice = b.op("scf.if").operands(&[condition]).results(&[i32]);
        let choice = choice.region(then).region(Region::new()).insert();
        b.fill_region(choice, 1, |b| {
            scf::yield_(b, arguments);
        });
        let choice = choice.cast::<scf::IfOp>();
        choice.map(scf::IfOp::results).unwrap_or_default()
    });
}

pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let context = compiler::context();
    // A parser loads the dialects of its input, and a pass its dependent dialects.
    for dialect in ["arith", "func", "gpu", "linalg", "scf", "stablehlo"] {
        context.get_or_load_dialect(dialect);
    }
    let mut module = Module::new(Location::unknown(&context));
    // The closure gets a builder, the module's op and the captured value.
    fill_module(&mut module, &(), |b, _, ()| {
        scalars(b);
        tensors(b);
        kernel(b);
        regions(b);
    })?;
    assert!(module.as_operation().verify());
    Ok(())
}
