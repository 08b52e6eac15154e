//! The exceptions, and their attribute `diagnostics`.

use halo::core::{Diagnostic, Position};
use halo::runtime::Error;
use pyo3::{create_exception, exceptions::PyException, prelude::*};

create_exception!(halo_mlir, HaloError, PyException, "An error of Halo.");
create_exception!(
    halo_mlir,
    InvalidInputError,
    HaloError,
    "A program, a pipeline, an option or an array that cannot be used."
);
create_exception!(
    halo_mlir,
    ExecutionError,
    HaloError,
    "A valid program that failed while it ran."
);
create_exception!(halo_mlir, InternalError, HaloError, "A defect of Halo.");

/// An error in a program, at a position.
#[pyclass(name = "Diagnostic", module = "halo_mlir", frozen, get_all)]
pub struct PyDiagnostic {
    /// The file; `None` if the position is unknown.
    file: Option<String>,
    line: Option<usize>,
    column: Option<usize>,
    message: String,
    /// Lines of the program with a mark.
    excerpt: String,
    /// Notes as `file:line:col: message`.
    notes: Vec<String>,
}

#[pymethods]
impl PyDiagnostic {
    fn __repr__(&self) -> String {
        let place = match (&self.file, self.line, self.column) {
            (Some(file), Some(line), Some(column)) => format!("{file}:{line}:{column}: "),
            (Some(file), ..) => format!("{file}: "),
            _ => String::new(),
        };
        format!("<Diagnostic {place}{}>", self.message)
    }
}

impl From<&Diagnostic> for PyDiagnostic {
    fn from(diagnostic: &Diagnostic) -> Self {
        let place = diagnostic.position.as_ref();
        let line_column = place.and_then(|position| position.line_column);
        let note = |position: Option<&Position>, message: &str| match position {
            Some(position) => format!("{position}: {message}"),
            None => message.to_owned(),
        };
        Self {
            file: place.map(|position| position.file.clone()),
            line: line_column.map(|(line, _)| line),
            column: line_column.map(|(_, column)| column),
            message: diagnostic.message.clone(),
            excerpt: diagnostic.excerpt.clone(),
            notes: diagnostic
                .notes
                .iter()
                .map(|each| note(each.position.as_ref(), &each.message))
                .collect(),
        }
    }
}

/// The exception of an error in a program or in another argument.
pub fn exception(py: Python<'_>, error: &Error) -> PyErr {
    let text = error.to_string();
    let (exception, diagnostics) = match error {
        Error::InvalidInput { diagnostics, .. } => {
            (InvalidInputError::new_err(text), diagnostics.as_slice())
        }
        Error::Execution(diagnostic) => (
            ExecutionError::new_err(text),
            std::slice::from_ref(&**diagnostic),
        ),
        Error::Internal(_) => (InternalError::new_err(text), [].as_slice()),
    };
    let diagnostics: Vec<PyDiagnostic> = diagnostics.iter().map(PyDiagnostic::from).collect();
    match exception.value(py).setattr("diagnostics", diagnostics) {
        Ok(()) => exception,
        Err(error) => error,
    }
}
