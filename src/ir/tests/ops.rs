//! Typed builders make ops that verify, and typed accessors read them.

#[path = "ops/dialect.rs"]
mod dialect;

use halo_core::panics;
use halo_ir::{
    fill_module,
    ops::{self, cf, check, llvm},
    prelude::*,
    semantics::{OpParts, SemanticsHooks, VerifyError, install_hooks},
    stablehlo::attributes::{ComparisonDirection, ComparisonType, DotDimensionNumbers, Precision},
    upstream,
};
use melior::{
    Context,
    dialect::DialectRegistry,
    ir::{AffineMap, Location, Module},
};
use std::{panic::catch_unwind, sync::Once};

/// The types that this test's ops have. Attributes come as a dictionary.
fn infer<'c>(parts: &'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError> {
    let text = parts.attributes.map(|attributes| attributes.to_string());
    let ty = match parts.name {
        "stablehlo.transpose" if text == Some("{permutation = array<i64: 1, 0>}".to_owned()) => {
            Type::parse(parts.context, "tensor<3x2xf32>")
        }
        "stablehlo.compare" => Type::parse(parts.context, "tensor<2x3xi1>"),
        _ => parts.operands.first().map(|operand| operand.ty()),
    };
    ty.map(|ty| vec![ty]).ok_or("unknown".into())
}

fn context() -> Context {
    static HOOKS: Once = Once::new();
    HOOKS.call_once(|| {
        let hooks = SemanticsHooks {
            infer,
            ..SemanticsHooks::default()
        };
        install_hooks(hooks).unwrap();
    });
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();
    context
}

/// Fills a function with these arguments, verifies it, and prints it.
fn build(
    inputs: &[&str],
    body: impl for<'c> FnOnce(&Builder<'c>, &[Value<'c>]) -> Result<(), BuildError>,
) -> String {
    let context = context();
    let mut module = Module::new(Location::unknown(&context));
    fill_module(&mut module, &(), |b, _, ()| {
        let inputs: Vec<_> =
            inputs.iter().map(|text| Type::parse(b.context(), text).unwrap()).collect();
        func::func(b, "f", &inputs, &[], |b, arguments| {
            body(b, arguments)?;
            Ok::<_, BuildError>(Vec::new())
        })
        .unwrap();
    })
    .unwrap();
    let operation = module.as_operation();
    assert!(operation.verify(), "{operation}");
    operation.to_string()
}

#[track_caller]
fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no `{part}` in\n{text}");
    }
}

#[test]
fn every_op_is_registered() {
    let context = context();
    let mut count = 0;
    for info in ops::all() {
        assert!(context.is_registered_operation(info.name), "{}", info.name);
        count += 1;
    }
    assert!(count > 600, "{count}");
}

#[test]
fn arithmetic_infers_its_types() {
    build(&["f32", "vector<4xi32>"], |b, arguments| {
        let (x, v) = (arguments[0], arguments[1]);
        let sum = arith::addf(b, x, x);
        assert_eq!(sum.ty(), x.ty());
        let flags = arith::FastMathFlags::REASSOC | arith::FastMathFlags::NNAN;
        let product = arith::MulFOp::build(b, x, sum).fastmath(flags).insert();
        assert_eq!((product.lhs(), product.rhs()), (x, sum));
        assert!(product.fastmath().contains(arith::FastMathFlags::NNAN));
        assert!(!product.fastmath().contains(arith::FastMathFlags::AFN));
        product.set_fastmath(arith::FastMathFlags::NONE);
        assert_eq!(product.fastmath(), arith::FastMathFlags::NONE);

        let less = arith::cmpi(b, arith::CmpIPredicate::Ult, v, v);
        assert_eq!(
            less.ty(),
            vector_type(&[4], Type::parse(b.context(), "i1").unwrap())
        );
        let less = less.defined_by::<arith::CmpIOp>().unwrap();
        assert_eq!(less.predicate(), arith::CmpIPredicate::Ult);
        less.set_predicate(arith::CmpIPredicate::Sge);
        assert_eq!(less.operation().to_string().matches("sge").count(), 1);
        assert!(!less.operation().isa::<arith::CmpFOp>());
        assert!(less.operation().cast::<arith::AddFOp>().is_none());

        let halves = arith::mului_extended(b, v, v);
        assert_eq!(halves.high().ty(), v.ty());
        assert_ne!(halves.high(), halves.low());
        Ok(())
    });
}

