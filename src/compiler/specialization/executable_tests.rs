use super::*;
use crate::specialization::{
    Inputs,
    tiers::{Compilation, Compiled, Tier},
};
use halo_backend::Program;
use halo_runtime::host::HostPlatform;
use std::{
    sync::{
        Condvar,
        atomic::{AtomicUsize, Ordering},
        mpsc::{Receiver, Sender, channel},
    },
    thread,
};

/// A program of one dynamic argument, which has one element as its result.
const PROGRAM: &str = "func.func @main(%x: tensor<?xi32>) -> tensor<i32>";

/// An executable that returns the number of its compilation.
struct Fake {
    signature: Signature,
    number: i32,
}

impl Executable for Fake {
    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn device(&self) -> &Device {
        unreachable!("results are on the device of the specializing executable")
    }

    fn execute_into(
        &self,
        _: &ExecuteOptions<'_>,
        _: &[DeviceBuffer],
        _: &[DeviceBuffer],
    ) -> Result<()> {
        Err(Error::internal("results have no memory"))
    }

    fn execute(&self, _: &ExecuteOptions<'_>, _: &[DeviceBuffer]) -> Result<Vec<DeviceBuffer>> {
        let result = HostPlatform::device().to_device(&Literal::scalar(self.number))?;
        Ok(vec![result])
    }
}

fn signature() -> Signature {
    Signature {
        name: "main".to_owned(),
        inputs: vec!["tensor<?xi32>".parse().unwrap()],
        outputs: vec!["tensor<i32>".parse().unwrap()],
        ..Signature::default()
    }
}

/// A compiler that records its calls.
#[derive(Default)]
struct Compiler {
    asked: Mutex<Vec<String>>,
    /// Told when something is noted.
    noted: Condvar,
}

impl Compiler {
    fn note(&self, inputs: Inputs<'_>, what: &str) -> i32 {
        let mut asked = self.asked.lock().unwrap();
        asked.push(format!("{what} {}", inputs.arguments));
        self.noted.notify_all();
        asked.len() as i32
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }

    fn wait_for(&self, what: &str) {
        let mut asked = self.asked.lock().unwrap();
        while !asked.iter().any(|text| text == what) {
            asked = self.noted.wait(asked).unwrap();
        }
    }

    /// An executable whose programs this makes. `background` is called before one is made
    /// in the background.
    fn executable(
        self: &Arc<Self>,
        background: impl Fn(&halo_backend::background::Cancellation) -> Result<()>
        + Send
        + Sync
        + 'static,
    ) -> SpecializingExecutable {
        let this = Arc::clone(self);
        let specialize = move |inputs: Inputs<'_>, compilation: Compilation<'_>| {
            let (number, tier) = match compilation {
                Compilation::FirstMeeting => (this.note(inputs, "quick"), Tier::Quick),
                Compilation::Background(cancellation) => {
                    let number = this.note(inputs, "full");
                    background(cancellation)?;
                    (number, Tier::Full)
                }
            };
            Ok(made(number, tier))
        };
        executable(Box::new(specialize))
    }
}

fn made(number: i32, tier: Tier) -> Compiled {
    let signature = signature();
    Compiled {
        executable: Box::new(Fake { signature, number }),
        tier,
    }
}

fn executable(specialize: Box<Specialize>) -> SpecializingExecutable {
    let context = crate::context();
    let code = format!(
        "{PROGRAM} {{\n  %0 = stablehlo.constant dense<0> : tensor<i32>\n  return %0 : \
         tensor<i32>\n}}"
    );
    let program = Program {
        name: "test.mlir".to_owned(),
        code: code.into_bytes(),
    };
    let module = halo_frontend::parse(&context, &program).unwrap();
    SpecializingExecutable::new(
        &module,
        signature(),
        HostPlatform::device(),
        None,
        specialize,
    )
}

/// Runs it on so many elements, and returns the number of the compilation.
fn run(executable: &SpecializingExecutable, elements: usize) -> Result<Literal> {
    let input = Literal::from_slice(&[elements], &vec![1_i32; elements]).unwrap();
    executable.run(&[input]).map(|results| results[0].clone())
}

fn number(executable: &SpecializingExecutable, elements: usize) -> i32 {
    let result = run(executable, elements).unwrap();
    result.as_slice::<i32>().unwrap()[0]
}

/// A gate that compilations wait at.
fn gate() -> (Sender<()>, impl Fn() + Send + Sync) {
    let (open, opened): (Sender<()>, Receiver<()>) = channel();
    let opened = Mutex::new(opened);
    (open, move || {
        // A test that failed opens it as well.
        let _ = opened.lock().unwrap().recv();
    })
}

