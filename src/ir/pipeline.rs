//! Pipelines of passes as data.
//!
//! MLIR parses a pipeline from text, in which a renamed pass, an undeclared option, or a value of
//! the wrong kind is only detected when the pipeline runs. A [`Pipeline`] refers to a pass of Halo
//! by its [`PassDeclaration`], so that a removed pass does not compile, and to a pass of upstream
//! by its name. [`Pipeline::check`] compares options with their declarations. The text is generated
//! for MLIR: in [`Pipeline::run`], [`register_pipeline`](crate::pass::register_pipeline) and
//! `Display`.
//!
//! ```
//! use halo_ir::{
//!     ops::func,
//!     pass::PassDeclaration,
//!     pass_options, pipeline,
//!     pipeline::{Pipeline, nest, pass, upstream},
//! };
//!
//! pass_options! {
//!     struct UnrollOptions {
//!         /// The number of copies of a body
//!         factor: i64 = 4,
//!     }
//! }
//!
//! static UNROLL: PassDeclaration =
//!     PassDeclaration::new("unroll-loops", "Unroll loops of few iterations", |_| Ok(()))
//!         .options::<UnrollOptions>();
//!
//! let mut passes = pipeline![
//!     nest::<func::FuncOp>(pipeline![pass(&UNROLL).option("factor", 8)]),
//!     upstream("canonicalize").option("region-simplify", "disabled"),
//! ];
//! let statistics = false;
//! passes.append(pipeline![upstream("cse"), statistics.then(|| upstream("print-op-stats"))]);
//! assert_eq!(passes.check(), Ok(()));
//! assert_eq!(
//!     passes.to_string(),
//!     "func.func(unroll-loops{factor=8}),canonicalize{region-simplify=disabled},cse",
//! );
//!
//! // What a user wrote.
//! let written = Pipeline::parse("func.func(canonicalize{max-iterations=3}),cse").unwrap();
//! assert_eq!(written.steps.len(), 2);
//! assert_eq!(
//!     Pipeline::parse("cse,(").unwrap_err().to_string(),
//!     "expected the name of a pass at character 5 of 'cse,('",
//! );
//!
//! let wrong = pipeline![pass(&UNROLL).option("factor", true)];
//! assert_eq!(
//!     wrong.check().unwrap_err().to_string(),
//!     "option 'factor' of pass 'unroll-loops' is an integer, not 'true'",
//! );
//! ```

mod text;

use crate::{
    ops::definition::Op,
    pass::{
        ANY_OPERATION, OptionKind, PassDeclaration, PassOption, PipelineError, Verification,
        run_pipeline_with,
    },
};
use melior::ir::Module;
use std::{borrow::Cow, fmt};

/// The op that the outermost passes of a pipeline run on.
const MODULE: &str = "builtin.module";

/// Passes in their order, for the body of a module or of the op that they are nested
/// in.
#[derive(Clone, Debug, Default)]
pub struct Pipeline {
    /// The steps, first to last.
    pub steps: Vec<Step>,
}

/// One step of a pipeline.
#[derive(Clone, Debug)]
pub enum Step {
    /// A pass runs on the op.
    Pass(ScheduledPass),
    /// Passes run on each op of a type in the op's body.
    Nested {
        /// The name of the ops.
        anchor: Cow<'static, str>,
        /// The steps that run on them.
        pipeline: Pipeline,
    },
}

