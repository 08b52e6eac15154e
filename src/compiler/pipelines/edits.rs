//! Changes to the phases of a backend, by the names of phases and passes.
//!
//! The phases of a backend depend on its target, so edits are stored as a list of [`PipelineEdit`]s
//! that [`edited`] applies to the phases of each compilation. [`Edits`] builds the list from passes
//! instead of texts: `Edits::new().insert_before("linalg",
//! &MY_PASS).remove("halo-cse#all").apply_to(backend)`. `src/halo/tests/edited_pipeline.rs` is an
//! example.
//!
//! | place | meaning |
//! |---|---|
//! | `linalg` | a phase: its beginning, its end, or all its passes |
//! | `halo-bufferize` | the only pass of this name in all phases |
//! | `bufferized/halo-cse` | the only pass of this name in a phase |
//! | `bufferized/halo-cse#2`, `halo-cse#7` | one of several, counted from 1 |
//! | `halo-cse#all` | each of them |
//!
//! A pass is inserted next to the named one, on the op that the named one runs on: next to
//! `func.func(halo-detensorize)`, both run on functions. A pass that declares that it runs on the
//! module runs between the passes on functions. At the beginning or the end of a phase, a pass that
//! declares another op than the module is nested. A phase of which all passes are removed remains
//! as a name without passes.

use super::{
    phase::{Phase, for_each_pass},
    place::Place,
};
use halo_backend::{Backend, CompileOptions, EditAction, PipelineEdit};
use halo_codegen::{
    add_debug_info,
    bufferize::{buffer_assignment, externalize_constants},
    fusion::{apply_schedule, fuse_contraction_chains},
};
use halo_ir::{
    pass::{ANY_OPERATION, OptionKind, PassDeclaration, is_registered, register_pass, registered},
    pipeline,
    pipeline::{OptionValue, PassReference, Pipeline, ScheduledPass, Step, pass},
};
use halo_runtime::{Error, Result};
use melior::Context;
use std::{borrow::Cow, cell::LazyCell};

/// The op that the passes of a phase run on.
const MODULE: &str = "builtin.module";

/// Changes to the phases of a backend, in order.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    edits: Vec<PipelineEdit>,
    declarations: Vec<&'static PassDeclaration>,
}

/// Passes to insert: a declaration, a scheduled pass, a pipeline, or text in MLIR's syntax.
pub struct Passes {
    text: String,
    declarations: Vec<&'static PassDeclaration>,
}

impl Edits {
    /// No changes.
    pub fn new() -> Self {
        Self::default()
    }

    /// Runs passes at the beginning of a phase, or before a pass.
    #[must_use]
    pub fn insert_before(self, place: &str, passes: impl Into<Passes>) -> Self {
        self.with(EditAction::InsertBefore, place, passes.into())
    }

    /// Runs passes at the end of a phase, or after a pass.
    #[must_use]
    pub fn insert_after(self, place: &str, passes: impl Into<Passes>) -> Self {
        self.with(EditAction::InsertAfter, place, passes.into())
    }

    /// Replaces all passes of a phase, or one pass.
    #[must_use]
    pub fn replace(self, place: &str, passes: impl Into<Passes>) -> Self {
        self.with(EditAction::Replace, place, passes.into())
    }

    /// Removes all passes of a phase, or one pass.
    #[must_use]
    pub fn remove(self, place: &str) -> Self {
        let nothing = Passes {
            text: String::new(),
            declarations: Vec::new(),
        };
        self.with(EditAction::Remove, place, nothing)
    }

    /// Runs the sequences of a file before fusion groups are formed
    /// (`halo_codegen::fusion::apply_schedule`).
    #[must_use]
    pub fn schedule(mut self, file: &str) -> Self {
        self.edits.push(PipelineEdit::schedule(file));
        self
    }

    fn with(mut self, action: EditAction, place: &str, passes: Passes) -> Self {
        self.edits.push(PipelineEdit {
            action,
            place: place.to_owned(),
            passes: passes.text,
        });
        self.declarations.extend(passes.declarations);
        self
    }

