//! Programs written by hand against the interface that generated code uses.

use super::super::abi::CallContext;
use super::*;
use crate::{Error, ExecuteOptions};
use halo_core::{Literal, Shape};

const COUNT: usize = 1000;

/// out = in0 + in1, through the arena, on several threads.
unsafe extern "C" fn add(context: *const CallContext, buffers: *const *mut u8) -> i32 {
    unsafe extern "C" fn kernel(_: *const CallContext, begin: i64, end: i64, captures: *const u8) {
        // SAFETY: `captures` are the buffers of the program below, of `COUNT`
        // elements each.
        unsafe {
            let buffers = captures.cast::<*mut f32>();
            let (a, b, out) = (*buffers, *buffers.add(1), *buffers.add(2));
            let arena = *buffers.add(3);
            for i in begin as usize..end as usize {
                *arena.add(i) = *a.add(i) + *b.add(i);
                *out.add(i) = *arena.add(i);
            }
        }
    }
    // SAFETY: the runtime gave a valid context.
    unsafe {
        ((*context).parallel_for)(context, kernel, COUNT as i64, 64, buffers.cast());
    }
    0
}

/// Checks its two inputs for equality; returns the first.
unsafe extern "C" fn check(context: *const CallContext, buffers: *const *mut u8) -> i32 {
    // SAFETY: the runtime gave a valid context and buffers of `COUNT` f32.
    unsafe {
        let status = ((*context).custom_call)(context, 0, buffers);
        if status != 0 {
            return status;
        }
        std::ptr::copy_nonoverlapping(*buffers, *buffers.add(2), COUNT * 4);
    }
    0
}

unsafe extern "C" fn refuse(_: *const CallContext, _: *const *mut u8) -> i32 {
    7
}

fn shape() -> Shape {
    Shape::new(halo_core::ElementType::F32, [COUNT]).unwrap()
}

fn site(target: &str) -> CustomCallSite {
    CustomCallSite {
        location: "a.mlir:1:2".to_owned(),
        ..CustomCallSite::new(target, vec![shape(), shape()], Vec::new())
    }
}

/// out = the result of the first custom call on in0.
unsafe extern "C" fn delegate(context: *const CallContext, buffers: *const *mut u8) -> i32 {
    // SAFETY: the runtime gave a valid context and buffers of `COUNT` f32.
    unsafe {
        let table = [*buffers, *buffers.add(2), *buffers.add(3)];
        ((*context).custom_call)(context, 0, table.as_ptr())
    }
}

fn load(
    entry: EntryPoint,
    threads: usize,
    custom_calls: Vec<CustomCallSite>,
) -> Result<HostExecutable> {
    load_with(entry, threads, custom_calls, &CustomCallRegistry::default())
}

fn load_with(
    entry: EntryPoint,
    threads: usize,
    custom_calls: Vec<CustomCallSite>,
    registry: &CustomCallRegistry,
) -> Result<HostExecutable> {
    let code = HostCode {
        entry,
        signature: Signature {
            name: "main".to_owned(),
            inputs: vec![shape().into(), shape().into()],
            outputs: vec![shape().into()],
            ..Signature::default()
        },
        sizes: None,
        arena_size: COUNT * 4,
        arena_largest: String::new(),
        flush_subnormals: false,
        custom_calls,
        keep_alive: Arc::new(()),
    };
    let threads = NonZeroUsize::new(threads).unwrap();
    // SAFETY: the functions above are written for this signature.
    unsafe { HostExecutable::new(code, threads, registry) }
}

fn ramp(step: f32) -> Literal {
    Literal::from_fn(shape(), |position| f64::from(position as f32 * step))
}

#[test]
fn literals_go_through() {
    for threads in [1, 2, 3] {
        let executable = load(add, threads, Vec::new()).unwrap();
        let results = executable.run(&[ramp(1.0), ramp(2.0)]).unwrap();
        assert_eq!(results, [ramp(3.0)]);
    }
}