/// A pass with the values of its options.
#[derive(Clone, Debug)]
pub struct ScheduledPass {
    /// Which one.
    pub pass: PassReference,
    /// Options that do not have their default, by name.
    pub options: Vec<(Cow<'static, str>, OptionValue)>,
}

/// A pass, by declaration or by name.
#[derive(Clone, Debug)]
pub enum PassReference {
    /// A pass written in Rust.
    Declared(&'static PassDeclaration),
    /// A pass of upstream.
    Upstream(Cow<'static, str>),
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq)]
pub enum OptionValue {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Integer(i64),
    /// A number that need not be an integer.
    Float(f64),
    /// A text.
    Text(Cow<'static, str>),
    /// Texts, joined by commas.
    List(Vec<Cow<'static, str>>),
}

/// A pipeline of the given steps in order: the results of [`pass`], [`upstream`] or [`nest`], other
/// pipelines, whose steps it takes over, and steps in an `Option`.
#[macro_export]
macro_rules! pipeline {
    ($($step:expr),* $(,)?) => {
        $crate::pipeline::Pipeline::concat([$($crate::pipeline::Pipeline::from($step)),*])
    };
}

/// A pass written in Rust.
pub fn pass(declaration: &'static PassDeclaration) -> ScheduledPass {
    ScheduledPass {
        pass: PassReference::Declared(declaration),
        options: Vec::new(),
    }
}

/// A pass of upstream, by its name without leading dashes.
pub fn upstream(name: impl Into<Cow<'static, str>>) -> ScheduledPass {
    ScheduledPass {
        pass: PassReference::Upstream(name.into()),
        options: Vec::new(),
    }
}

/// Passes that run on each op of a type.
pub fn nest<'c, O: Op<'c>>(pipeline: Pipeline) -> Step {
    Step::Nested {
        anchor: O::NAME.into(),
        pipeline,
    }
}

impl ScheduledPass {
    /// The pass with a value for an option.
    #[must_use]
    pub fn option(
        mut self,
        name: impl Into<Cow<'static, str>>,
        value: impl Into<OptionValue>,
    ) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// The name of the pass, without leading dashes.
    pub fn name(&self) -> &str {
        match &self.pass {
            PassReference::Declared(declaration) => declaration.argument,
            PassReference::Upstream(name) => name,
        }
    }

    fn check(&self, anchor: &str) -> Result<(), String> {
        let name = self.name();
        for (option, value) in &self.options {
            if !value.is_written_exactly() {
                return Err(format!(
                    "option '{option}' of pass '{name}' has a value with quotes, unpaired \
                     braces, or spaces at its ends"
                ));
            }
        }
        let PassReference::Declared(declaration) = self.pass else {
            return Ok(());
        };
        if ![ANY_OPERATION, anchor].contains(&declaration.anchor) {
            return Err(format!(
                "pass '{name}' runs on '{}', not on '{anchor}'",
                declaration.anchor
            ));
        }
        for (option, value) in &self.options {
            let declared = declaration.options.iter().find(|other| other.name == option);
            let Some(declared) = declared else {
                return Err(format!("pass '{name}' has no option '{option}'"));
            };
            if !value.is_of(declared) {
                return Err(declared.mismatch(name, value));
            }
        }
        Ok(())
    }
}

impl OptionValue {
    /// Returns true if an option may have the value. A number is not a bool, nor a text a number.
    fn is_of(&self, option: &PassOption) -> bool {
        let may_be = match self {
            Self::Bool(_) => matches!(option.kind, OptionKind::Bool),
            Self::Integer(_) => {
                matches!(option.kind, OptionKind::Integer { .. } | OptionKind::Float)
            }
            Self::Float(_) => matches!(option.kind, OptionKind::Float),
            Self::Text(_) => matches!(
                option.kind,
                OptionKind::String
                    | OptionKind::Words(_)
                    | OptionKind::Machine
                    | OptionKind::List(_)
            ),
            Self::List(_) => matches!(option.kind, OptionKind::String | OptionKind::List(_)),
        };
        may_be && option.kind.accepts(&self.to_string())
    }

    /// Returns true if MLIR parses the text as the same value.
    fn is_written_exactly(&self) -> bool {
        match self {
            Self::Bool(_) | Self::Integer(_) | Self::Float(_) => true,
            Self::Text(text) => is_plain(text),
            Self::List(texts) => texts
                .iter()
                .all(|text| is_plain(text) && !text.is_empty() && !text.contains(',')),
        }
    }
}

/// Returns true if a text has no quotes, balanced braces, and no spaces around it.
fn is_plain(text: &str) -> bool {
    let mut depth = 0i64;
    for byte in text.bytes() {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            b'"' | b'\'' => return false,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0 && text.trim() == text
}

impl Pipeline {
    /// The steps of several pipelines, in order.
    pub fn concat<const N: usize>(parts: [Pipeline; N]) -> Self {
        let steps = parts.into_iter().flat_map(|part| part.steps);
        Self {
            steps: steps.collect(),
        }
    }

    /// Adds a step at the end.
    pub fn push(&mut self, step: impl Into<Step>) {
        self.steps.push(step.into());
    }

    /// Adds the steps of another pipeline at the end.
    pub fn append(&mut self, other: Pipeline) {
        self.steps.extend(other.steps);
    }

    /// Checks that each pass runs on the op that it declares, and supports its options, with values
    /// of their kinds. The options of upstream's passes are checked by MLIR in [`run`](Self::run).
    ///
    /// # Errors
    /// Returns [`PipelineError::NotParsed`] with the first invalid pass.
    pub fn check(&self) -> Result<(), PipelineError> {
        self.check_on(MODULE).map_err(PipelineError::NotParsed)
    }

    pub(crate) fn check_on(&self, anchor: &str) -> Result<(), String> {
        self.steps.iter().try_for_each(|step| match step {
            Step::Pass(pass) => pass.check(anchor),
            Step::Nested { anchor, pipeline } => pipeline.check_on(anchor),
        })
    }

    /// Runs the passes on a module like [`run_pipeline`](crate::pass::run_pipeline), after checking
    /// them.
    ///
    /// # Errors
    /// Returns the errors of [`check`](Self::check) and
    /// [`run_pipeline`](crate::pass::run_pipeline).
    pub fn run(&self, module: &mut Module) -> Result<(), PipelineError> {
        self.run_with(module, Verification::AtEnd)
    }

    /// Runs the passes on a module like [`run`](Self::run), with the given verification.
    ///
    /// # Errors
    /// Returns the errors of [`run`](Self::run).
    pub fn run_with(
        &self,
        module: &mut Module,
        verification: Verification,
    ) -> Result<(), PipelineError> {
        self.check()?;
        run_pipeline_with(module, &self.to_string(), verification)
    }
}

impl From<ScheduledPass> for Step {
    fn from(pass: ScheduledPass) -> Self {
        Self::Pass(pass)
    }
}

impl From<&'static PassDeclaration> for Step {
    fn from(declaration: &'static PassDeclaration) -> Self {
        Self::Pass(pass(declaration))
    }
}

impl From<Step> for Pipeline {
    fn from(step: Step) -> Self {
        Self { steps: vec![step] }
    }
}

impl From<ScheduledPass> for Pipeline {
    fn from(pass: ScheduledPass) -> Self {
        Step::from(pass).into()
    }
}

impl From<&'static PassDeclaration> for Pipeline {
    fn from(declaration: &'static PassDeclaration) -> Self {
        pass(declaration).into()
    }
}

impl<S: Into<Pipeline>> From<Option<S>> for Pipeline {
    fn from(step: Option<S>) -> Self {
        step.map(Into::into).unwrap_or_default()
    }
}

impl From<bool> for OptionValue {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for OptionValue {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

impl From<i32> for OptionValue {
    fn from(value: i32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<u32> for OptionValue {
    fn from(value: u32) -> Self {
        Self::Integer(value.into())
    }
}

impl From<f64> for OptionValue {
    fn from(value: f64) -> Self {
        Self::Float(value)
    }
}

impl From<&'static str> for OptionValue {
    fn from(value: &'static str) -> Self {
        Self::Text(value.into())
    }
}

impl From<String> for OptionValue {
    fn from(value: String) -> Self {
        Self::Text(value.into())
    }
}

impl From<&[&'static str]> for OptionValue {
    fn from(values: &[&'static str]) -> Self {
        Self::List(values.iter().copied().map(Cow::Borrowed).collect())
    }
}

impl<const N: usize> From<[&'static str; N]> for OptionValue {
    fn from(values: [&'static str; N]) -> Self {
        Self::from(values.as_slice())
    }
}

/// In MLIR's syntax, without the enclosing `builtin.module(...)`.
impl fmt::Display for Pipeline {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        for (position, step) in self.steps.iter().enumerate() {
            if position > 0 {
                formatter.write_str(",")?;
            }
            write!(formatter, "{step}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Pass(pass) => write!(formatter, "{pass}"),
            Self::Nested { anchor, pipeline } => write!(formatter, "{anchor}({pipeline})"),
        }
    }
}

impl fmt::Display for ScheduledPass {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(self.name())?;
        if self.options.is_empty() {
            return Ok(());
        }
        for (position, (name, value)) in self.options.iter().enumerate() {
            let before = if position == 0 { '{' } else { ' ' };
            let text = value.to_string();
            // MLIR removes the quotes again.
            if text.contains(char::is_whitespace) {
                write!(formatter, "{before}{name}=\"{text}\"")?
            } else {
                write!(formatter, "{before}{name}={text}")?
            }
        }
        formatter.write_str("}")
    }
}

impl fmt::Display for OptionValue {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(formatter, "{value}"),
            Self::Integer(value) => write!(formatter, "{value}"),
            Self::Float(value) => write!(formatter, "{value}"),
            Self::Text(text) => formatter.write_str(text),
            Self::List(texts) => formatter.write_str(&texts.join(",")),
        }
    }
}