    /// The backend with these changes. Adds unregistered passes to the registry.
    ///
    /// # Errors
    /// Returns invalid input that names the change, if the backend has no such phase or pass, an
    /// option is wrong, or another pass is registered under the same name.
    pub fn apply_to(&self, backend: &Backend) -> Result<Backend> {
        crate::register_passes();
        for declaration in &self.declarations {
            let is_same = |other: &&PassDeclaration| std::ptr::eq(*other, *declaration);
            let mut known = registered().into_iter();
            if !known.any(|known| known.declaration.as_ref().is_some_and(is_same)) {
                let added = register_pass(declaration);
                added.map_err(|error| Error::invalid(error.to_string()))?;
            }
        }
        backend.with_edits(self.edits.clone())
    }

    /// The changes as text, for compile options and command lines.
    pub fn as_text(&self) -> &[PipelineEdit] {
        &self.edits
    }
}

impl From<&'static PassDeclaration> for Passes {
    fn from(declaration: &'static PassDeclaration) -> Self {
        Step::from(declaration).into()
    }
}

impl From<ScheduledPass> for Passes {
    fn from(pass: ScheduledPass) -> Self {
        Step::from(pass).into()
    }
}

impl From<Step> for Passes {
    fn from(step: Step) -> Self {
        Pipeline::from(step).into()
    }
}

impl From<Pipeline> for Passes {
    fn from(pipeline: Pipeline) -> Self {
        let mut declarations = Vec::new();
        for_each_pass(&pipeline, &mut |pass| {
            if let PassReference::Declared(declaration) = pass.pass {
                declarations.push(declaration);
            }
        });
        Self {
            text: pipeline.to_string(),
            declarations,
        }
    }
}

impl From<&str> for Passes {
    fn from(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            declarations: Vec::new(),
        }
    }
}

/// The phases of a target with all changes of the options: edits, the passes after
/// which it prints, external constants and debug locations.
///
/// # Errors
/// Returns invalid input that names the option and its error.
pub fn edited(mut phases: Vec<Phase>, options: &CompileOptions) -> Result<Vec<Phase>> {
    apply(&mut phases, options)?;
    if options.external_constants {
        externalize_constants(&mut phases)?;
    }
    if options.debug_info {
        add_debug_info(&mut phases)?;
    }
    Ok(phases)
}

/// Applies the edits of a compilation, and finds the passes after which it prints.
fn apply(phases: &mut [Phase], options: &CompileOptions) -> Result<()> {
    // MLIR checks the options of upstream's passes in a context.
    let context = LazyCell::new(crate::context);
    for edit in &options.pipeline_edits {
        apply_one(phases, edit, &context)
            .map_err(|message| Error::invalid(format!("{edit}: {message}")))?;
    }
    for text in &options.print_ir_after {
        let place = Place::parse(text).and_then(|place| place.passes(phases));
        let paths = place
            .map_err(|message| Error::invalid(format!("--print-ir-after={text}: {message}")))?;
        for (phase, path) in paths {
            let name = name_at(&phases[phase].pipeline, &path);
            phases[phase].printed.extend(name);
        }
    }
    Ok(())
}

/// Externalizes large constants, before buffer assignment.
///
/// # Errors
/// Returns invalid input if the phases have no buffer assignment.
fn externalize_constants(phases: &mut [Phase]) -> Result<()> {
    let edit = PipelineEdit {
        action: EditAction::InsertBefore,
        place: buffer_assignment::PASS.argument.to_owned(),
        passes: externalize_constants::PASS.argument.to_owned(),
    };
    let context = LazyCell::new(crate::context);
    apply_one(phases, &edit, &context)
        .map_err(|message| Error::invalid(format!("constants cannot be in a file: {message}")))
}

/// The phase that ends with the LLVM dialect.
const LLVM: &str = "llvm";