#[test]
fn constants_have_the_bits_of_their_type() {
    let text = build(&[], |b, _| {
        let context = b.context();
        let parse = |text| Type::parse(context, text).unwrap();
        for (ty, number) in [("i8", 255), ("i64", -1), ("index", 7), ("f16", 3)] {
            arith::constant(b, parse(ty), number);
        }
        arith::constant(b, parse("vector<2xf32>"), 0.5);
        assert!(panics::catch(|| arith::constant(b, parse("i32"), 0.5)).is_err());
        assert!(panics::catch(|| arith::constant(b, parse("none"), 1)).is_err());
        let seven = index::constant(b, 7);
        assert_eq!(arith::constant_index(seven), Some(7));
        let eight_bits = parse("i8");
        for number in [200, -56] {
            let constant = arith::constant_integer(arith::constant(b, eight_bits, number));
            let numbers = constant.map(|constant| (constant.signed(), constant.unsigned()));
            assert_eq!(numbers, Some((-56, 200)));
        }
        Ok(())
    });
    assert_contains(
        &text,
        &[
            "constant -1 : i8",
            "constant -1 : i64",
            "constant 7 : index",
            "constant 3.000000e+00 : f16",
            "constant dense<5.000000e-01> : vector<2xf32>",
        ],
    );
}

#[test]
fn groups_of_operands_are_told_apart() {
    build(&["memref<?x8xf32>", "index"], |b, arguments| {
        let (buffer, i) = (arguments[0], arguments[1]);
        let context = b.context();
        let load = memref::LoadOp::build(b, buffer, &[i, i]).nontemporal(true).insert();
        assert_eq!((load.memref(), load.indices()), (buffer, vec![i, i]));
        assert!(load.nontemporal());
        assert_eq!(load.alignment(), None);
        load.set_alignment(16);
        assert_eq!(load.alignment(), Some(16));
        load.remove_alignment();
        assert_eq!(load.alignment(), None);
        assert_eq!(load.result().ty(), Type::float32(context));

        let ty = Type::parse(context, "memref<?x?xf32>").unwrap();
        let alloc = memref::AllocOp::build(b, &[i, i], &[], ty).alignment(64).insert();
        assert_eq!(alloc.dynamic_sizes(), [i, i]);
        assert_eq!(alloc.symbol_operands(), []);

        let view = Type::parse(context, "memref<4x?xf32, strided<[8, 1], offset: ?>>").unwrap();
        let subview = memref::SubViewOp::build(
            b,
            buffer,
            &[i],
            &[i],
            &[],
            &[i64::MIN, 0],
            &[4, i64::MIN],
            &[1, 1],
            view,
        );
        let subview = subview.insert();
        assert_eq!(
            (subview.source(), subview.offsets(), subview.sizes()),
            (buffer, vec![i], vec![i])
        );
        assert_eq!(subview.strides(), []);
        assert_eq!(subview.static_sizes(), [4, i64::MIN]);
        Ok(())
    });
}

