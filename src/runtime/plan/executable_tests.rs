//! Plans on a fake device, whose kernels are functions of the host.

use halo_core::Literal;

use super::super::sample::{copy, gemm, launch, plan, site, slice};
use super::super::{BufferReference, ConditionalKind, FillPattern, KernelArgument, fake};
use super::*;
use BufferReference::{Arena, Constant, Input, Output};

const A: [f32; 4] = [1.0, 2.0, 3.0, 4.0];
const B: [f32; 4] = [10.0, 20.0, 30.0, 40.0];

fn buffer(buffer: BufferReference) -> KernelArgument {
    KernelArgument::Buffer(slice(buffer, 0, 16))
}

fn whole(buffer: BufferReference) -> super::super::Slice {
    slice(buffer, 0, 16)
}

fn number(value: i64) -> KernelArgument {
    KernelArgument::Scalar(value.to_le_bytes().to_vec())
}

fn load(plan: Plan) -> PlanExecutable {
    // The loaded plan equals the file.
    let plan = Plan::from_bytes(&plan.to_bytes().unwrap()).unwrap();
    let mut registry = CustomCallRegistry::empty();
    registry.register("twice", |call| {
        let operand = call.operands[0].as_slice::<f32>()?.to_vec();
        if operand[0] < 0.0 {
            return Err("negative".to_owned());
        }
        let result = call.results[0].as_mut_slice::<f32>()?;
        for (result, element) in result.iter_mut().zip(operand) {
            *result = 2.0 * element;
        }
        Ok(())
    });
    PlanExecutable::load(plan, fake::device(), &registry).unwrap()
}

fn vector(elements: [f32; 4]) -> Literal {
    Literal::from_slice(&[4], &elements).unwrap()
}

fn elements(literal: &Literal) -> [f32; 4] {
    std::array::from_fn(|index| literal.get_f64(index) as f32)
}

fn run_on(plan: Plan, a: [f32; 4], b: [f32; 4]) -> Result<[[f32; 4]; 2]> {
    let results = load(plan).run(&[vector(a), vector(b)])?;
    Ok([elements(&results[0]), elements(&results[1])])
}

/// The outputs of a program on the vectors above.
fn run(sequences: Vec<Vec<Thunk>>) -> [[f32; 4]; 2] {
    run_on(plan(sequences), A, B).unwrap()
}

/// Fills the outputs with a value that no program computes.
fn clear() -> Vec<Thunk> {
    let fill = |target| Thunk::Fill {
        target: whole(target),
        pattern: FillPattern::Byte(0),
    };
    vec![fill(Output(0)), fill(Output(1))]
}

#[test]
fn copies_fills_and_launches() {
    let program = vec![
        copy(whole(Input(0)), slice(Arena, 64, 16)),
        launch(
            0,
            vec![
                KernelArgument::Buffer(slice(Arena, 64, 16)),
                buffer(Input(1)),
                buffer(Output(0)),
            ],
        ),
        Thunk::Fill {
            target: slice(Output(1), 0, 8),
            pattern: FillPattern::Word(1.5_f32.to_bits()),
        },
        copy(slice(Constant(0), 8, 8), slice(Output(1), 8, 8)),
    ];
    let [sum, mixed] = run(vec![program]);
    assert_eq!(sum, [11.0, 22.0, 33.0, 44.0]);
    assert_eq!(mixed, [1.5, 1.5, 3.0, 4.0]);
}

#[test]
fn inputs_pass_through() {
    let program = vec![
        copy(whole(Input(1)), whole(Output(0))),
        copy(whole(Input(0)), whole(Output(1))),
    ];
    assert_eq!(run(vec![program]), [B, A]);
}

#[test]
fn scalars_and_constants_reach_kernels() {
    let program = vec![
        launch(1, vec![buffer(Constant(0)), number(-3), buffer(Output(0))]),
        launch(1, vec![buffer(Input(1)), number(2), buffer(Output(1))]),
    ];
    let [scaled, doubled] = run(vec![program]);
    assert_eq!(scaled, [-3.0, -6.0, -9.0, -12.0]);
    assert_eq!(doubled, [20.0, 40.0, 60.0, 80.0]);
}

#[test]
fn products() {
    // [1 2; 3 4] by the transpose of [10 20; 30 40].
    let mut program = clear();
    program.push(Thunk::Gemm(gemm()));
    assert_eq!(run(vec![program])[0], [50.0, 110.0, 110.0, 250.0]);
}