/// Adds debug locations, once the code is in the LLVM dialect.
///
/// # Errors
/// Returns invalid input if no phase ends with the LLVM dialect.
fn add_debug_info(phases: &mut [Phase]) -> Result<()> {
    let phase = phases.iter_mut().find(|phase| phase.name == LLVM);
    let phase = phase.ok_or_else(|| {
        Error::invalid("the backend makes no machine code with line tables, as debug info wants")
    })?;
    phase.pipeline.append(pipeline![&add_debug_info::PASS]);
    Ok(())
}

/// Returns true if a place names an existing pass of the phases.
pub fn has_pass(phases: &[Phase], place: &str) -> bool {
    Place::parse(place).is_ok_and(|place| place.is_known(phases))
}

/// Removes everything that runs after the pass at a place.
///
/// # Errors
/// Returns invalid input if there is not exactly one such pass.
pub fn end_at(phases: &mut Vec<Phase>, place: &str) -> Result<()> {
    let found = Place::parse(place).and_then(|place| place.only_pass(phases));
    let (phase, path) = found.map_err(Error::invalid)?;
    phases.truncate(phase + 1);
    let mut pipeline = phases.last_mut().map(|phase| &mut phase.pipeline);
    for position in path {
        let Some(Pipeline { steps }) = pipeline else {
            break;
        };
        steps.truncate(position + 1);
        pipeline = match steps.last_mut() {
            Some(Step::Nested { pipeline, .. }) => Some(pipeline),
            _ => None,
        };
    }
    Ok(())
}

/// Sets an option of the pass at a place.
///
/// # Errors
/// Returns invalid input if there is not exactly one such pass.
pub fn set_option(
    phases: &mut [Phase],
    place: &str,
    name: &'static str,
    value: impl Into<OptionValue>,
) -> Result<()> {
    let found = Place::parse(place).and_then(|place| place.only_pass(phases));
    let (phase, path) = found.map_err(Error::invalid)?;
    let Some((position, outer)) = path.split_last() else {
        return Ok(());
    };
    let steps = &mut steps_at(&mut phases[phase].pipeline, outer).steps;
    if let Some(Step::Pass(pass)) = steps.get_mut(*position) {
        pass.options.push((Cow::Borrowed(name), value.into()));
    }
    Ok(())
}

/// Sets the option `explain` of all passes that declare it; returns true if there are any.
fn explain(pipeline: &mut Pipeline) -> bool {
    let mut is_any = false;
    for step in &mut pipeline.steps {
        is_any |= match step {
            Step::Nested { pipeline, .. } => explain(pipeline),
            Step::Pass(pass) => match pass.pass {
                PassReference::Declared(declaration) => {
                    let explains = declaration
                        .options
                        .iter()
                        .any(|option| option.name == "explain" && option.kind == OptionKind::Bool);
                    if explains {
                        pass.options.push(("explain".into(), true.into()));
                    }
                    explains
                }
                PassReference::Upstream(_) => false,
            },
        };
    }
    is_any
}

