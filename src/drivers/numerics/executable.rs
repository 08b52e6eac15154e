//! The two programs: the fast one, which detects a fault, and the one that names the op.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use halo_backend::{CompileOptions, Compiler, EditAction, Program};
use halo_runtime::{Device, DeviceBuffer, Error, Executable, ExecuteOptions, Result, Signature};

use super::Kinds;
use super::finder::Finder;
use crate::observation::{Observation, instrumented};

/// The call after a fault.
const FAULT: &str = "halo.numerics_fault";

/// The phase of passes after which faults are detected.
const FUSION: &str = "fusion";

/// A program whose runs are checked.
struct Checked {
    /// The program that detects faults; the naming one, if the backend has no linalg.
    fast: Box<dyn Executable>,
    /// Set by the program after a fault.
    has_fault: Arc<AtomicBool>,
    naming: Arc<Naming>,
    /// The program that names ops, once it was needed.
    named: Mutex<Option<Box<dyn Executable>>>,
}

/// The data to compile the program that names ops.
struct Naming {
    compiler: Arc<dyn Compiler>,
    program: Program,
    options: CompileOptions,
    finder: Arc<Finder>,
}

impl Naming {
    fn compile(&self, device: &Device) -> Result<Box<dyn Executable>> {
        let named = self.compiler.compile(&self.program, &self.options)?;
        if named.device().executor.ordinal() == device.executor.ordinal() {
            Ok(named)
        } else {
            named.on_device(device)
        }
    }
}

/// Compiles a program whose runs are checked.
pub fn compile(
    compiler: &Arc<dyn Compiler>,
    program: &Program,
    options: &CompileOptions,
    kinds: Kinds,
) -> Result<Box<dyn Executable>> {
    let finder = Arc::new(Finder::new(kinds));
    let observation = Observation {
        option: "--check-numerics",
        ops: "makes-floats=true".to_owned(),
    };
    let handler = Arc::clone(&finder);
    let observing =
        observation.instrument(&**compiler, options, move |call| handler.observe(call))?;
    let naming = Arc::new(Naming {
        compiler: Arc::clone(compiler),
        program: program.clone(),
        options: observing,
        finder,
    });
    let has_fault = Arc::new(AtomicBool::new(false));
    let fast = if compiler.phase(FUSION).is_ok() {
        let detecting = (EditAction::InsertAfter, FUSION, kinds.detecting());
        let mut detecting = instrumented(&**compiler, options, detecting)?;
        let mut calls = (*options.custom_calls).clone();
        let flag = Arc::clone(&has_fault);
        calls.register(FAULT, move |_| {
            flag.store(true, Ordering::Relaxed);
            Err("an op makes a number that --check-numerics looks for".to_owned())
        });
        detecting.custom_calls = Arc::new(calls);
        // The compiler would evaluate faults of constants.
        detecting.no_constant_folding = true;
        compiler.compile(program, &detecting)?
    } else {
        compiler.compile(program, &naming.options)?
    };
    Ok(Box::new(Checked {
        fast,
        has_fault,
        naming,
        named: Mutex::default(),
    }))
}

impl Checked {
    /// Runs the fast program, and after a fault the one that names the op.
    fn run<T>(
        &self,
        options: &ExecuteOptions<'_>,
        run: impl Fn(&dyn Executable, &ExecuteOptions<'_>) -> Result<T>,
    ) -> Result<T> {
        // A second run needs the inputs.
        let options = ExecuteOptions {
            donated: &[],
            ..*options
        };
        let finder = &self.naming.finder;
        let result = run(&*self.fast, &options);
        if let (Err(_), Some(found)) = (&result, finder.take()) {
            return Err(Error::Execution(found.into()));
        }
        if result.is_ok() || !self.has_fault.swap(false, Ordering::Relaxed) {
            return result;
        }
        if options.process.is_some() {
            return Err(Error::execution(
                "an op makes a number that --check-numerics looks for, but a program of several \
                 processes is not run again to find it",
            ));
        }
        let mut named = self.named.lock().unwrap_or_else(PoisonError::into_inner);
        let named = match &mut *named {
            Some(named) => named,
            none => none.insert(self.naming.compile(self.fast.device())?),
        };
        finder.start();
        let result = run(&**named, &options);
        match finder.take() {
            Some(found) if result.is_err() => Err(Error::Execution(found.into())),
            _ => result,
        }
    }
}

impl Executable for Checked {
    fn signature(&self) -> &Signature {
        self.fast.signature()
    }

    fn device(&self) -> &Device {
        self.fast.device()
    }

    fn execute_into(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
        outputs: &[DeviceBuffer],
    ) -> Result<()> {
        self.run(options, |executable, options| {
            executable.execute_into(options, inputs, outputs)
        })
    }

    fn execute(
        &self,
        options: &ExecuteOptions<'_>,
        inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        self.run(options, |executable, options| {
            executable.execute(options, inputs)
        })
    }

    fn finish_compilation(&self) -> bool {
        self.fast.finish_compilation()
    }

    fn on_device(&self, device: &Device) -> Result<Box<dyn Executable>> {
        Ok(Box::new(Self {
            fast: self.fast.on_device(device)?,
            has_fault: Arc::clone(&self.has_fault),
            naming: Arc::clone(&self.naming),
            named: Mutex::default(),
        }))
    }

    fn temporary_bytes(&self) -> Option<usize> {
        self.fast.temporary_bytes()
    }

    /// Outputs in the memory of inputs would overwrite the inputs of a second run.
    fn take_outputs(
        &self,
        _options: &ExecuteOptions<'_>,
        _inputs: &[DeviceBuffer],
    ) -> Result<Vec<DeviceBuffer>> {
        self.allocate_outputs()
    }

    fn allocate_outputs(&self) -> Result<Vec<DeviceBuffer>> {
        self.fast.allocate_outputs()
    }
}
