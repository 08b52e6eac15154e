//! Tests on a GPU, which run only in `make test-gpu`.

use std::sync::mpsc::channel;

use halo_core::{ElementType, Literal, Shape};

use super::super::CudaPlatform;
use crate::kernel::LaunchArgument;
use crate::plan::{
    BufferReference, ConditionalKind, FillPattern, Gemm, GemmMatrix, GemmPrecision, KernelArgument,
    KernelDescription, Plan, PlanExecutable, PlanTarget, Slice, Thunk,
};
use crate::{
    CustomCallRegistry, CustomCallSite, Device, Error, Executable, ExecuteOptions, GemmCall,
    Launch, Signature,
};

/// Adds the first two vectors of `n` floats into the third.
const ADD: &str = "\
.version 7.0
.target sm_70
.address_size 64
.visible .entry add(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .b64 %rd<11>;
    .reg .f32 %f<4>;
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [c];
    ld.param.u32 %r5, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    setp.ge.u32 %p1, %r4, %r5;
    @%p1 bra done;
    cvta.to.global.u64 %rd4, %rd1;
    cvta.to.global.u64 %rd5, %rd2;
    cvta.to.global.u64 %rd6, %rd3;
    mul.wide.u32 %rd7, %r4, 4;
    add.s64 %rd8, %rd4, %rd7;
    add.s64 %rd9, %rd5, %rd7;
    add.s64 %rd10, %rd6, %rd7;
    ld.global.f32 %f1, [%rd8];
    ld.global.f32 %f2, [%rd9];
    add.f32 %f3, %f1, %f2;
    st.global.f32 [%rd10], %f3;
done:
    ret;
}
";

fn device() -> Device {
    CudaPlatform::device(0).unwrap()
}

fn kernels() -> Vec<KernelDescription> {
    vec![KernelDescription {
        name: "add".to_owned(),
        static_shared_memory: 0,
    }]
}

fn floats(elements: &[f32]) -> Literal {
    Literal::from_slice(&[elements.len()], elements).unwrap()
}

#[test]
#[ignore = "needs a GPU"]
fn bytes_go_there_and_back() {
    let executor = device().executor;
    for size in [0, 1, 4096, (8 << 20) - 1, (8 << 20) + 1, (40 << 20) + 3] {
        let memory = executor.allocate(size + 5).unwrap();
        let bytes: Vec<u8> = (0..size).map(|i| (i * 31 + i / 257) as u8).collect();
        executor.fill(&memory, 7).unwrap();
        executor.copy_to_device(&bytes, &memory, 3).unwrap();
        let mut back = vec![0; size + 5];
        executor.copy_from_device(&memory, 0, &mut back).unwrap();
        assert_eq!((&back[..3], &back[size + 3..]), (&[7; 3][..], &[7; 2][..]));
        assert!(back[3..size + 3] == bytes, "{size} bytes");
        assert!(executor.copy_to_device(&bytes, &memory, 6).is_err());
        let other = executor.allocate(size + 5).unwrap();
        executor.copy(&memory, &other).unwrap();
        executor.copy_from_device(&other, 0, &mut back).unwrap();
        assert!(back[3..size + 3] == bytes, "{size} bytes, copied");
    }
}

#[test]
#[ignore = "needs a GPU"]
fn memory_runs_out_with_an_error() {
    let device = device();
    let description = device.executor.description();
    assert!(!description.name.is_empty() && description.core_count > 0);
    let all = description.memory_size.unwrap() as usize;
    let error = device.executor.allocate(2 * all).unwrap_err().to_string();
    assert!(error.starts_with("out of memory for "), "{error}");
    device.executor.allocate(1 << 20).unwrap();
}

