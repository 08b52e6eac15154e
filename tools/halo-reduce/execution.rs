//! One test: compiles and runs a program as the command line says.

use crate::{
    cli::Cli,
    interest::{Outcome, first_line},
    judgement::{difference, rounded_otherwise},
};
use halo::{
    core::{Literal, Shape, ShapePattern, panics, random::Generator},
    ir::pass::run_pipeline,
    runtime::{CompileOptions, Environment, Error, Executable, Program, Signature},
};
use halo_drivers::run::value::Value;
use serde::{Deserialize, Serialize};

/// The size of dimensions that the program does not specify.
pub const UNKNOWN_SIZE: usize = 4;

/// A program to test.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Candidate {
    pub code: Vec<u8>,
    /// The function to run.
    pub entry: Option<String>,
    /// The indices of the command line's values that are the first inputs.
    pub given: Vec<usize>,
}

/// The options and inputs of the tests.
pub struct Execution<'a> {
    cli: &'a Cli,
    environment: &'a Environment,
    values: Vec<Value>,
    /// The passes that run instead of a backend, without the anchor.
    pipeline: Option<String>,
}

impl<'a> Execution<'a> {
    /// # Errors
    /// Returns an error if an input does not exist.
    pub fn new(
        cli: &'a Cli,
        environment: &'a Environment,
        pipeline: Option<&str>,
    ) -> Result<Self, Error> {
        Ok(Self {
            cli,
            environment,
            values: cli.values()?,
            pipeline: pipeline.map(without_anchor).transpose()?,
        })
    }

    /// Tests a program. A crash of the program crashes this process.
    pub fn test(&self, name: &str, candidate: &Candidate) -> Outcome {
        let caught = panics::catch(|| self.outcome(name, candidate));
        match caught {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(error)) => failure(&error),
            Err(panic) => Outcome::Faulty(format!("internal error: {panic}")),
        }
    }

    fn outcome(&self, name: &str, candidate: &Candidate) -> Result<Outcome, Error> {
        let program = Program {
            name: name.to_owned(),
            code: candidate.code.clone(),
        };
        if let Some(pipeline) = &self.pipeline {
            transformed(&program, pipeline)?;
            return Ok(Outcome::Passed);
        }
        let tested = CompileOptions {
            entry: candidate.entry.clone(),
            ..self.cli.compile_options(self.environment)
        };
        let Some((backend, reference)) = &self.cli.differs else {
            self.run(self.cli.backend.as_deref(), &program, candidate, &tested)?;
            return Ok(Outcome::Passed);
        };
        let (actual, _) = self.run(Some(backend), &program, candidate, &tested)?;
        let options = CompileOptions {
            entry: candidate.entry.clone(),
            ..self.cli.reference_options(self.environment)
        };
        let (expected, executable) = self.run(Some(reference), &program, candidate, &options)?;
        let noisy = || {
            let inputs = self.inputs(executable.signature(), candidate);
            let others = inputs.map(|inputs| inputs.iter().map(rounded_otherwise).collect());
            let results = others.and_then(|others: Vec<Literal>| executable.run(&others));
            results.unwrap_or_default()
        };
        let found = difference(self.cli, &actual, &expected, noisy).map_err(Error::execution)?;
        Ok(found.map_or(Outcome::Passed, Outcome::Differs))
    }

    fn run(
        &self,
        backend: Option<&str>,
        program: &Program,
        candidate: &Candidate,
        options: &CompileOptions,
    ) -> Result<(Vec<Literal>, Box<dyn Executable>), Error> {
        let registry = &self.environment.registry;
        let backend = match backend {
            Some(name) => registry.backend(name)?,
            None => registry.default_backend()?,
        };
        options.backend.check(backend.name, backend.compiler.description().options)?;
        let executable = backend.compiler.compile(program, options)?;
        let inputs = self.inputs(executable.signature(), candidate)?;
        Ok((executable.run(&inputs)?, executable))
    }

    /// The inputs: given ones, then the same as `halo-run --random-inputs` generates.
    fn inputs(&self, signature: &Signature, candidate: &Candidate) -> Result<Vec<Literal>, Error> {
        let mut generator = Generator::new(self.cli.random_inputs);
        let mut inputs = Vec::with_capacity(signature.inputs.len());
        for (position, pattern) in signature.inputs.iter().enumerate() {
            let given = candidate.given.get(position);
            let given = given.and_then(|number| self.values.get(*number));
            inputs.push(match given {
                Some(value) => value.load(pattern)?,
                None => generator.literal(&shape_of(pattern)?)?,
            });
        }
        signature.check_inputs(inputs.iter().map(Literal::shape))?;
        Ok(inputs)
    }
}

/// A static shape for a pattern; all dynamic sizes become the same.
fn shape_of(pattern: &ShapePattern) -> Result<Shape, Error> {
    let sizes = pattern.dims().iter();
    let sizes: Vec<usize> = sizes.map(|size| size.unwrap_or(UNKNOWN_SIZE)).collect();
    Ok(Shape::new(pattern.element_type(), sizes)?)
}

fn failure(error: &Error) -> Outcome {
    let text = error.to_string();
    let is_faulty = matches!(error, Error::Internal(_))
        || text.contains("internal error")
        || text.contains("left invalid IR");
    if is_faulty {
        Outcome::Faulty(text)
    } else {
        Outcome::Failed(text)
    }
}

/// A program after passes, as text.
///
/// # Errors
/// Returns an error if the program is not valid, or a pass fails.
pub fn transformed(program: &Program, pipeline: &str) -> Result<Vec<u8>, Error> {
    let context = halo::compiler::context();
    let mut module = halo::frontend::parse(&context, program)?;
    // The caller only wants to know whether it parses.
    if pipeline.is_empty() {
        return Ok(Vec::new());
    }
    let (result, errors) =
        halo::ir::diagnostics::with_diagnostics(&context, || run_pipeline(&mut module, pipeline));
    match result {
        Ok(()) => Ok(module.as_operation().to_string().into_bytes()),
        Err(error) => {
            let text = errors.first().map(ToString::to_string).unwrap_or_default();
            let said = first_line(&text);
            let is_ours = !matches!(error, halo::ir::pass::PipelineError::PassFailed(_));
            Err(if is_ours {
                Error::internal(format!("{error}: {said}"))
            } else {
                Error::diagnosed(error.to_string(), errors)
            })
        }
    }
}

/// The passes of `builtin.module(...)`.
///
/// # Errors
/// Returns an error if the text is of another form.
pub fn without_anchor(text: &str) -> Result<String, Error> {
    let inner = text.trim().split_once('(').and_then(|(anchor, rest)| {
        let rest = rest.strip_suffix(')')?;
        (matches!(anchor.trim(), "builtin.module" | "any")).then_some(rest)
    });
    inner.map(str::to_owned).ok_or_else(|| {
        Error::invalid(format!(
            "a pipeline is written 'builtin.module(...)', not '{text}'"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pipelines_have_an_anchor() {
        let passes = without_anchor("builtin.module(func.func(cse),canonicalize{a=1})");
        assert_eq!(passes.unwrap(), "func.func(cse),canonicalize{a=1}");
        assert!(without_anchor("cse").is_err());
        assert!(without_anchor("func.func(cse)").is_err());
    }

    #[test]
    fn open_sizes_are_alike() {
        let shape = shape_of(&"tensor<?x3x?xf32>".parse().unwrap()).unwrap();
        assert_eq!(shape.dims(), [4, 3, 4]);
    }
}