fn apply_one(phases: &mut [Phase], edit: &PipelineEdit, context: &Context) -> Result<(), String> {
    if edit.action == EditAction::Explain {
        let explained = phases.iter_mut().map(|phase| explain(&mut phase.pipeline));
        return if explained.fold(false, |any, explains| any | explains) {
            Ok(())
        } else {
            Err("the backend has no pass that explains its decisions".to_owned())
        };
    }
    let added = match edit.action {
        EditAction::Remove | EditAction::Explain => Pipeline::default(),
        EditAction::Schedule => {
            let schedule = pass(&apply_schedule::PASS).option("file", edit.passes.clone());
            if !has_pass(phases, &edit.place) {
                return Err("the backend forms no fusion groups".to_owned());
            }
            pipeline![schedule]
        }
        _ => parse(&edit.passes, phases)?,
    };
    // The first pass that makes loops of several ops.
    let chains = fuse_contraction_chains::PASS.argument;
    let place = match edit.action {
        EditAction::Schedule if has_pass(phases, chains) => chains,
        _ => &edit.place,
    };
    let place = Place::parse(place)?;
    if let Some(phase) = place.phase(phases) {
        let added = nested_where_needed(added);
        check(&added, &[], context)?;
        let phase = &mut phases[phase];
        phase.note(&added);
        let steps = &mut phase.pipeline.steps;
        match edit.action {
            EditAction::InsertBefore | EditAction::Schedule => {
                drop(steps.splice(0..0, added.steps))
            }
            EditAction::InsertAfter => steps.extend(added.steps),
            EditAction::Replace | EditAction::Remove | EditAction::Explain => {
                *steps = added.steps;
            }
        }
        return Ok(());
    }
    let inserts = matches!(
        edit.action,
        EditAction::InsertBefore | EditAction::InsertAfter | EditAction::Schedule
    );
    // From last to first, so that the other positions stay valid.
    for (phase, path) in place.passes(phases)?.into_iter().rev() {
        let phase = &mut phases[phase];
        let anchors = anchors(&phase.pipeline, &path);
        if !anchors.is_empty() && runs_on_module(&added) && inserts {
            check(&added, &[], context)?;
            phase.note(&added);
            let whole = std::mem::take(&mut phase.pipeline);
            let is_behind = edit.action == EditAction::InsertAfter;
            let (mut before, behind) = split(whole, &path, is_behind);
            before.append(added.clone());
            before.append(behind);
            phase.pipeline = before;
            remove_empty(&mut phase.pipeline);
            continue;
        }
        let added = unnested(added.clone(), anchors.last());
        check(&added, &anchors, context)?;
        phase.note(&added);
        let Some((position, outer)) = path.split_last() else {
            continue;
        };
        let steps = &mut steps_at(&mut phase.pipeline, outer).steps;
        let range = match edit.action {
            EditAction::InsertBefore | EditAction::Schedule => *position..*position,
            EditAction::InsertAfter => *position + 1..*position + 1,
            EditAction::Replace | EditAction::Remove | EditAction::Explain => {
                *position..*position + 1
            }
        };
        steps.splice(range, added.steps);
        remove_empty(&mut phase.pipeline);
    }
    Ok(())
}

/// The passes of an edit, whose names must be known.
fn parse(text: &str, phases: &[Phase]) -> Result<Pipeline, String> {
    let pipeline = Pipeline::parse(text).map_err(|error| error.to_string())?;
    let mut unknown = None;
    for_each_pass(&pipeline, &mut |pass| {
        if unknown.is_none() && !is_registered(pass.name()) {
            unknown = Some(pass.name());
        }
    });
    let Some(unknown) = unknown else {
        return Ok(pipeline);
    };
    let registered = registered();
    let mut names: Vec<&str> = registered.iter().map(|pass| pass.argument).collect();
    for phase in phases {
        for_each_pass(&phase.pipeline, &mut |pass| names.push(pass.name()));
    }
    let hint = super::place::hint(unknown, names);
    Err(format!("there is no pass '{unknown}'{hint}"))
}

/// Nests passes that declare another op than the module.
fn nested_where_needed(pipeline: Pipeline) -> Pipeline {
    let steps = pipeline.steps.into_iter().map(|step| match &step {
        Step::Pass(pass) => match pass.pass {
            PassReference::Declared(declaration)
                if ![ANY_OPERATION, MODULE].contains(&declaration.anchor) =>
            {
                Step::Nested {
                    anchor: Cow::Borrowed(declaration.anchor),
                    pipeline: Pipeline { steps: vec![step] },
                }
            }
            _ => step,
        },
        Step::Nested { .. } => step,
    });
    Pipeline {
        steps: steps.collect(),
    }
}