#[test]
fn loops_count() {
    let mut program = clear();
    program.push(Thunk::For {
        lower: -1,
        upper: 6,
        step: 3,
        body: 1,
    });
    // -1, 2 and 5, each with 1 and 3 inside.
    program.push(Thunk::For {
        lower: 4,
        upper: 4,
        step: 1,
        body: 3,
    });
    let outer = vec![
        launch(2, vec![KernelArgument::Counter(1), buffer(Output(0))]),
        Thunk::For {
            lower: 1,
            upper: 5,
            step: 2,
            body: 2,
        },
    ];
    let inner = vec![
        launch(2, vec![KernelArgument::Counter(2), buffer(Output(1))]),
        launch(2, vec![KernelArgument::Counter(1), buffer(Output(1))]),
    ];
    let never = vec![launch(2, vec![number(100), buffer(Output(0))])];
    let [outer, inner] = run(vec![program, outer, inner, never]);
    // Each launch adds its four threads.
    assert_eq!(outer, [6.0, 12.0, 0.0, 0.0]);
    assert_eq!(inner, [3.0 * 4.0 + 2.0 * 6.0, 48.0, 0.0, 0.0]);
}

#[test]
fn loops_end_at_the_largest_number() {
    let mut program = clear();
    program.push(Thunk::For {
        lower: i64::MAX - 1,
        upper: i64::MAX,
        step: i64::MAX,
        body: 1,
    });
    let body = vec![launch(2, vec![number(7), buffer(Output(0))])];
    assert_eq!(run(vec![program, body])[0], [7.0, 4.0, 0.0, 0.0]);
}

#[test]
fn loops_run_while_a_byte_is_not_zero() {
    // The condition of round n is byte n of the constant, which is 1.0: its first two bytes are 0.
    // For 2.0 and so on the highest is not.
    let program = vec![
        Thunk::Fill {
            target: whole(Arena),
            pattern: FillPattern::Byte(0),
        },
        Thunk::Fill {
            target: slice(Arena, 32, 32),
            pattern: FillPattern::Byte(0),
        },
        Thunk::Fill {
            target: slice(Arena, 33, 3),
            pattern: FillPattern::Byte(1),
        },
        Thunk::While {
            condition: 1,
            predicate: slice(Arena, 32, 1),
            body: 2,
        },
        copy(whole(Arena), whole(Output(0))),
        copy(whole(Arena), whole(Output(1))),
    ];
    // Three ones move to the front one by one.
    let condition = vec![
        copy(slice(Arena, 33, 16), slice(Arena, 64, 16)),
        copy(slice(Arena, 64, 16), slice(Arena, 32, 16)),
    ];
    let body = vec![launch(2, vec![number(1), buffer(Arena)])];
    let [rounds, _] = run(vec![program, condition, body]);
    assert_eq!(rounds, [3.0, 12.0, 0.0, 0.0]);
}

#[test]
fn conditionals_choose() {
    let chosen = |kind, index: u32| {
        let mut program = clear();
        program.push(Thunk::Fill {
            target: slice(Arena, 0, 4),
            pattern: FillPattern::Word(index),
        });
        let (size, branches) = match kind {
            ConditionalKind::Predicate => (1, vec![1, 2]),
            ConditionalKind::Index => (4, vec![1, 2, 3]),
        };
        program.push(Thunk::Conditional {
            kind,
            index: slice(Arena, 0, size),
            branches,
        });
        let branch = |value| vec![launch(2, vec![number(value), buffer(Output(0))])];
        let mut sequences = vec![program, branch(10), branch(20)];
        if kind == ConditionalKind::Index {
            sequences.push(branch(30));
        }
        run(sequences)[0][0]
    };
    assert_eq!(chosen(ConditionalKind::Predicate, 1), 10.0);
    assert_eq!(chosen(ConditionalKind::Predicate, 0), 20.0);
    assert_eq!(chosen(ConditionalKind::Index, 0), 10.0);
    assert_eq!(chosen(ConditionalKind::Index, 2), 30.0);
    assert_eq!(chosen(ConditionalKind::Index, 3), 30.0);
    assert_eq!(chosen(ConditionalKind::Index, -1_i32 as u32), 30.0);
}

fn calling() -> Plan {
    let program = vec![
        launch(0, vec![buffer(Input(0)), buffer(Input(1)), buffer(Arena)]),
        Thunk::CustomCall {
            site: 0,
            operands: vec![whole(Arena)],
            results: vec![slice(Arena, 64, 16)],
        },
        copy(slice(Arena, 64, 16), whole(Output(0))),
        copy(whole(Arena), whole(Output(1))),
    ];
    let mut plan = plan(vec![program]);
    plan.custom_calls.push(site("twice"));
    plan
}