#[test]
fn optional_operands_may_be_left_out() {
    build(
        &["memref<8xf32>", "index", "f32", "vector<4xi1>"],
        |b, arguments| {
            let [buffer, i, padding, mask] = arguments[..] else {
                unreachable!()
            };
            let context = b.context();
            let vector = vector_type(&[4], Type::float32(context));
            let identity = AffineMap::multi_dim_identity(context, 1);
            let read = |masked: bool| {
                let read = vector::TransferReadOp::build(
                    b,
                    buffer,
                    &[i],
                    identity,
                    padding,
                    &[true],
                    vector,
                );
                if masked {
                    read.mask(mask).insert()
                } else {
                    read.insert()
                }
            };
            let plain = read(false);
            assert_eq!((plain.mask(), plain.padding()), (None, padding));
            let masked = read(true);
            assert_eq!((masked.mask(), masked.indices()), (Some(mask), vec![i]));
            assert_eq!(masked.in_bounds(), [true]);
            assert_eq!(masked.permutation_map(), identity);
            let sum = vector::reduction(
                b,
                vector::CombiningKind::Add,
                masked.vector(),
                Type::float32(context),
            );
            let sum = sum.defined_by::<vector::ReductionOp>().unwrap();
            assert_eq!(sum.kind(), vector::CombiningKind::Add);
            assert_eq!(sum.acc(), None);
            Ok(())
        },
    );
}

#[test]
fn loops_and_branches_take_closures() {
    let text = build(&["i1", "index", "f32"], |b, arguments| {
        let [flag, n, x] = arguments[..] else {
            unreachable!()
        };
        let (zero, one) = (index::constant(b, 0), index::constant(b, 1));
        let sum = scf::for_(b, (zero, n, one), &[x], |b, _, carried| {
            Ok::<_, BuildError>(vec![arith::addf(b, carried[0], x)])
        })?;
        assert_eq!((sum.upper_bound(), sum.init_args()), (n, vec![x]));
        assert!(!sum.unsigned_cmp());
        let body = sum.region().blocks()[0];
        assert_eq!(body.arguments().len(), 2);
        let end = body.terminator().unwrap();
        assert_eq!(end.cast::<scf::YieldOp>().unwrap().results().len(), 1);

        let chosen = scf::if_else(
            b,
            flag,
            |_| Ok::<_, BuildError>(vec![x, x]),
            |b| Ok(vec![x, arith::negf(b, x)]),
        )?;
        assert_eq!(chosen.results().len(), 2);
        scf::if_(b, flag, |_| Ok::<_, BuildError>(()))?;

        let last = scf::while_(
            b,
            &[n],
            |b, carried| {
                let goes_on = arith::cmpi(b, arith::CmpIPredicate::Ugt, carried[0], zero);
                Ok::<_, BuildError>((goes_on, vec![carried[0], one]))
            },
            |b, values| Ok(vec![arith::subi(b, values[0], values[1])]),
        )?;
        assert_eq!(last.results().len(), 2);
        assert_eq!(last.inits(), [n]);

        let parallel = scf::parallel(b, &[(zero, n, one), (zero, n, one)], |_, indices| {
            assert_eq!(indices.len(), 2);
            Ok::<_, BuildError>(())
        })?;
        assert_eq!(parallel.upper_bound(), [n, n]);
        assert_eq!(parallel.init_vals(), []);
        Ok(())
    });
    assert_contains(
        &text,
        &["scf.for", "scf.while", "scf.condition", "scf.parallel"],
    );
}

#[test]
fn bodies_of_stablehlo_end_with_a_return() {
    let text = build(&["tensor<4xf32>", "tensor<f32>"], |b, arguments| {
        let (x, zero) = (arguments[0], arguments[1]);
        let sums = stablehlo::reduce(b, &[x], &[zero], &[0], |b, sum, element| {
            assert_eq!((sum.len(), element.len()), (1, 1));
            Ok::<_, BuildError>(vec![stablehlo::add(b, sum[0], element[0])])
        })?;
        assert_eq!((sums.inputs(), sums.init_values()), (vec![x], vec![zero]));
        let body = sums.body().blocks()[0];
        assert_eq!(body.arguments()[1].ty(), zero.ty());
        assert!(body.terminator().unwrap().isa::<stablehlo::ReturnOp>());

        let doubled = stablehlo::map(b, &[x], &[0], |b, elements| {
            stablehlo::add(b, elements[0], elements[0])
        });
        assert_eq!(doubled.dimensions(), [0]);
        let sorted = stablehlo::sort(b, &[x, x], 0, true, |b, elements| {
            assert_eq!(elements.len(), 4);
            stablehlo::compare(b, elements[0], elements[1], ComparisonDirection::Lt)
        });
        assert!(sorted.is_stable());

        let last = stablehlo::while_(
            b,
            &[zero],
            |b, carried| stablehlo::compare(b, carried[0], zero, ComparisonDirection::Eq),
            |b, carried| vec![stablehlo::negate(b, carried[0])],
        );
        assert_eq!(last.operand(), [zero]);
        let (condition, body) = (last.cond().blocks()[0], last.body().blocks()[0]);
        assert_eq!(condition.arguments().len(), 1);
        let returned = body.terminator().unwrap();
        assert_eq!(
            returned.cast::<stablehlo::ReturnOp>().unwrap().results().len(),
            1
        );
        Ok(())
    });
    assert_contains(&text, &["applies stablehlo.add"]);
    assert_eq!(text.matches("stablehlo.return").count(), 4, "{text}");
}

