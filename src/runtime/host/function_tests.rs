//! Functions with various faults.

use super::*;
use halo_core::{ElementType, Shape};

fn literal(values: &[f32]) -> Literal {
    Literal::from_slice(&[values.len()], values).unwrap()
}

/// An executable from one vector to one vector of the given types.
fn executable(
    (input, output): (&str, &str),
    function: impl Fn(&[Literal]) -> Result<Vec<Literal>> + Send + Sync + 'static,
) -> HostFunctionExecutable {
    let signature = Signature {
        name: "main".to_owned(),
        inputs: vec![input.parse().unwrap()],
        outputs: vec![output.parse().unwrap()],
        ..Signature::default()
    };
    HostFunctionExecutable::new(signature, function)
}

fn doubled(inputs: &[Literal]) -> Result<Vec<Literal>> {
    let doubled: Vec<f32> = (inputs[0].as_slice::<f32>()?.iter()).map(|x| 2.0 * x).collect();
    Ok(vec![literal(&doubled)])
}

const PAIR: (&str, &str) = ("tensor<2xf32>", "tensor<2xf32>");

#[test]
fn runs_at_once_and_on_a_stream() {
    let executable = executable(PAIR, doubled);
    let results = executable.run(&[literal(&[1.0, 2.0])]).unwrap();
    assert_eq!(results[0].as_slice::<f32>().unwrap(), [2.0, 4.0]);

    let device = executable.device();
    let stream = device.executor.create_stream().unwrap();
    let options = ExecuteOptions {
        stream: Some(&*stream),
        ..ExecuteOptions::default()
    };
    let input = device.to_device(&literal(&[3.0, 4.0])).unwrap();
    let outputs = executable.execute(&options, &[input]).unwrap();
    stream.block_until_done().unwrap();
    let result = device.to_host(&outputs[0]).unwrap();
    assert_eq!(result.as_slice::<f32>().unwrap(), [6.0, 8.0]);
}

#[test]
fn buffers_are_checked_before_the_call() {
    let executable = executable(PAIR, |_| panic!("it must not be called"));
    let device = executable.device();
    let long = device.allocate(&Shape::new(ElementType::F32, [3]).unwrap());
    let long = long.unwrap();
    let right = device.to_device(&literal(&[1.0, 2.0])).unwrap();
    let options = ExecuteOptions::default();
    let into = |inputs: &[DeviceBuffer], outputs: &[DeviceBuffer]| {
        let result = executable.execute_into(&options, inputs, outputs);
        result.unwrap_err().to_string()
    };
    let (right, long) = (std::slice::from_ref(&right), std::slice::from_ref(&long));
    assert_eq!(
        into(long, right),
        "input 0 of @main is tensor<2xf32>, but tensor<3xf32> was given"
    );
    assert_eq!(
        into(right, long),
        "output 0 of @main is tensor<2xf32>, but tensor<3xf32> was given"
    );
    assert_eq!(into(&[], right), "@main has 1 input, but 0 were given");
}

#[test]
fn wrong_results_and_panics_are_errors_of_the_run() {
    let run = |function: fn(&[Literal]) -> Result<Vec<Literal>>| {
        let executable = executable(PAIR, function);
        let message = |result: Result<Vec<Literal>>| result.unwrap_err().to_string();
        let first = message(executable.run(&[literal(&[1.0, 2.0])]));
        // The next run starts from the beginning.
        assert_eq!(message(executable.run(&[literal(&[1.0, 2.0])])), first);
        first
    };
    assert_eq!(
        run(|_| Ok(Vec::new())),
        "@main has 1 results, but 0 were computed"
    );
    assert_eq!(
        run(|_| Ok(vec![literal(&[1.0])])),
        "result 0 of @main is tensor<2xf32>, but tensor<1xf32> was computed"
    );
    assert_eq!(
        run(|inputs| panic!("{} inputs", inputs.len())),
        "internal error: @main panicked: 1 inputs"
    );
    assert_eq!(
        run(|_| Err(Error::execution("the device is on fire"))),
        "the device is on fire"
    );
}

#[test]
fn errors_on_a_stream_are_the_streams() {
    let executable = executable(PAIR, |_| panic!("boom"));
    let device = executable.device();
    let stream = device.executor.create_stream().unwrap();
    let options = ExecuteOptions {
        stream: Some(&*stream),
        ..ExecuteOptions::default()
    };
    let input = device.to_device(&literal(&[3.0, 4.0])).unwrap();
    executable.execute(&options, &[input]).unwrap();
    let error = stream.block_until_done().unwrap_err();
    assert_eq!(error.to_string(), "internal error: @main panicked: boom");
    stream.block_until_done().unwrap();
}

#[test]
fn sizes_of_results_may_follow_from_the_inputs() {
    let executable = executable(("tensor<?xf32>", "tensor<?xf32>"), doubled);
    for length in [0, 1, 5] {
        let input = literal(&vec![1.5; length]);
        let results = executable.run(std::slice::from_ref(&input)).unwrap();
        assert_eq!(results[0].as_slice::<f32>().unwrap(), vec![3.0; length]);
    }
}
