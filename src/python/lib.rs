//! The module `halo_mlir._halo`: programs, passes, compilation and execution.
//!
//! Arrays are an element type, sizes and bytes; the package in Python converts arrays of numpy.
//! Modules are MLIR bytecode, so that they belong to no context and no thread.

mod errors;

use errors::{
    ExecutionError, HaloError, InternalError, InvalidInputError, PyDiagnostic, exception,
};
use halo::{
    Plugin, compiler,
    core::{ElementType, Literal, Shape, ShapePattern},
    frontend,
    frontend::portable_artifact,
    hlo,
    ir::{limits, pipeline::Pipeline},
    runtime::{
        CompileOptions, Environment, Error, Executable, Program, Signature,
        cuda::{CudaPlatform, CudaTransferManager},
    },
};
use halo_shared as _;
use pyo3::{buffer::PyBuffer, prelude::*, types::PyByteArray, types::PyBytes};
use std::{
    num::NonZeroUsize,
    path::PathBuf,
    sync::{Arc, LazyLock},
    thread,
};

/// Halo's backends.
static ENVIRONMENT: LazyLock<Result<Environment, String>> = LazyLock::new(|| {
    let mut environment = Plugin::install_all(&[]).map_err(|error| error.to_string())?;
    environment
        .registry
        .register_platform(Arc::new(CudaPlatform::new()), Arc::new(CudaTransferManager));
    Ok(environment)
});

fn environment() -> Result<&'static Environment, Error> {
    ENVIRONMENT.as_ref().map_err(|error| Error::internal(error.clone()))
}

/// Runs a function that may nest as deeply as a program, without the interpreter's lock.
fn detached<T: Send>(
    py: Python<'_>,
    function: impl FnOnce() -> Result<T, Error> + Send,
) -> PyResult<T> {
    let result = py.detach(|| {
        thread::scope(|scope| {
            let thread = thread::Builder::new().stack_size(limits::STACK_BYTES);
            let running = thread
                .spawn_scoped(scope, function)
                .map_err(|error| Error::execution(format!("cannot start a thread: {error}")))?;
            running.join().unwrap_or_else(|_| Err(Error::internal("a panic")))
        })
    });
    result.map_err(|error| exception(py, &error))
}

/// The type of a tensor: the name of its element type, and its sizes.
type TensorType = (String, Vec<Option<usize>>);

fn tensor_types(patterns: &[ShapePattern]) -> Vec<TensorType> {
    let tensor = |pattern: &ShapePattern| {
        let element = pattern.element_type().to_string();
        (element, pattern.dims().to_vec())
    };
    patterns.iter().map(tensor).collect()
}

/// A program.
#[pyclass(module = "halo_mlir", frozen)]
struct Module {
    program: Program,
    /// `None` if no function is the entry.
    signature: Option<Signature>,
}

impl Module {
    /// Reads a program of any format, and runs a pipeline.
    fn new(program: &Program, pipeline: Option<&str>) -> Result<Self, Error> {
        environment()?;
        let context = compiler::context();
        let in_file = |error: Error| error.in_file(&program.name);
        let mut module = frontend::parse(&context, program).map_err(in_file)?;
        if let Some(text) = pipeline {
            let invalid = |error: &dyn std::fmt::Display| Error::invalid(error.to_string());
            let pipeline = Pipeline::parse(text).map_err(|error| invalid(&error))?;
            pipeline.check_in(&context).map_err(|error| invalid(&error))?;
            hlo::run_pipeline(&context, &mut module, &pipeline).map_err(in_file)?;
        }
        Ok(Self {
            program: Program {
                name: program.name.clone(),
                code: halo::ir::diagnostics::bytecode_of(&module),
            },
            signature: frontend::entry_signature(&module).ok(),
        })
    }

    fn signature(&self) -> PyResult<&Signature> {
        self.signature.as_ref().ok_or_else(|| {
            InvalidInputError::new_err(format!("{}: no function is the entry", self.program.name))
        })
    }
}

#[pymethods]
impl Module {
    /// The name in messages, such as the path of a file.
    #[getter]
    fn name(&self) -> &str {
        &self.program.name
    }

    /// The inputs of the entry.
    #[getter]
    fn inputs(&self) -> PyResult<Vec<TensorType>> {
        Ok(tensor_types(&self.signature()?.inputs))
    }

    /// The results of the entry.
    #[getter]
    fn outputs(&self) -> PyResult<Vec<TensorType>> {
        Ok(tensor_types(&self.signature()?.outputs))
    }