#[test]
fn attributes_are_taken_over() {
    build(&["tensor<4xf32>", "index"], |b, arguments| {
        let (x, n) = (arguments[0], arguments[1]);
        let note = string_attribute(b.context(), "kept");
        let slice = stablehlo::SliceOp::build(b, x, &[0], &[4], &[2])
            .attribute("test.note", note)
            .insert();
        let other = stablehlo::SliceOp::build(b, x, &[1], &[4], &[2]).attributes_of(slice).insert();
        assert_eq!((other.start_indices(), other.strides()), (vec![1], vec![2]));
        assert_eq!(other.attribute("test.note"), Some(note));

        let reverse = stablehlo::ReverseOp::build(b, x, &[0])
            .discardable_attributes_of(slice.operation())
            .insert();
        assert_eq!(reverse.attribute("test.note"), Some(note));
        assert_eq!(reverse.attribute("strides"), None);

        // The new op computes the sizes of its groups.
        let parse = |text| Type::parse(b.context(), text).unwrap();
        let static_ = memref::AllocOp::build(b, &[], &[], parse("memref<8xf32>"))
            .alignment(64)
            .insert();
        let dynamic = memref::AllocOp::build(b, &[n], &[], parse("memref<?xf32>"))
            .attributes_of(static_)
            .insert();
        assert_eq!(
            (dynamic.dynamic_sizes(), dynamic.alignment()),
            (vec![n], Some(64))
        );
        Ok(())
    });
}

#[test]
fn optional_parts_are_added_where_there_are_values() {
    build(&["tensor<4xf32>"], |b, arguments| {
        let x = arguments[0];
        for kind in [None, Some(ComparisonType::TotalOrder)] {
            let compare = stablehlo::CompareOp::build(b, x, x, ComparisonDirection::Lt)
                .maybe(kind, |compare, kind| compare.compare_type(kind))
                .insert();
            assert_eq!(compare.compare_type(), kind);
        }
        Ok(())
    });
}

#[test]
fn parts_may_be_options_and_kinds_forgotten() {
    let text = build(&["memref<4xf32>", "index"], |b, arguments| {
        let load = || memref::LoadOp::build(b, arguments[0], &[arguments[1]]);
        let aligned = load().maybe(Some(16), |load, bytes| load.alignment(bytes));
        assert_eq!(aligned.insert().alignment(), Some(16));
        let plain = load().maybe(None, |load, bytes| load.alignment(bytes));
        let value = plain.into_spec().value();
        let made = value.defined_by::<memref::LoadOp>().unwrap();
        assert_eq!(made.alignment(), None);

        let sum = arith::addf(b, value, value);
        let sum = sum.defined_by::<arith::AddFOp>().unwrap().operation();
        arith::set_fastmath(sum, arith::FastMathFlags::CONTRACT);
        assert_eq!(arith::fastmath(sum), Some(arith::FastMathFlags::CONTRACT));
        assert_eq!(arith::fastmath(made.operation()), None);
        Ok(())
    });
    assert_contains(&text, &["alignment = 16", "fastmath<contract>"]);
}

