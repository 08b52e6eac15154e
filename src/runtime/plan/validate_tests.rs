//! Invalid plans, one fault at a time.

use super::super::FillPattern;
use super::super::sample::{copy, everything, gemm, launch, plan, slice};
use super::*;
use BufferReference::{Arena, Constant, Input, Output};

fn fault(plan: &Plan) -> String {
    match plan.validate() {
        Ok(()) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The error of a program of one step.
fn step(thunk: Thunk) -> String {
    let fault = fault(&plan(vec![vec![thunk], vec![], vec![]]));
    let fault = fault.strip_prefix("damaged plan: ").unwrap_or(&fault);
    let fault = fault.strip_prefix("sequence 0, step 0: ").unwrap_or(fault);
    fault.to_owned()
}

#[test]
fn what_is_sound() {
    assert_eq!(fault(&everything()), "none");
    assert_eq!(fault(&plan(vec![vec![]])), "none");
    let mut none = plan(vec![]);
    assert_eq!(fault(&none), "damaged plan: it has no sequence");
    none.sequences = vec![vec![]];
    none.arena_size = u64::MAX;
    assert!(fault(&none).contains("an arena of"));
    none.arena_size = 0;
    none.kernels[0].name = "a\0b".to_owned();
    assert_eq!(fault(&none), "damaged plan: 'a\\u{0}b' names no kernel");
}

#[test]
fn sizes_must_be_known() {
    let mut plan = plan(vec![vec![]]);
    plan.signature.inputs[0] = "tensor<?xf32>".parse().unwrap();
    assert!(fault(&plan).contains("has sizes that are not known"));
}

#[test]
fn slices_lie_in_their_buffers() {
    let to = |source| step(copy(source, slice(Arena, 0, 16)));
    assert_eq!(to(slice(Input(2), 0, 16)), "there is no input 2");
    assert_eq!(to(slice(Output(2), 0, 16)), "there is no output 2");
    assert_eq!(to(slice(Constant(1), 0, 16)), "there is no constant 1");
    assert_eq!(
        to(slice(Input(1), 1, 16)),
        "16 bytes at 1 of input 1, which has 16"
    );
    assert!(to(slice(Input(1), u64::MAX, 16)).contains("which has 16"));
    assert_eq!(to(slice(Input(1), 8, 8)), "a copy of 8 bytes to 16");
    assert_eq!(
        to(slice(Arena, 8, 16)),
        "source and target of a copy overlap"
    );
    let from = |target| step(copy(slice(Arena, 0, 16), target));
    assert_eq!(from(slice(Input(0), 0, 16)), "input 0 is written to");
    assert_eq!(from(slice(Constant(0), 0, 16)), "constant 0 is written to");
    assert_eq!(
        step(Thunk::Fill {
            target: slice(Arena, 2, 8),
            pattern: FillPattern::Word(0)
        }),
        "a slice is not a multiple of its fill pattern"
    );
}

#[test]
fn launches_keep_to_limits() {
    let with = |new_grid: [u32; 3], new_block: [u32; 3]| {
        let mut thunk = launch(0, vec![]);
        if let Thunk::Launch { grid, block, .. } = &mut thunk {
            (*grid, *block) = (new_grid, new_block);
        }
        step(thunk)
    };
    let sound = "sequence 1 belongs to no step";
    assert_eq!(with([i32::MAX as u32, 65_535, 65_535], [1024, 1, 1]), sound);
    for grid in [[0, 1, 1], [1 << 31, 1, 1], [1, 65_536, 1], [1, 1, 65_536]] {
        assert!(with(grid, [1, 1, 1]).starts_with("a grid of"), "{grid:?}");
    }
    for block in [[0, 1, 1], [1025, 1, 1], [32, 33, 1], [1, 1, 65]] {
        assert!(with([1, 1, 1], block).starts_with("blocks of"), "{block:?}");
    }
    assert_eq!(step(launch(3, vec![])), "there is no kernel 3");
    let number = |size| KernelArgument::Scalar(vec![0; size]);
    assert_eq!(
        step(launch(0, vec![number(4), number(3)])),
        "argument 1: a number of 3 bytes"
    );
    assert_eq!(step(launch(0, vec![number(16); 256])), sound);
    assert_eq!(step(launch(0, vec![number(16); 257])), "257 arguments");
    assert_eq!(
        step(launch(
            0,
            vec![KernelArgument::Buffer(slice(Arena, 256, 1))]
        )),
        "argument 0: 1 bytes at 256 of arena, which has 256"
    );
}

#[test]
fn sequences_are_a_tree() {
    let loop_of = |body| Thunk::For {
        lower: 0,
        upper: 1,
        step: 1,
        body,
    };
    assert_eq!(step(loop_of(3)), "there is no sequence 3");
    assert_eq!(step(loop_of(0)), "sequence 0 belongs to two steps");
    let early = plan(vec![vec![loop_of(2)], vec![], vec![loop_of(1)]]);
    assert!(fault(&early).ends_with("sequence 1 belongs to no step"));
    assert_eq!(
        step(Thunk::While {
            condition: 1,
            predicate: slice(Arena, 0, 1),
            body: 1
        }),
        "sequence 1 belongs to two steps"
    );
    assert_eq!(
        step(Thunk::For {
            lower: 0,
            upper: 1,
            step: 0,
            body: 1
        }),
        "a loop in steps of 0"
    );
    let nested = |depth: u32| {
        let mut sequences: Vec<Vec<Thunk>> =
            (1..=depth).map(|child| vec![loop_of(child)]).collect();
        sequences.push(vec![]);
        fault(&plan(sequences))
    };
    assert_eq!(nested(MAX_DEPTH as u32), "none");
    assert!(nested(MAX_DEPTH as u32 + 1).ends_with("more than 128 sequences within each other"));
}

#[test]
fn counters_are_those_of_loops_around() {
    let counted = launch(2, vec![KernelArgument::Counter(1)]);
    let with = |first: Thunk, second: Vec<Thunk>| fault(&plan(vec![vec![first], second]));
    let body = Thunk::For {
        lower: 0,
        upper: 4,
        step: 1,
        body: 1,
    };
    assert_eq!(with(body.clone(), vec![counted.clone()]), "none");
    let branch = Thunk::Conditional {
        kind: ConditionalKind::Index,
        index: slice(Arena, 0, 4),
        branches: vec![1],
    };
    assert!(
        with(branch, vec![counted.clone()]).ends_with("it is in no counting loop of sequence 1")
    );
    let outside = plan(vec![vec![counted, body], vec![]]);
    assert!(fault(&outside).ends_with("it is in no counting loop of sequence 1"));
}

#[test]
fn conditions_have_their_size() {
    let with = |kind, size, branches: &[u32]| {
        step(Thunk::Conditional {
            kind,
            index: slice(Arena, 0, size),
            branches: branches.to_vec(),
        })
    };
    let (predicate, index) = (ConditionalKind::Predicate, ConditionalKind::Index);
    assert_eq!(with(predicate, 1, &[1, 2]), "none");
    assert_eq!(with(index, 4, &[1, 2]), "none");
    assert_eq!(with(predicate, 4, &[1, 2]), "4 bytes in place of 1");
    assert_eq!(with(index, 1, &[1, 2]), "1 bytes in place of 4");
    assert_eq!(with(predicate, 1, &[1]), "a conditional of 1 branches");
    assert_eq!(with(index, 4, &[]), "a conditional of 0 branches");
}

#[test]
fn products_lie_in_their_slices() {
    let with = |change: &dyn Fn(&mut Gemm)| {
        let mut gemm = gemm();
        change(&mut gemm);
        step(Thunk::Gemm(gemm))
    };
    let sound = "sequence 1 belongs to no step";
    assert_eq!(with(&|_| ()), sound);
    assert_eq!(with(&|gemm| gemm.precision = GemmPrecision::Tf32), sound);
    assert_eq!(
        with(&|gemm| gemm.k = 0),
        "a matrix product of sizes [1, 2, 2, 0]"
    );
    assert_eq!(
        with(&|gemm| gemm.m = 3),
        "left factor: 1 matrices of 3 by 2 do not fit 16 bytes"
    );
    assert_eq!(
        with(&|gemm| gemm.batch = 2),
        "left factor: 2 matrices of 2 by 2 do not fit 16 bytes"
    );
    assert!(with(&|gemm| gemm.a.batch_stride = u64::MAX).contains("do not fit"));
    assert!(with(&|gemm| gemm.a.leading_dimension = u64::MAX).contains("rows of 2"));
    assert_eq!(
        with(&|gemm| gemm.b.leading_dimension = 1),
        "right factor: rows of 2 elements every 1"
    );
    assert_eq!(
        with(&|gemm| gemm.c.element_type = ElementType::F64),
        "a matrix product of f32 and f32 in f64"
    );
    assert_eq!(
        with(&|gemm| gemm.c.transposed = true),
        "the matrices of the result are not apart"
    );
    assert_eq!(
        with(&|gemm| gemm.a.slice = gemm.c.slice),
        "the result overlaps a factor"
    );
    assert_eq!(
        with(&|gemm| gemm.a.slice = slice(Arena, 2, 16)),
        "the offset of a matrix is not a multiple of its element size"
    );
}

type Change<'a> = &'a dyn Fn(&mut u32, &mut Vec<Slice>, &mut Vec<Slice>);

#[test]
fn calls_are_those_of_their_sites() {
    let with = |change: Change<'_>| {
        let mut plan = everything();
        if let Some(Thunk::CustomCall {
            site,
            operands,
            results,
        }) = plan.sequences[0].get_mut(4)
        {
            change(site, operands, results);
        }
        let fault = fault(&plan);
        let fault = fault.strip_prefix("damaged plan: sequence 0, step 4: ");
        fault.unwrap_or("none").to_owned()
    };
    assert_eq!(with(&|_, _, _| ()), "none");
    assert_eq!(with(&|site, _, _| *site = 1), "there is no custom call 1");
    assert_eq!(
        with(&|_, operands, _| operands.clear()),
        "@twice takes 1 operands and 1 results, not 0 and 1"
    );
    assert_eq!(
        with(&|_, operands, _| operands[0].size = 8),
        "8 bytes in place of 16"
    );
    assert_eq!(
        with(&|_, _, results| results[0].buffer = Input(0)),
        "16 bytes at 16 of input 0, which has 16"
    );
    let mut plan = everything();
    plan.custom_calls[0].operand_layouts.clear();
    assert_eq!(
        fault(&plan),
        "damaged plan: custom call 0: the layouts do not fit the shapes"
    );
}