    /// The program as MLIR bytecode.
    #[getter]
    fn bytecode<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.program.code)
    }

    /// The program as a portable artifact of StableHLO, by default of the current version.
    #[pyo3(signature = (version=None))]
    fn artifact<'py>(
        &self,
        py: Python<'py>,
        version: Option<&str>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = detached(py, || {
            let version = match version {
                Some(text) => text.parse().map_err(|error| Error::invalid(format!("{error}")))?,
                None => halo::vhlo::Version::CURRENT,
            };
            let context = compiler::context();
            let module = frontend::parse(&context, &self.program)?;
            portable_artifact::serialize(&module, version)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The program as text.
    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || {
            let context = compiler::context();
            let module = frontend::parse(&context, &self.program)?;
            Ok(module.as_operation().to_string())
        })
    }

    fn __repr__(&self) -> String {
        format!("<halo_mlir.Module {:?}>", self.program.name)
    }
}

/// Reads a program: text of MLIR or HLO, bytecode, or a portable artifact.
#[pyfunction]
fn parse(py: Python<'_>, code: Vec<u8>, name: String) -> PyResult<Module> {
    detached(py, || Module::new(&Program { name, code }, None))
}

/// The program after a pipeline, in MLIR's syntax.
#[pyfunction]
fn run_passes(py: Python<'_>, module: &Module, pipeline: &str) -> PyResult<Module> {
    detached(py, || Module::new(&module.program, Some(pipeline)))
}

/// The name of an element type, sizes, and the bytes of the elements.
type Array<Bytes> = (String, Vec<usize>, Bytes);

/// A compiled program.
#[pyclass(name = "Executable", module = "halo_mlir", frozen)]
struct PyExecutable {
    executable: Box<dyn Executable>,
    #[pyo3(get)]
    backend: String,
}

#[pymethods]
impl PyExecutable {
    #[getter]
    fn inputs(&self) -> Vec<TensorType> {
        tensor_types(&self.executable.signature().inputs)
    }

    #[getter]
    fn outputs(&self) -> Vec<TensorType> {
        tensor_types(&self.executable.signature().outputs)
    }

    /// Runs the program on arrays.
    fn run<'py>(
        &self,
        py: Python<'py>,
        inputs: Vec<Array<PyBuffer<u8>>>,
    ) -> PyResult<Vec<Array<Bound<'py, PyByteArray>>>> {
        let literals = inputs
            .iter()
            .map(|(element, dims, buffer)| {
                let bytes = buffer.to_vec(py)?;
                let literal = element
                    .parse()
                    .and_then(|element: ElementType| Shape::new(element, dims.as_slice()))
                    .and_then(|shape| Literal::from_bytes(shape, &bytes));
                literal.map_err(|error| exception(py, &Error::from(error)))
            })
            .collect::<PyResult<Vec<Literal>>>()?;
        let results = py
            .detach(|| self.executable.run(&literals))
            .map_err(|error| exception(py, &error))?;
        let array = |literal: &Literal| {
            (
                literal.element_type().to_string(),
                literal.dims().to_vec(),
                PyByteArray::new(py, literal.bytes()),
            )
        };
        Ok(results.iter().map(array).collect())
    }

    fn __repr__(&self) -> String {
        format!(
            "<halo_mlir.Executable of {:?} for {}>",
            self.executable.signature().name,
            self.backend
        )
    }
}

/// Compiles a program for a backend, with options that the backend declares.
#[pyfunction]
#[pyo3(signature = (module, backend, entry, threads, dump_dir, options))]
fn compile(
    py: Python<'_>,
    module: &Module,
    backend: String,
    entry: Option<String>,
    threads: Option<NonZeroUsize>,
    dump_dir: Option<PathBuf>,
    options: Vec<(String, String)>,
) -> PyResult<PyExecutable> {
    let executable = detached(py, || {
        let environment = environment()?;
        let mut compile = CompileOptions {
            entry,
            threads,
            dump_dir,
            custom_calls: environment.custom_calls.clone(),
            ..CompileOptions::default()
        };
        for (name, value) in options {
            compile.backend.set(name, value);
        }
        let backend = environment.registry.backend(&backend)?;
        let compiler = &backend.compiler;
        compile.backend.check(backend.name, compiler.description().options)?;
        let program = &module.program;
        compiler
            .compile(program, &compile)
            .map_err(|error| error.in_file(&program.name))
    })?;
    Ok(PyExecutable {
        executable,
        backend,
    })
}

/// The names of the backends.
#[pyfunction]
fn backends(py: Python<'_>) -> PyResult<Vec<String>> {
    let environment = environment().map_err(|error| exception(py, &error))?;
    let backends = environment.registry.backends();
    Ok(backends.iter().map(|backend| backend.name.to_string()).collect())
}

#[pymodule]
mod _halo {
    #[pymodule_export]
    use super::{
        ExecutionError, HaloError, InternalError, InvalidInputError, Module, PyDiagnostic,
        PyExecutable, backends, compile, parse, run_passes,
    };
}
