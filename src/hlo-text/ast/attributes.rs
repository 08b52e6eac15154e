use super::{
    Alias, Constant, ConvolutionDimensionNumbers, HloComputation, Metadata, PaddingDimension,
    ProgramShape, ReplicaGroups, ResultAccuracy, Shape, Sharding, SliceRange, Window,
};

/// `name=value`
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    pub name: String,
    pub value: Value,
}

/// The attributes of a module, a computation or an instruction, in the order of the text. Names are
/// unique.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Attributes(pub Vec<Attribute>);

impl Attributes {
    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|attribute| attribute.name == name);
        found.map(|attribute| &attribute.value)
    }

    /// Adds an attribute at the end.
    pub fn push(&mut self, name: impl Into<String>, value: Value) {
        let name = name.into();
        self.0.push(Attribute { name, value });
    }

    /// In the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        let attributes = self.0.iter();
        attributes.map(|attribute| (attribute.name.as_str(), &attribute.value))
    }
}

/// The value of an attribute. The name determines the syntax of a value, for a few names together
/// with the opcode; an attribute that the parser does not support is a [`Value::Raw`], so that
/// nothing is lost.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `true`
    Bool(bool),
    /// `5`
    Integer(i64),
    /// `epsilon=0.001`
    Float(f64),
    /// `kLoop`, `LT`, `rng_uniform`, `dot_bf16_bf16_f32`
    Word(String),
    /// `"text"`, without its quotes and with escapes resolved.
    String(String),
    /// `{0,1}`
    Integers(Vec<i64>),
    /// `{{0,1},{2,3}}`: `source_target_pairs`, `ragged_dims`, ...
    IntegerLists(Vec<Vec<i64>>),
    /// `{true,false}`
    Bools(Vec<bool>),
    /// `{highest,default}`
    Words(Vec<String>),
    /// The name of a computation.
    Computation(String),
    /// `{%a, %b}`: names of computations.
    Computations(Vec<String>),
    /// An inline computation, `to_apply={ ... ROOT ... }`.
    InlineComputation(Box<HloComputation>),
    /// `{%a, %b}`: names of instructions, as in `control-predecessors`.
    Instructions(Vec<String>),
    Window(Window),
    ConvolutionDimensionNumbers(ConvolutionDimensionNumbers),
    ReplicaGroups(ReplicaGroups),
    /// `{[0:4:2], [1:3]}`
    SliceRanges(Vec<SliceRange>),
    /// `0_0x1_2_1`
    Padding(Vec<PaddingDimension>),
    Sharding(Sharding),
    Metadata(Box<Metadata>),
    /// `{key="value",other={...}}`: values that are strings lose their quotes, and values in braces
    /// keep the braces.
    FrontendAttributes(Vec<(String, String)>),
    /// `{"a": [1]}`, a JSON or MLIR-like dictionary, verbatim with its braces.
    Dictionary(String),
    Literal(Constant),
    Shape(Shape),
    /// `{f32[2]{0}, s32[]}`
    Shapes(Vec<Shape>),
    /// `{(f32[2])->f32[]}`
    ProgramShape(ProgramShape),
    /// `{ {0}: (0, {}, may-alias), {1}: (1, {}) }`: `input_output_alias`,
    /// `output_to_operand_aliasing`.
    Aliases(Vec<Alias>),
    /// `{ (0, {}), (1, {0}) }`: `buffer_donor`.
    BufferDonors(Vec<(i64, Vec<i64>)>),
    ResultAccuracy(ResultAccuracy),
    /// `{entry={...}, exit={...}}` of `domain`.
    Domain {
        entry: Sharding,
        exit: Sharding,
    },
    /// Any other value, verbatim.
    Raw(String),
}