/// Passes for ops of a name: unwraps steps that are nested on such ops.
fn unnested(pipeline: Pipeline, op: Option<&Cow<'static, str>>) -> Pipeline {
    let steps = pipeline.steps.into_iter().flat_map(|step| match step {
        Step::Nested { anchor, pipeline } if Some(&anchor) == op => pipeline.steps,
        step => vec![step],
    });
    Pipeline {
        steps: steps.collect(),
    }
}

/// Returns true if all passes declare that they run on the module.
fn runs_on_module(pipeline: &Pipeline) -> bool {
    pipeline.steps.iter().all(|step| match step {
        Step::Pass(pass) => match pass.pass {
            PassReference::Declared(declaration) => declaration.anchor == MODULE,
            PassReference::Upstream(_) => false,
        },
        Step::Nested { .. } => false,
    })
}

/// Splits a pipeline before or after the pass at a path. A nest is split into two nests.
fn split(pipeline: Pipeline, path: &[usize], is_behind: bool) -> (Pipeline, Pipeline) {
    let Some((position, rest)) = path.split_first() else {
        return (pipeline, Pipeline::default());
    };
    let mut steps = pipeline.steps;
    let at = (*position + usize::from(rest.is_empty() && is_behind)).min(steps.len());
    let mut behind = steps.split_off(at);
    if let (false, Some(Step::Nested { anchor, pipeline })) = (rest.is_empty(), behind.first()) {
        let anchor = anchor.clone();
        let (first, second) = split(pipeline.clone(), rest, is_behind);
        steps.push(Step::Nested {
            anchor: anchor.clone(),
            pipeline: first,
        });
        let pipeline = second;
        behind[0] = Step::Nested { anchor, pipeline };
    }
    (Pipeline { steps }, Pipeline { steps: behind })
}

/// Checks that passes can run inside ops of these names, with their options.
fn check(added: &Pipeline, anchors: &[Cow<'static, str>], context: &Context) -> Result<(), String> {
    if added.steps.is_empty() {
        return Ok(());
    }
    let whole = anchors.iter().rev().fold(added.clone(), |pipeline, anchor| {
        let anchor = anchor.clone();
        Pipeline {
            steps: vec![Step::Nested { anchor, pipeline }],
        }
    });
    whole.check_in(context).map_err(|error| error.to_string())
}

/// The ops around the pass at a path, outermost first.
fn anchors(pipeline: &Pipeline, path: &[usize]) -> Vec<Cow<'static, str>> {
    let mut anchors = Vec::new();
    let mut pipeline = pipeline;
    for position in path {
        if let Some(Step::Nested {
            anchor,
            pipeline: inner,
        }) = pipeline.steps.get(*position)
        {
            anchors.push(anchor.clone());
            pipeline = inner;
        }
    }
    anchors
}

/// The pipeline at a path.
fn steps_at<'p>(pipeline: &'p mut Pipeline, path: &[usize]) -> &'p mut Pipeline {
    match path.split_first() {
        Some((first, rest)) if matches!(pipeline.steps.get(*first), Some(Step::Nested { .. })) => {
            match &mut pipeline.steps[*first] {
                Step::Nested { pipeline, .. } => steps_at(pipeline, rest),
                Step::Pass(_) => unreachable!("the guard saw a nested pipeline"),
            }
        }
        _ => pipeline,
    }
}

fn name_at(pipeline: &Pipeline, path: &[usize]) -> Option<String> {
    let (first, rest) = path.split_first()?;
    match pipeline.steps.get(*first)? {
        Step::Pass(pass) => Some(pass.name().to_owned()),
        Step::Nested { pipeline, .. } => name_at(pipeline, rest),
    }
}

/// Removes nested pipelines without passes, for which MLIR has no syntax.
fn remove_empty(pipeline: &mut Pipeline) {
    pipeline.steps.retain_mut(|step| match step {
        Step::Pass(_) => true,
        Step::Nested { pipeline, .. } => {
            remove_empty(pipeline);
            !pipeline.steps.is_empty()
        }
    });
}
