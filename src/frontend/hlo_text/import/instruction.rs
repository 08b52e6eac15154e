//! One instruction, as the input of the functions of the op families.

use super::{
    failure::{Failure, failure},
    importer::Importer,
    transfers,
    types::array_of,
    values::Tree,
};
use halo_core::Diagnostic;
use halo_hlo_text::{
    ArrayShape, HloComputation, HloInstruction, OpShardingType, Shape, Sharding,
    Value as AttributeValue,
};
use halo_ir::{OpSpec, diagnostics::with_diagnostics, ops::Build, prelude::*};

use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashMap};

/// A described op that is not created yet.
pub trait Described<'m> {
    /// The untyped description.
    fn spec(self) -> OpSpec<'m>;
}

impl<'m> Described<'m> for OpSpec<'m> {
    fn spec(self) -> OpSpec<'m> {
        self
    }
}

impl<'m, O: Op<'m>> Described<'m> for Build<'m, O> {
    fn spec(self) -> OpSpec<'m> {
        self.into_spec()
    }
}

/// An instruction with the values of its operands.
pub struct Instruction<'a, 'm> {
    pub importer: &'a Importer<'m>,
    /// Positioned at the instruction, with its location.
    pub builder: Builder<'m>,
    pub source: &'m HloInstruction,
    pub operands: Vec<Tree<'m>>,
    pub operand_shapes: Vec<&'m Shape>,
    /// The attributes that an op's function has read; the others are kept as discardable
    /// attributes.
    used: RefCell<BTreeSet<String>>,
    /// The op that gets the remaining attributes.
    main: Cell<Option<Operation<'m>>>,
}

/// Fails unless a sharding divides that number of dimensions, as XLA's verifier requires. Further
/// dimensions of its tiles are for replication and the like.
fn expect_tiles(sharding: &Sharding, rank: usize) -> Result<(), Failure> {
    let Sharding::Single {
        kind: OpShardingType::Tiled(tiles),
        suffix,
    } = sharding
    else {
        return Ok(());
    };
    let further = suffix.iter().map(|text| match text.strip_prefix("last_tile_dims=") {
        Some(list) => list.split(',').count(),
        None => usize::from(text == "last_tile_dim_replicate"),
    });
    let divided = tiles.dimensions.len().checked_sub(further.sum());
    if divided == Some(rank) {
        return Ok(());
    }
    Err(failure(format!(
        "expected a sharding of {rank} dimensions, got one of {}",
        divided.map_or("fewer than none".to_owned(), |divided| divided.to_string())
    )))
}

impl<'a, 'm> Instruction<'a, 'm> {
    /// Looks the operands up.
    pub fn new(
        importer: &'a Importer<'m>,
        builder: Builder<'m>,
        source: &'m HloInstruction,
        values: &HashMap<&'m str, (Tree<'m>, &'m Shape)>,
    ) -> Result<Self, Failure> {
        let mut operands = Vec::new();
        let mut operand_shapes = Vec::new();
        for name in source.operands() {
            let found = values.get(&name[..]);
            let (tree, shape) = found.ok_or_else(|| {
                failure(format!("there is no instruction '{name}' before this one"))
            })?;
            operands.push(tree.clone());
            operand_shapes.push(*shape);
        }
        if let Some(count) = source.opcode.operand_count()
            && count != operands.len()
        {
            return Err(failure(format!(
                "{} has {count} operands, not {}",
                source.opcode,
                operands.len()
            )));
        }
        if let (Some(AttributeValue::Sharding(sharding)), Shape::Array(array)) =
            (source.attributes.get("sharding"), &source.shape)
        {
            expect_tiles(sharding, array.dimensions.len())?;
        }
        Ok(Self {
            importer,
            builder,
            source,
            operands,
            operand_shapes,
            used: RefCell::default(),
            main: Cell::default(),
        })
    }

