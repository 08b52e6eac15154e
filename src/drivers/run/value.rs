//! The values that the command line names, files or literals, and the values recorded with a
//! program.

use std::path::PathBuf;

use halo_core::file::{check_target, is_standard_stream};
use halo_core::random::Generator;
use halo_core::{Literal, ShapePattern, npy};
use halo_runtime::{Error, Result, Signature};

/// A value that a program is run on or compared with.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    File(PathBuf),
    /// An `.npy` file, after the ones of earlier values.
    StandardInput,
    Literal(String),
    /// The contents of the program's file.
    Recorded(Literal),
}

impl Value {
    /// Parses `@FILE` or a literal, and checks that the file exists.
    ///
    /// # Errors
    /// Returns an invalid-input error if it is not.
    pub fn new(text: &str) -> Result<Self> {
        let Some(file) = text.strip_prefix('@') else {
            return Ok(Self::Literal(text.to_owned()));
        };
        let path = PathBuf::from(file);
        if is_standard_stream(&path) {
            return Ok(Self::StandardInput);
        }
        if let Err(error) = std::fs::File::open(&path) {
            return Err(Error::invalid_file(file, error.to_string()));
        }
        Ok(Self::File(path))
    }

    /// Loads the value, whose shape must match `pattern`.
    ///
    /// # Errors
    /// Returns an invalid-input error if it cannot be read; its type may be another.
    pub fn load(&self, pattern: &ShapePattern) -> Result<Literal> {
        Ok(match self {
            Self::Recorded(literal) => literal.clone(),
            Self::File(path) => npy::read(path, Some(pattern.element_type()))?,
            Self::StandardInput => npy::read_from(
                &mut std::io::stdin().lock(),
                "<stdin>",
                Some(pattern.element_type()),
            )?,
            // A literal for an input of any size has its size.
            Self::Literal(text) => {
                if pattern.is_static() {
                    Literal::parse(text, Some(&pattern.to_shape()?))?
                } else {
                    Literal::parse(text, None)?
                }
            }
        })
    }

    /// Returns true if it is read from standard input.
    pub fn is_standard_input(&self) -> bool {
        *self == Self::StandardInput
    }

    /// The name of the value in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::StandardInput => "<stdin>".to_owned(),
            Self::Literal(_) | Self::Recorded(_) => "the value expected".to_owned(),
        }
    }
}

/// The path of an `--output`.
///
/// # Errors
/// Returns an invalid-input error if it lacks the `@` or the directory does not exist, which is
/// better known before a long run than after.
pub fn output_path(text: &str) -> Result<PathBuf> {
    let path = text
        .strip_prefix('@')
        .filter(|path| !path.is_empty())
        .map(PathBuf::from)
        .ok_or_else(|| Error::invalid(format!("--output takes @FILE.npy, not '{text}'")))?;
    check_target(&path)
        .map_err(|error| Error::invalid_file(path.display().to_string(), error.to_string()))?;
    Ok(path)
}

/// Checks the number of given inputs, which depends on whether the others are generated.
///
/// # Errors
/// Returns an invalid-input error if there are too many or too few.
pub fn check_count(signature: &Signature, given: usize, makes_up: bool) -> Result<()> {
    let needed = signature.inputs.len();
    if given == needed || (given < needed && makes_up) {
        return Ok(());
    }
    let plural = if needed == 1 { "" } else { "s" };
    let hint = if given < needed {
        " (give them with --input, or use --random-inputs)"
    } else {
        ""
    };
    Err(Error::invalid(format!(
        "@{} takes {needed} input{plural}, but {given} were given{hint}",
        signature.name
    )))
}

/// The inputs of a program: the given ones, then random ones if there is a seed.
///
/// # Errors
/// Returns an invalid-input error if there are too many or too few, or one has another type than in
/// the signature.
pub fn inputs(signature: &Signature, given: &[Value], seed: Option<u64>) -> Result<Vec<Literal>> {
    check_count(signature, given.len(), seed.is_some())?;
    let needed = signature.inputs.len();
    let mut generator = Generator::new(seed.unwrap_or(0));
    let mut inputs = Vec::with_capacity(needed);
    for (position, pattern) in signature.inputs.iter().enumerate() {
        inputs.push(match given.get(position) {
            Some(value) => value.load(pattern)?,
            None if pattern.is_static() => generator.literal(&pattern.to_shape()?)?,
            None => {
                return Err(Error::invalid(format!(
                    "input {position} of @{} is {pattern}, of which random inputs cannot choose \
                     the sizes (give it with --input)",
                    signature.name
                )));
            }
        });
    }
    signature.check_inputs(inputs.iter().map(Literal::shape))?;
    Ok(inputs)
}