#[test]
#[ignore = "needs a GPU"]
fn entries_run_in_order_and_keep_their_memory() {
    let executor = device().executor;
    let stream = executor.create_stream().unwrap();
    let (send, receive) = channel();
    let (memory, other) = (executor.allocate(8).unwrap(), executor.allocate(8).unwrap());
    stream.fill_slice(memory.whole(), FillPattern::Half(0x0201)).unwrap();
    stream.copy_to_device(vec![9, 8], &memory).unwrap();
    stream.copy(&memory, &other).unwrap();
    stream
        .fill_slice(other.slice(4, 4).unwrap(), FillPattern::Word(0x0403_0201))
        .unwrap();
    let then = Box::new(move |bytes| send.send(bytes).unwrap());
    stream.copy_from_device(&other, then).unwrap();
    drop((memory, other));
    // Enough of them that some are released before the end.
    for _ in 0..1000 {
        let memory = executor.allocate(16).unwrap();
        stream.fill(&memory, 1).unwrap();
    }
    stream.block_until_done().unwrap();
    assert_eq!(receive.recv().unwrap(), [9, 8, 1, 2, 1, 2, 3, 4]);
}

#[test]
#[ignore = "needs a GPU"]
fn callbacks_fail_once_and_events_order_streams() {
    let executor = device().executor;
    let (stream, other) = (
        executor.create_stream().unwrap(),
        executor.create_stream().unwrap(),
    );
    let memory = executor.allocate(1).unwrap();
    executor.fill(&memory, 3).unwrap();
    let event = executor.create_event().unwrap();
    assert!(event.is_complete());
    let (go, ready) = channel::<()>();
    let wait = move || {
        ready.recv().unwrap();
        Err(Error::execution("boom"))
    };
    stream.host_callback(Box::new(wait)).unwrap();
    stream.record(&*event).unwrap();
    other.wait(&*event).unwrap();
    let (send, receive) = channel();
    let then = move || {
        send.send(()).unwrap();
        Ok(())
    };
    other.host_callback(Box::new(then)).unwrap();
    assert!(!event.is_complete() && receive.try_recv().is_err());
    go.send(()).unwrap();
    other.block_until_done().unwrap();
    receive.recv().unwrap();
    event.synchronize();
    let mut byte = [0];
    assert!(!stream.read(memory.whole(), &mut byte).unwrap());
    assert_eq!(stream.block_until_done().unwrap_err().to_string(), "boom");
    stream.block_until_done().unwrap();
    assert!(stream.read(memory.whole(), &mut byte).unwrap());
    assert_eq!(byte, [3]);
}

#[test]
#[ignore = "needs a GPU"]
fn kernels_run_and_wrong_ones_are_errors() {
    let device = device();
    let executor = &device.executor;
    let module = executor.load_module(ADD.as_bytes(), &kernels()).unwrap();
    let a = device.to_device(&floats(&[1.0; 300])).unwrap();
    let c = device.to_device(&floats(&[0.0; 300])).unwrap();
    let stream = executor.create_stream().unwrap();
    let count = 299_u32.to_le_bytes();
    let whole = |buffer: &crate::DeviceBuffer| buffer.memory().clone();
    let (a, c_memory) = (whole(&a), whole(&c));
    let arguments = [
        LaunchArgument::Memory(a.whole()),
        LaunchArgument::Memory(a.whole()),
        LaunchArgument::Memory(c_memory.whole()),
        LaunchArgument::Scalar(&count),
    ];
    let launch = Launch {
        module: &module,
        kernel: 0,
        grid: [3, 1, 1],
        block: [128, 1, 1],
        dynamic_shared_memory: 0,
        arguments: &arguments,
    };
    stream.launch(&launch).unwrap();
    stream.block_until_done().unwrap();
    let sum = device.to_host(&c).unwrap();
    assert_eq!((sum.get_f64(298), sum.get_f64(299)), (2.0, 0.0));
    let few = Launch {
        arguments: &arguments[..3],
        ..launch
    };
    assert_eq!(
        stream.launch(&few).unwrap_err().to_string(),
        "kernel 'add' has parameters of [8, 8, 8, 4] bytes, and was called with [8, 8, 8]"
    );
    let greedy = Launch {
        dynamic_shared_memory: 1 << 20,
        ..launch
    };
    assert!(stream.launch(&greedy).is_err());
    let refused = |code: &[u8], name: &str| {
        let mut kernels = kernels();
        kernels[0].name = name.to_owned();
        let error = executor.load_module(code, &kernels).err();
        error.unwrap().to_string()
    };
    let wrong = ADD.replace("add.f32", "add.f33");
    assert!(refused(wrong.as_bytes(), "add").starts_with("the driver does not take the kernels: "));
    assert!(refused(ADD.as_bytes(), "sub").starts_with("kernel 'sub' is not in the code: "));
    assert_eq!(
        refused(b"\x7fELF\0", "add"),
        "the code of the kernels is not PTX"
    );
}