#[test]
fn launches_take_a_closure() {
    build(&["memref<8xf32>"], |b, arguments| {
        let [one, eight] = [index::constant(b, 1), index::constant(b, 8)];
        let shared = Type::parse(b.context(), "memref<8xf32, #gpu.address_space<workgroup>>");
        let launch = gpu::launch(
            b,
            [eight, one, one],
            [one; 3],
            &[shared.unwrap()],
            |b, ids, shared| {
                let value = memref::load(b, arguments[0], &[ids.block[0]]);
                memref::store(b, value, shared[0], &[ids.thread[0]]);
                let id = gpu::block_id(b, gpu::Dimension::Y);
                let id = id.defined_by::<gpu::BlockIdOp>().unwrap();
                assert_eq!(gpu::dimension(id.operation()), Some(gpu::Dimension::Y));
                Ok::<_, BuildError>(())
            },
        )?;
        let count = halo_ir::integer_type(b.context(), 64);
        let count = halo_ir::integer_attribute(count, 1);
        let launch = launch.attribute("workgroup_attributions", count).insert();
        assert_eq!(launch.grid_size_x(), eight);
        assert_eq!(launch.block_size_z(), one);
        let body = launch.operation().body(0).unwrap();
        assert!(body.terminator().unwrap().isa::<gpu::TerminatorOp>());

        let path = |text| halo_ir::Attribute::parse(b.context(), text)?.symbol_path();
        assert_eq!(path("@kernels::@f"), Some(vec!["kernels", "f"]));
        assert_eq!(path("@f"), Some(vec!["f"]));
        assert_eq!(path("1 : i32"), None);
        Ok(())
    });
}

#[test]
fn generic_ops_work_on_tensors_and_buffers() {
    for (shaped, results) in [("tensor", 1), ("memref", 0)] {
        let text = build(
            &[&format!("{shaped}<4xf32>"), &format!("{shaped}<f32>")],
            |b, arguments| {
                let (x, out) = (arguments[0], arguments[1]);
                let context = b.context();
                let maps = [
                    AffineMap::multi_dim_identity(context, 1),
                    AffineMap::new(context, 1, 0, &[]),
                ];
                let iterators = [linalg::IteratorType::Reduction];
                let op = linalg::generic(b, &[x], &[out], &maps, &iterators, |b, elements| {
                    Ok::<_, BuildError>(vec![arith::addf(b, elements[0], elements[1])])
                })?;
                assert_eq!((op.inputs(), op.outputs()), (vec![x], vec![out]));
                assert_eq!(op.iterator_types(), iterators);
                assert_eq!(op.indexing_maps(), maps);
                assert_eq!(op.result_tensors().len(), results);
                Ok(())
            },
        );
        assert_contains(&text, &["iterator_types = [\"reduction\"]"]);
    }
}

#[test]
fn blocks_are_successors() {
    let context = context();
    let location = Location::unknown(&context);
    let mut module = Module::new(location);
    fill_module(&mut module, &(), |b, _, ()| {
        let i1 = Type::parse(b.context(), "i1").unwrap();
        let function = func::func(b, "f", &[i1], &[], |_, _| Ok::<_, BuildError>(Vec::new()))?;
        assert_eq!(function.sym_name(), "f");
        let first = function.operation().body(0).unwrap();
        let next = first.append_sibling().unwrap();
        let end = first.terminator().unwrap();
        b.set_before(end);
        let condition = first.arguments()[0];
        let branch = cf::cond_br(b, condition, &[], &[], next, next);
        assert_eq!((branch.true_dest(), branch.false_dest()), (next, next));
        assert_eq!(branch.condition(), condition);
        b.erase(end);
        b.set_to_end(next);
        func::return_(b, &[]);
        Ok::<_, BuildError>(())
    })
    .unwrap()
    .unwrap();
    assert!(module.as_operation().verify());
}