#[test]
fn a_shape_is_optimized_in_the_background_when_it_is_met_again() {
    let compiler = Arc::new(Compiler::default());
    let (open, pass) = gate();
    let executable = compiler.executable(move |_| {
        pass();
        Ok(())
    });
    assert_eq!(number(&executable, 3), 1);
    assert_eq!(number(&executable, 4), 2);
    assert_eq!(
        compiler.asked(),
        ["quick tensor<3xi32>", "quick tensor<4xi32>"]
    );
    assert_eq!(number(&executable, 3), 1);
    compiler.wait_for("full tensor<3xi32>");
    // Quick code runs until the other one is ready.
    assert_eq!(number(&executable, 3), 1);
    open.send(()).unwrap();
    executable.jobs.wait();
    assert_eq!(number(&executable, 3), 3);
    assert_eq!(number(&executable, 4), 2);
    open.send(()).unwrap();
    executable.jobs.wait();
    assert_eq!(number(&executable, 4), 4);
    assert_eq!(compiler.asked().len(), 4);
}

#[test]
fn quick_code_stays_where_the_background_fails() {
    for panics in [false, true] {
        let compiler = Arc::new(Compiler::default());
        let executable = compiler.executable(move |_| {
            if panics {
                panic!("this panic is a part of the test")
            } else {
                Err(Error::internal("a defect"))
            }
        });
        for _ in 0..4 {
            assert_eq!(number(&executable, 3), 1);
            executable.jobs.wait();
        }
        assert!(!executable.finish_compilation());
        assert_eq!(
            compiler.asked(),
            ["quick tensor<3xi32>", "full tensor<3xi32>"]
        );
    }
}

#[test]
fn all_shapes_can_be_optimized_at_once() {
    let compiler = Arc::new(Compiler::default());
    let executable = compiler.executable(|_| Ok(()));
    assert!(!executable.finish_compilation());
    for elements in [3, 4] {
        number(&executable, elements);
    }
    assert!(executable.finish_compilation());
    assert!(!executable.finish_compilation());
    assert!(number(&executable, 3) > 2);
    assert!(number(&executable, 4) > 2);
    assert_eq!(compiler.asked().len(), 4);
}

#[test]
fn optimized_code_is_compiled_once() {
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let executable = executable(Box::new(move |_, compilation| {
        assert!(matches!(compilation, Compilation::FirstMeeting));
        Ok(made(
            counted.fetch_add(1, Ordering::Relaxed) as i32,
            Tier::Full,
        ))
    }));
    for _ in 0..3 {
        assert_eq!(number(&executable, 3), 0);
    }
    assert!(!executable.finish_compilation());
    assert_eq!(count.load(Ordering::Relaxed), 1);
}

#[test]
fn threads_that_meet_a_shape_wait_for_one_compilation() {
    let compiler = Arc::new(Compiler::default());
    let executable = compiler.executable(|_| Ok(()));
    thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    number(&executable, 3);
                }
            });
        }
    });
    executable.jobs.wait();
    assert_eq!(
        compiler.asked(),
        ["quick tensor<3xi32>", "full tensor<3xi32>"]
    );
}

#[test]
fn a_failure_ends_one_run() {
    let count = AtomicUsize::new(0);
    let executable = executable(Box::new(move |_, _| {
        match count.fetch_add(1, Ordering::Relaxed) {
            0 => Err(Error::invalid("sizes do not fit")),
            number => Ok(made(number as i32, Tier::Full)),
        }
    }));
    let error = run(&executable, 3).unwrap_err();
    assert_eq!(error.to_string(), "sizes do not fit");
    assert!(executable.compiled().is_empty());
    assert_eq!(number(&executable, 3), 1);
}

#[test]
fn an_executable_that_is_dropped_ends_its_compilations() {
    let compiler = Arc::new(Compiler::default());
    let executable = compiler.executable(|cancellation| {
        while !cancellation.is_cancelled() {
            thread::yield_now();
        }
        cancellation.check()
    });
    for elements in [3, 4] {
        number(&executable, elements);
        number(&executable, elements);
    }
    compiler.wait_for("full tensor<3xi32>");
    drop(executable);
    // The other one has not begun.
    assert_eq!(compiler.asked().len(), 3);
    // No references to the compiled code remain.
    assert_eq!(Arc::strong_count(&compiler), 1);
}

#[test]
fn a_full_table_begins_anew() {
    let compiler = Arc::new(Compiler::default());
    let executable = compiler.executable(|_| Ok(()));
    for elements in 0..=MOST_SPECIALIZATIONS {
        number(&executable, elements);
    }
    assert_eq!(executable.compiled().len(), 1);
    number(&executable, 0);
    assert_eq!(executable.compiled().len(), 2);
}