fn slice(buffer: BufferReference, offset: u64, size: u64) -> Slice {
    Slice {
        buffer,
        offset,
        size,
    }
}

/// Adds the second input to the first three times in a loop, lets the host double the sum unless
/// the first byte of the constant is zero, and returns it together with the second input.
fn plan(decision: u8) -> Plan {
    use BufferReference::{Arena, Constant, Input, Output};
    let vector = || "tensor<300xf32>".parse().unwrap();
    let whole = |buffer| slice(buffer, 0, 1200);
    let add = Thunk::Launch {
        kernel: 0,
        grid: [3, 1, 1],
        block: [128, 1, 1],
        dynamic_shared_memory: 0,
        arguments: vec![
            KernelArgument::Buffer(whole(Arena)),
            KernelArgument::Buffer(whole(Input(1))),
            KernelArgument::Buffer(whole(Arena)),
            KernelArgument::Scalar(300_u32.to_le_bytes().to_vec()),
        ],
    };
    let copy = |source, target| Thunk::Copy { source, target };
    let program = vec![
        copy(whole(Input(0)), whole(Arena)),
        Thunk::For {
            lower: 0,
            upper: 3,
            step: 1,
            body: 1,
        },
        Thunk::Conditional {
            kind: ConditionalKind::Predicate,
            index: slice(Constant(0), 0, 1),
            branches: vec![2, 3],
        },
        copy(whole(Arena), whole(Output(0))),
        copy(whole(Input(1)), whole(Output(1))),
    ];
    let twice = Thunk::CustomCall {
        site: 0,
        operands: vec![whole(Arena)],
        results: vec![whole(Arena)],
    };
    let shape: Shape = "tensor<300xf32>".parse().unwrap();
    Plan {
        target: PlanTarget {
            platform: "cuda".to_owned(),
            architecture: "sm_70".to_owned(),
        },
        signature: Signature {
            name: "main".to_owned(),
            inputs: vec![vector(), vector()],
            outputs: vec![vector(), vector()],
            ..Signature::default()
        },
        code: ADD.as_bytes().to_vec(),
        kernels: kernels(),
        arena_size: 1200,
        arena_largest: String::new(),
        constants: vec![vec![decision]],
        sequences: vec![program, vec![add], vec![twice], vec![]],
        custom_calls: vec![CustomCallSite::new(
            "twice",
            vec![shape.clone()],
            vec![shape],
        )],
    }
}

fn load(plan: Plan) -> crate::Result<PlanExecutable> {
    let mut registry = CustomCallRegistry::empty();
    registry.register("twice", |call| {
        let operand = call.operands[0].as_slice::<f32>()?.to_vec();
        let results = call.results[0].as_mut_slice::<f32>()?;
        for (result, element) in results.iter_mut().zip(operand) {
            *result = 2.0 * element;
        }
        Ok(())
    });
    PlanExecutable::load(plan, device(), &registry)
}

#[test]
#[ignore = "needs a GPU"]
fn plans_run_from_several_threads() {
    for (decision, factor) in [(1, 2.0), (0, 1.0)] {
        let executable = load(plan(decision)).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let executable = &executable;
                scope.spawn(move || {
                    for round in 0..20 {
                        let first = (100 * thread + round) as f32;
                        let inputs = [floats(&[first; 300]), floats(&[0.5; 300])];
                        let results = executable.run(&inputs).unwrap();
                        let expected = f64::from(factor * (first + 1.5));
                        assert_eq!(results[0].get_f64(299), expected);
                        assert_eq!(results[1].get_f64(0), 0.5);
                    }
                });
            }
        });
    }
}