#[test]
fn custom_calls_see_what_was_before() {
    let [doubled, sum] = run_on(calling(), A, B).unwrap();
    assert_eq!(sum, [11.0, 22.0, 33.0, 44.0]);
    assert_eq!(doubled, [22.0, 44.0, 66.0, 88.0]);
    let error = run_on(calling(), [-100.0; 4], B).unwrap_err();
    assert_eq!(error.to_string(), "a.mlir:3:4: error: @twice: negative");
    let mut unknown = calling();
    unknown.custom_calls[0].target = "thrice".to_owned();
    let empty = CustomCallRegistry::empty();
    let error = PlanExecutable::load(unknown, fake::device(), &empty).err();
    assert_eq!(
        error.unwrap().to_string(),
        "a.mlir:3:4: error: no custom call @thrice is registered"
    );
}

#[test]
fn plans_are_for_a_platform_and_an_architecture() {
    let refusal = |change: &dyn Fn(&mut Plan), device| {
        let mut plan = plan(vec![vec![]]);
        change(&mut plan);
        let executable = PlanExecutable::load(plan, device, &CustomCallRegistry::empty());
        executable.err().map(|error| error.to_string())
    };
    let refused = |change| refusal(change, fake::device()).unwrap_or_default();
    assert_eq!(
        refused(&|plan| plan.target.platform = "cuda".to_owned()),
        "the plan is for the platform 'cuda', and the device is one of 'fake'"
    );
    assert_eq!(
        refused(&|plan| plan.target.architecture = "fake_3".to_owned()),
        "the code is for fake_3, and the device is fake_2"
    );
    assert_eq!(
        refused(&|plan| plan.kernels[1].name = "sub".to_owned()),
        "no kernel 'sub'"
    );
    assert_eq!(
        refused(&|plan| plan.sequences.clear()),
        "damaged plan: it has no sequence"
    );
    let host = crate::host::HostPlatform::device();
    assert_eq!(
        refusal(&|plan| plan.target.platform = "host".to_owned(), host).unwrap(),
        "the platform runs no kernels"
    );
    assert_eq!(
        refused(&|plan| plan.target.architecture = "fake_1".to_owned()),
        ""
    );
}

#[test]
fn wrong_buffers_are_refused() {
    let executable = load(plan(vec![vec![]]));
    let device = executable.device();
    let options = ExecuteOptions::default();
    let input = device.to_device(&vector(A)).unwrap();
    let outputs = executable.allocate_outputs().unwrap();
    let refused = |inputs: &[&DeviceBuffer], outputs: &[&DeviceBuffer]| {
        let owned = |buffers: &[&DeviceBuffer]| -> Vec<DeviceBuffer> {
            buffers.iter().map(|buffer| (*buffer).clone()).collect()
        };
        let outcome = executable.execute_into(&options, &owned(inputs), &owned(outputs));
        outcome.err().map(|error| error.to_string())
    };
    let (one, two) = (&outputs[0], &outputs[1]);
    assert_eq!(refused(&[&input, &input], &[one, two]), None);
    let shared = Some("output 1 shares memory with another buffer of the call".to_owned());
    assert_eq!(refused(&[&input, &input], &[one, one]), shared);
    assert_eq!(refused(&[&input, &input], &[one, &input]), shared);
    assert!(refused(&[&input], &[one, two]).unwrap().contains("2 inputs"));
}

#[test]
fn failures_of_kernels_come_out_and_leave_the_plan_usable() {
    let program = vec![
        copy(whole(Input(0)), whole(Output(0))),
        Thunk::Conditional {
            kind: ConditionalKind::Predicate,
            index: slice(Input(0), 0, 1),
            branches: vec![1, 2],
        },
        Thunk::Conditional {
            kind: ConditionalKind::Predicate,
            index: slice(Input(0), 0, 1),
            branches: vec![3, 4],
        },
        copy(whole(Input(1)), whole(Output(1))),
    ];
    let fail = vec![launch(3, vec![buffer(Arena)])];
    let mut failing = plan(vec![program, fail, vec![], vec![], vec![]]);
    failing.code = b"add scale count fail".to_vec();
    let mut kernel = failing.kernels[0].clone();
    kernel.name = "fail".to_owned();
    failing.kernels.push(kernel);
    let executable = load(failing);
    let run = |first: f32| {
        let inputs = [vector([first, 2.0, 3.0, 4.0]), vector(B)];
        let results = executable.run(&inputs)?;
        Ok::<_, Error>(elements(&results[1]))
    };
    // The lowest byte of 1.0 is zero, the one of 0.1 is not.
    assert_eq!(run(1.0).unwrap(), B);
    assert!(matches!(run(0.1), Err(Error::Internal(_))));
    assert_eq!(run(1.0).unwrap(), B);
}