    /// An operand without conversion.
    pub fn operand(&self, number: usize) -> Result<&Tree<'m>, Failure> {
        let found = self.operands.get(number);
        found.ok_or_else(|| failure(format!("expected an operand {number}")))
    }

    /// The shape of an operand.
    pub fn operand_shape(&self, number: usize) -> Result<&'m Shape, Failure> {
        let found = self.operand_shapes.get(number).copied();
        found.ok_or_else(|| failure(format!("expected an operand {number}")))
    }

    /// The shape of an array operand.
    pub fn operand_array(&self, number: usize) -> Result<&'m ArrayShape, Failure> {
        array_of(self.operand_shape(number)?)
    }

    /// An operand that is an array, token or buffer.
    pub fn value(&self, number: usize) -> Result<Value<'m>, Failure> {
        self.single(self.operand(number)?)
    }

    fn single(&self, tree: &Tree<'m>) -> Result<Value<'m>, Failure> {
        match &self.importer.flatten(&self.builder, tree)?[..] {
            [value] if !matches!(tree, Tree::Tuple(_)) => Ok(*value),
            _ => Err(failure("expected an array as operand, not a tuple")),
        }
    }

    /// The operands of an instruction with `N` operands, none of which is a tuple.
    pub fn fixed<const N: usize>(&self) -> Result<[Value<'m>; N], Failure> {
        <[Value; N]>::try_from(self.values()?).map_err(|values| {
            failure(format!(
                "{} has {N} operands, not {}",
                self.source.opcode,
                values.len()
            ))
        })
    }

    /// The operands, none of which is a tuple.
    pub fn values(&self) -> Result<Vec<Value<'m>>, Failure> {
        self.operands.iter().map(|tree| self.single(tree)).collect()
    }

    /// The flattened elements of an operand.
    pub fn parts(&self, number: usize) -> Result<Vec<Value<'m>>, Failure> {
        self.importer.flatten(&self.builder, self.operand(number)?)
    }

    /// The type of the result, which is not a tuple.
    pub fn result_type(&self) -> Result<Type<'m>, Failure> {
        match &self.source.shape {
            Shape::Tuple(_) => Err(failure(format!(
                "{} has one result, not a tuple",
                self.source.opcode
            ))),
            shape => self.importer.type_of(shape),
        }
    }

    /// The types of the result's flattened elements.
    pub fn result_types(&self) -> Result<Vec<Type<'m>>, Failure> {
        self.importer.flat_types(&self.source.shape)
    }

    /// The result, which is an array.
    pub fn result_array(&self) -> Result<&'m ArrayShape, Failure> {
        array_of(&self.source.shape)
    }

    /// Starts an untyped op by its name.
    pub fn op(&self, name: &str) -> OpSpec<'m> {
        self.builder.op(name)
    }

    /// Creates the op that represents the instruction.
    pub fn finish(&self, op: impl Described<'m>) -> Result<Operation<'m>, Failure> {
        let operation = self.create(op)?;
        self.main.set(Some(operation));
        Ok(operation)
    }

    /// Creates an op and verifies it, so that errors are reported at the
    /// instruction.
    pub fn create(&self, op: impl Described<'m>) -> Result<Operation<'m>, Failure> {
        let op = op.spec();
        let (created, errors) = with_diagnostics(self.importer.context, || op.try_insert());
        match (created, errors.first()) {
            (Ok(operation), _) => self.verify(operation).map(|()| operation),
            (Err(_), Some(error)) => Err(self.told(error)),
            (Err(error), None) => Err(error.into()),
        }
    }

    /// Verifies an op of the instruction, and erases an invalid one.
    pub fn verify(&self, operation: Operation<'m>) -> Result<(), Failure> {
        let (valid, errors) = with_diagnostics(self.importer.context, || operation.verify());
        if valid {
            return Ok(());
        }
        self.builder.erase(operation);
        Err(match errors.first() {
            Some(error) => self.told(error),
            None => failure(format!("{} is not valid", self.source.opcode)),
        })
    }

    /// MLIR's error for an op, as an error of the instruction.
    fn told(&self, error: &Diagnostic) -> super::failure::Failure {
        let text = error.message.lines().next().unwrap_or_default();
        failure(format!("{}: {text}", self.source.opcode))
    }

    /// Creates an op of one result that represents the instruction.
    pub fn one(&self, op: impl Described<'m>) -> Result<Tree<'m>, Failure> {
        match self.finish(op)?.results().first() {
            Some(value) => Ok(Tree::Value(*value)),
            None => Err(failure(format!("{} has no result", self.source.opcode))),
        }
    }

    /// Creates an op whose results are the instruction's flattened elements.
    pub fn many(&self, op: impl Described<'m>) -> Result<Tree<'m>, Failure> {
        let results = self.finish(op)?.results();
        self.importer.assemble(&self.source.shape, &results)
    }

    /// Creates an intermediate op of one result.
    pub fn step(&self, op: impl Described<'m>) -> Result<Value<'m>, Failure> {
        let results = self.create(op)?.results();
        let value = results.first().copied();
        value.ok_or_else(|| failure(format!("{} has no result", self.source.opcode)))
    }

    /// The op that represents the instruction.
    pub fn main_operation(&self) -> Option<Operation<'m>> {
        self.main.get()
    }

    /// Names an existing op after the instruction.
    pub fn stands_for(&self, operation: Operation<'m>) {
        self.main.set(Some(operation));
    }

    /// An op with one type for operands and result, and no attributes.
    pub fn plain<O: Op<'m>>(&self) -> Result<Tree<'m>, Failure> {
        let op = self.op(O::NAME).operands(&self.values()?);
        self.one(op.result(self.result_type()?))
    }

    /// The same value under the instruction's name, for instructions that annotate a value rather
    /// than compute one.
    pub fn same(&self, value: Value<'m>) -> Result<Tree<'m>, Failure> {
        if !value.ty().is_tensor() {
            return Ok(Tree::Value(value));
        }
        let op = stablehlo::ConvertOp::build(&self.builder, value, value.ty());
        let operation = self.finish(op)?;
        self.mark(operation);
        Ok(Tree::Value(
            operation.results().first().copied().unwrap_or(value),
        ))
    }

    /// Records the instruction that an op represents, if it cannot be derived.
    pub fn mark(&self, operation: Operation<'m>) {
        let opcode = halo_ir::string_attribute(self.importer.context, self.source.opcode.name());
        operation.set_attribute("mhlo.opcode", opcode);
    }

    /// An attribute of the instruction.
    pub fn attribute(&self, name: &str) -> Option<&'m AttributeValue> {
        self.used.borrow_mut().insert(name.to_owned());
        self.source.attributes.get(name)
    }

    /// Every attribute.
    pub fn all(&self) -> impl Iterator<Item = (&'m str, &'m AttributeValue)> + use<'m> {
        let source = self.source;
        source.attributes.iter()
    }

    /// The attributes that were not read.
    pub fn unused(&self) -> Vec<(&'m str, &'m AttributeValue)> {
        let used = self.used.borrow();
        let attributes = self.source.attributes.iter();
        attributes.filter(|(name, _)| !used.contains(*name)).collect()
    }

    fn wrong(&self, name: &str, expected: &str) -> super::failure::Failure {
        failure(format!("attribute '{name}' must be {expected}"))
    }

    /// An integer, if written.
    pub fn integer(&self, name: &str) -> Result<Option<i64>, Failure> {
        match self.attribute(name) {
            None => Ok(None),
            Some(AttributeValue::Integer(value)) => Ok(Some(*value)),
            Some(_) => Err(self.wrong(name, "an integer")),
        }
    }

    /// An integer that must be written.
    pub fn expected_integer(&self, name: &str) -> Result<i64, Failure> {
        let found = self.integer(name)?;
        found.ok_or_else(|| self.missing(name))
    }

    /// The failure of a missing attribute.
    pub fn missing(&self, name: &str) -> super::failure::Failure {
        failure(format!(
            "{} must have attribute '{name}'",
            self.source.opcode
        ))
    }

    /// Integers; empty if not written.
    pub fn integers(&self, name: &str) -> Result<Vec<i64>, Failure> {
        match self.attribute(name) {
            None => Ok(Vec::new()),
            Some(AttributeValue::Integers(values)) => Ok(values.clone()),
            Some(_) => Err(self.wrong(name, "a list of integers")),
        }
    }

    /// The only number in `dimensions={1}`.
    pub fn dimension(&self) -> Result<i64, Failure> {
        match self.integers("dimensions")?[..] {
            [dimension] => Ok(dimension),
            _ => Err(self.wrong("dimensions", "one dimension")),
        }
    }

    /// A truth value; false if not written.
    pub fn boolean(&self, name: &str) -> Result<bool, Failure> {
        match self.attribute(name) {
            None => Ok(false),
            Some(AttributeValue::Bool(value)) => Ok(*value),
            Some(_) => Err(self.wrong(name, "true or false")),
        }
    }

    /// A number; 0 if not written.
    pub fn float(&self, name: &str) -> Result<f64, Failure> {
        match self.attribute(name) {
            None => Ok(0.0),
            Some(AttributeValue::Float(value)) => Ok(*value),
            Some(AttributeValue::Integer(value)) => Ok(*value as f64),
            Some(_) => Err(self.wrong(name, "a number")),
        }
    }

    /// A word, or the contents of a quoted string.
    pub fn word(&self, name: &str) -> Result<Option<&'m str>, Failure> {
        match self.attribute(name) {
            None => Ok(None),
            Some(AttributeValue::Word(word) | AttributeValue::String(word)) => Ok(Some(word)),
            Some(_) => Err(self.wrong(name, "a word")),
        }
    }

    /// A required computation.
    pub fn computation(&self, name: &str) -> Result<&'m HloComputation, Failure> {
        match self.attribute(name) {
            None => Err(self.missing(name)),
            Some(AttributeValue::Computation(name)) => self.importer.computation(name),
            Some(AttributeValue::InlineComputation(computation)) => Ok(computation),
            Some(_) => Err(self.wrong(name, "a computation")),
        }
    }

    /// A list of computations.
    pub fn computations(&self, name: &str) -> Result<Vec<&'m HloComputation>, Failure> {
        match self.attribute(name) {
            None => Ok(Vec::new()),
            Some(AttributeValue::Computations(names)) => {
                let names = names.iter();
                names.map(|name| self.importer.computation(name)).collect()
            }
            Some(_) => Ok(vec![self.computation(name)?]),
        }
    }

    /// A region of a computation that an attribute names.
    pub fn region(&self, name: &str) -> Result<halo_ir::Region<'m>, Failure> {
        self.importer.region(&self.builder, self.computation(name)?)
    }

    /// Adds the attributes of the instruction that the op itself cannot
    /// represent.
    pub fn decorate(&self) -> Result<(), Failure> {
        let Some(operation) = self.main.get() else {
            return Ok(());
        };
        for (name, value) in self.unused() {
            let name = format!("mhlo.{name}");
            if operation.attribute(&name).is_none() {
                operation.set_attribute(&name, self.importer.attribute(value)?);
            }
        }
        let results = operation.result_types();
        let shape = transfers::noted_shape(self.source);
        let note = shape.and_then(|shape| self.importer.shape_note(shape, &results));
        if let Some(shape) = note {
            operation.set_attribute("xla_shape", shape);
        }
        Ok(())
    }
}