#[test]
#[ignore = "needs a GPU"]
fn plans_run_on_a_stream() {
    let executable = load(plan(1)).unwrap();
    let device = executable.device();
    let stream = device.executor.create_stream().unwrap();
    let options = ExecuteOptions {
        stream: Some(&*stream),
        ..ExecuteOptions::default()
    };
    let mut results = Vec::new();
    for round in 0..20 {
        let input = |element| device.to_device(&floats(&[element; 300])).unwrap();
        let inputs = [input(round as f32), input(1.0)];
        results.push(executable.execute(&options, &inputs).unwrap());
    }
    stream.block_until_done().unwrap();
    for (round, result) in results.iter().enumerate() {
        let sum = device.to_host(&result[0]).unwrap();
        assert_eq!(sum.get_f64(7), 2.0 * (round as f64 + 3.0));
    }
}

#[test]
#[ignore = "needs a GPU"]
fn newer_code_is_refused() {
    let mut newer = plan(1);
    newer.target.architecture = "sm_9990".to_owned();
    let error = load(newer).err().unwrap().to_string();
    assert!(
        error.starts_with("the code is for sm_9990, and the device is of sm_"),
        "{error}"
    );
}

/// Batches of products in all ways to write the factors down, against sums of
/// the host.
#[test]
#[ignore = "needs a GPU"]
fn products_by_the_library() {
    let device = device();
    let (batch, m, n, k) = (2, 5, 7, 3);
    for element_type in [ElementType::F32, ElementType::F64, ElementType::BF16] {
        for transposed in [(false, false), (false, true), (true, false), (true, true)] {
            let literal = |dims: &[usize], f: &dyn Fn(usize) -> f64| {
                Literal::from_fn(Shape::new(element_type, dims).unwrap(), f)
            };
            // Small whole numbers, whose sums are exact.
            let left = literal(&[batch, m * k], &|i| (i % 5) as f64 - 2.0);
            let right = literal(&[batch, k * n], &|i| (i % 7) as f64 - 3.0);
            let result = literal(&[batch, m * n], &|_| -1.0);
            let buffers = [&left, &right, &result].map(|value| device.to_device(value).unwrap());
            let matrix = |index: usize, rows: usize, columns: usize, transposed: bool| {
                let size = buffers[index].shape().byte_size() as u64;
                GemmMatrix {
                    slice: slice(BufferReference::Arena, 0, size),
                    element_type,
                    leading_dimension: if transposed { rows } else { columns } as u64,
                    batch_stride: (rows * columns) as u64,
                    transposed,
                }
            };
            let gemm = Gemm {
                batch: batch as u64,
                m: m as u64,
                n: n as u64,
                k: k as u64,
                a: matrix(0, m, k, transposed.0),
                b: matrix(1, k, n, transposed.1),
                c: matrix(2, m, n, false),
                precision: GemmPrecision::Full,
            };
            let stream = device.executor.create_stream().unwrap();
            let [a, b, c] = &buffers;
            stream
                .gemm(&GemmCall {
                    gemm: &gemm,
                    a: a.memory().whole(),
                    b: b.memory().whole(),
                    c: c.memory().whole(),
                })
                .unwrap();
            stream.block_until_done().unwrap();
            let computed = device.to_host(c).unwrap();
            let at = |value: &Literal, size, rows, columns, transposed, i, row, column| {
                let index = if transposed {
                    column * rows + row
                } else {
                    row * columns + column
                };
                value.get_f64(i * size + index)
            };
            for i in 0..batch * m * n {
                let (number, row, column) = (i / (m * n), i / n % m, i % n);
                let products = (0..k).map(|inner| {
                    at(&left, m * k, m, k, transposed.0, number, row, inner)
                        * at(&right, k * n, k, n, transposed.1, number, inner, column)
                });
                assert_eq!(computed.get_f64(i), products.sum(), "{element_type} at {i}");
            }
        }
    }
}
