use super::{Attributes, HloComputation, Shape};

/// The text from one `HloModule` to the next `// -----`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HloModule {
    pub name: String,
    /// The attributes after the name, in the order of the text: `is_scheduled`,
    /// `entry_computation_layout`, `input_output_alias`, `replica_count`, ...
    pub attributes: Attributes,
    /// The tables that `stack_frame_id` in metadata refers to.
    pub stack_frames: StackFrames,
    /// In the order of the text. XLA prints a computation before its callers, though a text need
    /// not keep that order.
    pub computations: Vec<HloComputation>,
    /// The index in `computations` of the one marked `ENTRY`, or else of the last one.
    pub entry: usize,
}

impl HloModule {
    /// The computation that runs first.
    pub fn entry(&self) -> Option<&HloComputation> {
        self.computations.get(self.entry)
    }
}

/// `(f32[2], s32[])->f32[]`, of `entry_computation_layout` and of computations.
#[derive(Clone, Debug, PartialEq)]
pub struct ProgramShape {
    pub parameters: Vec<Shape>,
    pub result: Shape,
}

/// The origins of instructions: `FileNames`, `FunctionNames`, `FileLocations` and `StackFrames`
/// between a module's header and its computations. Identifiers count from 1, in the order of these
/// vectors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackFrames {
    pub file_names: Vec<String>,
    pub function_names: Vec<String>,
    pub file_locations: Vec<FileLocation>,
    pub frames: Vec<StackFrame>,
}

/// `{file_name_id=1 function_name_id=2 line=6 end_line=6 column=19 end_column=37}`
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLocation {
    pub file_name_id: i64,
    pub function_name_id: i64,
    pub line: i64,
    pub end_line: i64,
    pub column: i64,
    pub end_column: i64,
}

/// `{file_location_id=1 parent_frame_id=1}`. In current texts, the parent's identifier is that
/// number less 1 (a frame that names itself has no parent); the tree keeps the written number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StackFrame {
    pub file_location_id: i64,
    pub parent_frame_id: i64,
}

impl StackFrames {
    /// Returns true if the tables are empty.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