#[test]
fn results_go_into_given_buffers_and_inputs_may_repeat() {
    let executable = load(add, 2, Vec::new()).unwrap();
    let device = executable.device();
    let input = device.to_device(&ramp(1.0)).unwrap();
    let output = device.to_device(&ramp(9.0)).unwrap();
    let options = ExecuteOptions::default();
    let (inputs, outputs) = ([input.clone(), input.clone()], [output.clone()]);
    executable.execute_into(&options, &inputs, &outputs).unwrap();
    assert_eq!(device.to_host(&output).unwrap(), ramp(2.0));
    // Not into an input.
    let error = executable
        .execute_into(&options, &inputs, std::slice::from_ref(&input))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "output 0 shares memory with another buffer of the call"
    );
}

#[test]
fn wrong_buffers_are_refused() {
    let executable = load(add, 1, Vec::new()).unwrap();
    let error = executable.run(&[ramp(1.0)]).unwrap_err();
    assert_eq!(error.to_string(), "@main has 2 inputs, but 1 were given");
    let error = executable.run(&[ramp(1.0), Literal::scalar(1)]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "input 1 of @main is tensor<1000xf32>, but tensor<i32> was given"
    );
}

#[test]
fn calls_run_at_the_same_time() {
    let executable = load(add, 2, Vec::new()).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let executable = &executable;
            scope.spawn(move || {
                for _ in 0..50 {
                    let step = thread as f32;
                    let results = executable.run(&[ramp(step), ramp(step)]).unwrap();
                    assert_eq!(results, [ramp(2.0 * step)]);
                }
            });
        }
    });
}

#[test]
fn streams_run_later_and_report() {
    let executable = load(check, 1, vec![site("check.expect_eq")]).unwrap();
    let device = executable.device();
    let stream = device.executor.create_stream().unwrap();
    let options = ExecuteOptions {
        stream: Some(&*stream),
        ..ExecuteOptions::default()
    };
    let one = device.to_device(&ramp(1.0)).unwrap();
    let two = device.to_device(&ramp(2.0)).unwrap();
    let results = executable.execute(&options, &[one.clone(), one.clone()]);
    stream.block_until_done().unwrap();
    assert_eq!(device.to_host(&results.unwrap()[0]).unwrap(), ramp(1.0));
    executable.execute(&options, &[one, two]).unwrap();
    assert!(stream.block_until_done().is_err());
}

#[test]
fn a_failed_custom_call_ends_the_run_and_not_the_process() {
    let executable = load(check, 1, vec![site("check.expect_eq")]).unwrap();
    let error = executable.run(&[ramp(1.0), ramp(2.0)]).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("a.mlir:1:2: error: @check.expect_eq: 999 of 1000 elements differ"),
        "{text}"
    );
    assert!(matches!(error, Error::Execution(_)));
    assert_eq!(
        executable.run(&[ramp(1.0), ramp(1.0)]).unwrap(),
        [ramp(1.0)]
    );
}

/// A handler with two results, one of them in the arena.
#[test]
fn custom_calls_write_their_results() {
    let results = vec![shape(), "tensor<7xi1>".parse().unwrap()];
    let site = CustomCallSite::new("halve", vec![shape()], results);
    let mut registry = CustomCallRegistry::empty();
    registry.register("halve", |call| {
        let operand = call.operands[0].to_literal()?;
        let [half, mask] = &mut call.results[..] else {
            return Err("two results are wanted".to_owned());
        };
        for (position, bytes) in half.bytes.chunks_exact_mut(4).enumerate() {
            let value = operand.get_f64(position) as f32 / 2.0;
            bytes.copy_from_slice(&value.to_ne_bytes());
        }
        assert_eq!(mask.bytes.len(), 7);
        mask.bytes.fill(1);
        Ok(())
    });
    let executable = load_with(delegate, 1, vec![site], &registry).unwrap();
    let results = executable.run(&[ramp(2.0), ramp(0.0)]).unwrap();
    assert_eq!(results, [ramp(1.0)]);
}

#[test]
fn defects_are_errors() {
    let error = load(check, 1, vec![site("no.such")]).err().unwrap();
    assert_eq!(
        error.to_string(),
        "a.mlir:1:2: error: no custom call @no.such is registered"
    );
    let executable = load(check, 1, Vec::new()).unwrap();
    let error = executable.run(&[ramp(1.0), ramp(1.0)]).unwrap_err();
    assert_eq!(error.to_string(), "internal error: no custom call site 0");
    let error = load(refuse, 1, Vec::new()).unwrap().run(&[ramp(1.0), ramp(1.0)]).unwrap_err();
    assert_eq!(error.to_string(), "the program returned status 7");
}