#[test]
fn enums_of_dialects_are_attributes() {
    let text = build(&["i32"], |b, arguments| {
        let thread = gpu::ThreadIdOp::build(b, gpu::Dimension::Y).insert();
        assert_eq!(thread.dimension(), gpu::Dimension::Y);
        assert_eq!(thread.upper_bound(), None);
        let x = arguments[0];
        let shuffle = gpu::shuffle(b, x, x, x, gpu::ShuffleMode::Down);
        assert_eq!(shuffle.mode().as_str(), "down");
        assert_eq!(
            shuffle.valid().ty(),
            Type::parse(b.context(), "i1").unwrap()
        );
        llvm::IntToPtrOp::build(b, x, Type::parse(b.context(), "!llvm.ptr").unwrap()).insert();
        Ok(())
    });
    assert_contains(
        &text,
        &["gpu.thread_id  y", "gpu.shuffle  down", "llvm.inttoptr"],
    );
}

#[test]
fn a_dialect_that_is_not_loaded_is_an_error() {
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    let mut module = Module::new(Location::unknown(&context));
    let made = fill_module(&mut module, &(), |b, _, ()| {
        gpu::ThreadIdOp::build(b, gpu::Dimension::X).try_insert().map(drop)
    });
    let error = made.unwrap().unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot create op 'gpu.thread_id with attribute 'dimension''"
    );
}

#[test]
fn stablehlo_has_attributes_as_rust_values() {
    build(&["tensor<2x3xf32>", "tensor<3x3xf32>"], |b, arguments| {
        let (x, y) = (arguments[0], arguments[1]);
        let context = b.context();
        let parse = |text| Type::parse(context, text).unwrap();
        let sum = stablehlo::add(b, x, x);
        assert_eq!(sum.ty(), x.ty());
        assert_eq!(chlo::square(b, x).ty(), x.ty());
        let transpose = stablehlo::transpose(b, x, &[1, 0]);
        assert_eq!(transpose.ty(), parse("tensor<3x2xf32>"));
        let transpose = transpose.defined_by::<stablehlo::TransposeOp>().unwrap();
        assert_eq!(transpose.permutation(), [1, 0]);

        let compare = stablehlo::compare(b, x, x, ComparisonDirection::Lt);
        assert_eq!(compare.ty(), parse("tensor<2x3xi1>"));
        let compare = compare.defined_by::<stablehlo::CompareOp>().unwrap();
        assert_eq!(compare.comparison_direction(), ComparisonDirection::Lt);
        assert_eq!(compare.compare_type(), None);

        let numbers = DotDimensionNumbers {
            lhs_contracting_dimensions: vec![1],
            rhs_contracting_dimensions: vec![0],
            ..DotDimensionNumbers::default()
        };
        let dot = stablehlo::DotGeneralOp::build(b, x, y, &numbers, x.ty())
            .precision_config(&[Precision::High, Precision::Default])
            .insert();
        assert_eq!(dot.dot_dimension_numbers(), numbers);
        assert_eq!(
            dot.precision_config(),
            Some(vec![Precision::High, Precision::Default])
        );
        assert_eq!(dot.algorithm(), None);
        check::expect_eq(b, sum, x);
        // The caller's type in place of the inferred one.
        let dynamic = parse("tensor<?x3xf32>");
        let sum = stablehlo::AddOp::build(b, x, x).result_types(&[dynamic]);
        assert_eq!(sum.value().ty(), dynamic);
        Ok(())
    });
}

#[test]
fn parts_that_are_missing_are_named() {
    let context = context();
    let mut module = Module::new(Location::unknown(&context));
    let panic = fill_module(&mut module, &(), |b, _, ()| {
        let ty = memref_type(&[4], Type::float32(b.context()));
        let op = b.op("ub.poison").result(ty).insert();
        let load = memref::LoadOp::from_unchecked(op);
        let read = std::panic::AssertUnwindSafe(|| drop(load.memref().to_string()));
        catch_unwind(read).unwrap_err()
    })
    .unwrap();
    assert_eq!(
        panic.downcast_ref::<String>().unwrap(),
        "'ub.poison' op has no 'memref' as its definition demands: it was read before it was \
         verified"
    );
}