#[test]
fn memory_may_not_suffice() {
    let mut large = plan(vec![vec![]]);
    large.arena_size = 1 << 40;
    let executable = load(large);
    let error = executable.run(&[vector(A), vector(B)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "a.mlir:1:2: error: out of memory: intermediate values take 1099511627776 bytes"
    );
}

/// A sum that passes through the arena ten times.
fn summing() -> Plan {
    let first = copy(whole(Input(0)), whole(Arena));
    let last = copy(whole(Arena), whole(Output(0)));
    let rest = copy(whole(Input(1)), whole(Output(1)));
    let body = vec![launch(
        0,
        vec![buffer(Arena), buffer(Input(1)), buffer(Arena)],
    )];
    let sum = Thunk::For {
        lower: 0,
        upper: 10,
        step: 1,
        body: 1,
    };
    plan(vec![vec![first, sum, last, rest], body])
}

#[test]
fn runs_overlap() {
    let executable = load(summing());
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let executable = &executable;
            scope.spawn(move || {
                for round in 0..20 {
                    let first = (100 * thread + round) as f32;
                    let results = executable.run(&[vector([first; 4]), vector(B)]).unwrap();
                    let expected = B.map(|element| first + 10.0 * element);
                    assert_eq!(elements(&results[0]), expected);
                }
            });
        }
    });
}

#[test]
fn runs_on_a_stream_are_done_when_it_says_so() {
    let executable = load(summing());
    let device = executable.device();
    let stream = device.executor.create_stream().unwrap();
    let options = ExecuteOptions {
        stream: Some(&*stream),
        ..ExecuteOptions::default()
    };
    let (go, ready) = std::sync::mpsc::channel::<()>();
    let wait = move || {
        ready.recv().unwrap();
        Ok(())
    };
    stream.host_callback(Box::new(wait)).unwrap();
    let step = device.to_device(&vector(B)).unwrap();
    let mut results = Vec::new();
    for round in 0..20 {
        let input = device.to_device(&vector([round as f32; 4])).unwrap();
        let outputs = executable.execute(&options, &[input, step.clone()]);
        results.push(outputs.unwrap());
    }
    go.send(()).unwrap();
    stream.block_until_done().unwrap();
    for (round, result) in results.iter().enumerate() {
        let sum = elements(&device.to_host(&result[0]).unwrap());
        assert_eq!(sum, B.map(|element| round as f32 + 10.0 * element));
    }
}

#[test]
fn a_plan_is_loaded_on_another_device() {
    let add = launch(
        0,
        vec![buffer(Input(0)), buffer(Input(1)), buffer(Output(0))],
    );
    let first = load(plan(vec![vec![add]]));
    let second = first.on_device(&fake::device()).unwrap();
    assert!(first.is_enqueued_whole() && second.is_enqueued_whole());
    assert!(!Arc::ptr_eq(
        &first.device().executor,
        &second.device().executor
    ));
    let results = second.run(&[vector(A), vector(B)]).unwrap();
    assert_eq!(elements(&results[0]), [11.0, 22.0, 33.0, 44.0]);
}

#[test]
fn handlers_may_enqueue_their_work() {
    let mut registry = CustomCallRegistry::empty();
    registry.register("twice", |_| Ok(()));
    let on_host = PlanExecutable::load(calling(), fake::device(), &registry).unwrap();
    registry.register_stream_factory("twice", |_| {
        Ok(StreamHandler {
            aliases: Vec::new(),
            call: Arc::new(|_| Ok(())),
        })
    });
    let enqueued = PlanExecutable::load(calling(), fake::device(), &registry).unwrap();
    assert!(!on_host.is_enqueued_whole() && enqueued.is_enqueued_whole());
    // The device of the tests has no streams for other libraries.
    let error = enqueued.run(&[vector(A), vector(B)]).unwrap_err().to_string();
    assert!(error.contains("no streams for other libraries"), "{error}");
}
