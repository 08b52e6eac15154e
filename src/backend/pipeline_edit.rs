//! Edits of a backend's pipeline, as text: the runtime does not depend on the passes.
//!
//! Tools read them from the command line, and compilers with phases apply them
//! ([`Compiler::check_pipeline`](crate::Compiler::check_pipeline)). A location is the name of a
//! phase, or of a pass: `halo-cse` if the pass occurs once, `bufferized/halo-cse` in one phase,
//! `halo-cse#2` for the second one, `halo-cse#all` for each.
//!
//! ```
//! use halo_backend::PipelineEdit;
//!
//! let edit = PipelineEdit::insert("before:linalg:my-pass{x=1},cse").unwrap();
//! assert_eq!((edit.place.as_str(), edit.passes.as_str()), ("linalg", "my-pass{x=1},cse"));
//! assert_eq!(edit.to_string(), "--insert-passes=before:linalg:my-pass{x=1},cse");
//! assert_eq!(PipelineEdit::remove("halo-cse#all").unwrap().to_string(), "--remove-pass=halo-cse#all");
//! assert!(PipelineEdit::insert("my-pass").is_err());
//! ```

use std::fmt;

/// A change to the passes that a backend runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PipelineEdit {
    /// The kind of change.
    pub action: EditAction,
    /// A phase or a pass of the backend.
    pub place: String,
    /// Passes in MLIR's textual syntax, or the file of a schedule; empty for removals.
    pub passes: String,
}

/// The kind of a [`PipelineEdit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EditAction {
    /// Passes run first in the phase, or before the pass.
    InsertBefore,
    /// Passes run last in the phase, or after the pass.
    InsertAfter,
    /// Passes replace the whole phase, or the pass.
    Replace,
    /// The phase runs no passes, or the pass does not run.
    Remove,
    /// The sequences of a file run before the pass.
    Schedule,
    /// The passes that can explain their decisions do so in remarks.
    Explain,
}

impl PipelineEdit {
    /// Parses the value of `--insert-passes=`: `PLACE:PASSES` runs passes after a location,
    /// `before:PLACE:PASSES` before it.
    ///
    /// # Errors
    /// Returns one line with the expected syntax.
    pub fn insert(text: &str) -> Result<Self, String> {
        let (action, rest) = match text.split_once(':') {
            Some(("before", rest)) => (EditAction::InsertBefore, rest),
            Some(("after", rest)) => (EditAction::InsertAfter, rest),
            _ => (EditAction::InsertAfter, text),
        };
        let form = "passes are inserted by [before:|after:]PLACE:PASSES";
        Self::of_place_and_passes(action, rest, form)
    }

    /// Reads the value of `--replace-pass=`: `PLACE:PASSES`.
    ///
    /// # Errors
    /// Returns one line with the expected syntax.
    pub fn replace(text: &str) -> Result<Self, String> {
        let form = "a pass is replaced by PLACE:PASSES";
        Self::of_place_and_passes(EditAction::Replace, text, form)
    }

    /// Reads the value of `--remove-pass=`: `PLACE`.
    ///
    /// # Errors
    /// Returns one line with the expected syntax.
    pub fn remove(text: &str) -> Result<Self, String> {
        match text.trim() {
            "" => Err("a pass is removed by its name".to_owned()),
            place => Ok(Self {
                action: EditAction::Remove,
                place: place.to_owned(),
                passes: String::new(),
            }),
        }
    }

    /// The value of `--schedule=`: a file with sequences of the transform dialect, which
    /// run before the pass that forms fusion groups.
    pub fn schedule(file: &str) -> Self {
        Self {
            action: EditAction::Schedule,
            place: "halo-form-fusion-groups".to_owned(),
            passes: file.to_owned(),
        }
    }

    /// `--explain`: each pass that supports it reports the reasons for its decisions.
    pub fn explain() -> Self {
        Self {
            action: EditAction::Explain,
            place: String::new(),
            passes: String::new(),
        }
    }

    /// The file of a schedule.
    pub fn schedule_file(&self) -> Option<&str> {
        (self.action == EditAction::Schedule).then_some(&self.passes)
    }

    /// The tool option for the edit.
    pub fn option(&self) -> &'static str {
        match self.action {
            EditAction::InsertBefore | EditAction::InsertAfter => "--insert-passes",
            EditAction::Replace => "--replace-pass",
            EditAction::Remove => "--remove-pass",
            EditAction::Schedule => "--schedule",
            EditAction::Explain => "--explain",
        }
    }

    fn of_place_and_passes(action: EditAction, text: &str, form: &str) -> Result<Self, String> {
        match text.split_once(':') {
            Some((place, passes)) if !place.trim().is_empty() && !passes.trim().is_empty() => {
                Ok(Self {
                    action,
                    place: place.trim().to_owned(),
                    passes: passes.trim().to_owned(),
                })
            }
            _ => Err(form.to_owned()),
        }
    }
}

/// The syntax of the command line of a tool.
impl fmt::Display for PipelineEdit {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { place, passes, .. } = self;
        formatter.write_str(self.option())?;
        if self.action != EditAction::Explain {
            formatter.write_str("=")?;
        }
        match self.action {
            EditAction::InsertBefore => write!(formatter, "before:{place}:{passes}"),
            EditAction::InsertAfter | EditAction::Replace => write!(formatter, "{place}:{passes}"),
            EditAction::Remove => formatter.write_str(place),
            EditAction::Schedule => formatter.write_str(passes),
            EditAction::Explain => Ok(()),
        }
    }
}
