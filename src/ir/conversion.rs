//! Conversion from some dialects to others, with a conversion of types.
//!
//! A [`Conversion`] says which ops are illegal behind it, how types change, and how an
//! illegal op is lowered. [`Conversion::run`] builds each function anew beside the old
//! one: a lowering sees the op as it was, its operands as they are now, and the types
//! that its results must have. No cast between the two worlds is ever needed, and no
//! pattern is tried twice. Ops that are not illegal are copied, with their types
//! converted.
//!
//! ```
//! use halo_ir::{
//!     conversion::Conversion,
//!     ops::{arith, stablehlo},
//!     pass::{PassDeclaration, PassFailure, PassInvocation},
//! };
//!
//! /// Adds numbers by subtracting what is negated.
//! fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
//!     Conversion::new()
//!         .illegal::<stablehlo::AddOp>()
//!         .lowering::<stablehlo::AddOp>(1, |op, _| {
//!             let b = &op.builder;
//!             let negated = stablehlo::negate(b, op.operand(1)?)?;
//!             Ok(vec![stablehlo::subtract(b, op.operand(0)?, negated)?])
//!         })
//!         .run(pass)
//! }
//! ```
//!
//! Of several lowerings of an op, the one of the highest priority is tried first, and of
//! equal ones the one that was added last, so that a conversion can be taken from
//! somebody else and changed for one op. One that returns [`RewriteError::NoMatch`]
//! leaves the op to the next, with or without a reason ([`no_match`](crate::no_match)).
//!
//! The contents of a region that a lowering translates by its own means, such as the
//! body of a reduction that becomes scalar code, are that lowering's.

use crate::{
    Attribute, Block, Builder, Operation, Region, RewriteError, Type, Value, arguments_of,
    blocks_of, body_of, collect_operations, context_of, name_of, operands_of, operations_of,
    ops::{Op, OperationExt, func},
    pass::{PassFailure, PassInvocation, emit_error},
    result_types_of, results_of, value_key, with_builder,
};
use melior::{
    Context,
    ir::{ValueLike, attribute::TypeAttribute, operation::OperationLike, r#type::FunctionType},
};
use std::collections::{BTreeMap, HashMap};

/// The outcome of lowering an op: a value for each of its results.
pub type Lowered<'c> = Result<Vec<Value<'c>>, RewriteError>;

type Lower = Box<dyn for<'a, 'c> Fn(OpConversion<'a, 'c>) -> Lowered<'c>>;
type ConvertType = Box<dyn for<'c> Fn(&'c Context, Type<'c>) -> Type<'c>>;

struct Lowering {
    priority: i32,
    lower: Lower,
}

/// Which ops and types are converted, and to what.
#[derive(Default)]
pub struct Conversion {
    /// Whether ops are illegal, by their name or that of their dialect.
    illegal: HashMap<String, bool>,
    /// The lowerings of an op or of a dialect, those that are tried first at the end.
    lowerings: BTreeMap<String, Vec<Lowering>>,
    types: Option<ConvertType>,
}

impl Conversion {
    /// A conversion that copies everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes all ops of a dialect illegal, but those that are said to be legal.
    #[must_use]
    pub fn illegal_dialect(mut self, dialect: &str) -> Self {
        self.illegal.insert(dialect.to_owned(), true);
        self
    }

    /// Makes an op illegal.
    #[must_use]
    pub fn illegal<'o, O: Op<'o>>(self) -> Self {
        self.legality(O::NAME, true)
    }

    /// Makes an op legal whose dialect is not.
    #[must_use]
    pub fn legal<'o, O: Op<'o>>(self) -> Self {
        self.legality(O::NAME, false)
    }

    /// Says whether an op is illegal, by its name.
    #[must_use]
    pub fn legality(mut self, op: &str, illegal: bool) -> Self {
        self.illegal.insert(op.to_owned(), illegal);
        self
    }

    /// Says how types change: those of arguments, results and function types.
    #[must_use]
    pub fn types(
        mut self,
        convert: impl for<'c> Fn(&'c Context, Type<'c>) -> Type<'c> + 'static,
    ) -> Self {
        self.types = Some(Box::new(convert));
        self
    }

    /// Adds a lowering of ops of a kind.
    #[must_use]
    pub fn lowering<O: Op<'static>>(
        self,
        priority: i32,
        lower: impl for<'a, 'c> Fn(OpConversion<'a, 'c>, O::At<'c>) -> Lowered<'c> + 'static,
    ) -> Self {
        self.lowering_of(O::NAME, priority, move |conversion| {
            let op = Op::from_unchecked(conversion.op);
            lower(conversion, op)
        })
    }

    /// Adds a lowering of an op by its name, or of all ops of a dialect by the dialect's.
    #[must_use]
    pub fn lowering_of(
        mut self,
        name: &str,
        priority: i32,
        lower: impl for<'a, 'c> Fn(OpConversion<'a, 'c>) -> Lowered<'c> + 'static,
    ) -> Self {
        let lowerings = self.lowerings.entry(name.to_owned()).or_default();
        let position = lowerings.partition_point(|other| other.priority <= priority);
        let lower = Box::new(lower);
        lowerings.insert(position, Lowering { priority, lower });
        self
    }

    /// Converts all functions in the op of a pass.
    ///
    /// # Errors
    /// Where no lowering takes an illegal op, a lowering fails, or an illegal op is left
    /// that a lowering made; a diagnostic says so at the op.
    pub fn run(&self, pass: &PassInvocation) -> Result<(), PassFailure> {
        let root = pass.operation();
        let mut state = State {
            context: context_of(root),
            values: HashMap::new(),
            failed: false,
        };
        let mut converter = Converter {
            conversion: self,
            state: &mut state,
        };
        for function in collect_operations(root, |op| op.isa::<func::FuncOp>()) {
            let converted = with_builder(function, |builder| {
                converter.copy(builder, function)?;
                builder.erase(function)?;
                Ok::<_, RewriteError>(())
            });
            if let Err(error) = converted {
                converter.report(function, &error);
                break;
            }
        }
        if state.failed {
            return Err(PassFailure);
        }
        let left = collect_operations(root, |op| self.is_illegal(op));
        let Some(op) = left.first() else {
            return Ok(());
        };
        let message = format!(
            "'{}' is illegal behind the conversion, and a lowering made it",
            name_of(*op)
        );
        emit_error(op.location(), &message);
        Err(PassFailure)
    }

    fn is_illegal(&self, op: Operation) -> bool {
        let name = name_of(op);
        let dialect = name.split('.').next().unwrap_or_default();
        let found = self.illegal.get(name).or_else(|| self.illegal.get(dialect));
        found.copied().unwrap_or(false)
    }

    /// The lowerings of an op, the first to try first.
    fn lowerings_of(&self, name: &str) -> impl Iterator<Item = &Lower> {
        let dialect = name.split('.').next().unwrap_or_default();
        let find = |name: &str| self.lowerings.get(name).into_iter().flatten().rev();
        let (mut own, mut of_dialect) = (find(name).peekable(), find(dialect).peekable());
        std::iter::from_fn(move || {
            let own_is_next = match (own.peek(), of_dialect.peek()) {
                (Some(own), Some(other)) => own.priority >= other.priority,
                (own, _) => own.is_some(),
            };
            let next = match own_is_next {
                true => own.next(),
                false => of_dialect.next(),
            };
            next.map(|lowering| &lowering.lower)
        })
    }
}

/// An op that is lowered.
pub struct OpConversion<'a, 'c> {
    /// Creates ops where the new ones belong, with the location of the op.
    pub builder: Builder<'c>,
    /// The op as it was.
    pub op: Operation<'c>,
    /// Its operands as they are now.
    pub operands: Vec<Value<'c>>,
    /// The types that the values for its results must have.
    pub results: Vec<Type<'c>>,
    converter: Converter<'a, 'c>,
}

impl<'c> OpConversion<'_, 'c> {
    /// The op as one of a kind.
    ///
    /// # Errors
    /// No match if it is of another kind.
    pub fn op_as<O: Op<'c>>(&self) -> Result<O, RewriteError> {
        self.op.cast::<O>().ok_or(RewriteError::NoMatch)
    }

    /// An operand as it is now.
    ///
    /// # Errors
    /// Invalid if there are fewer.
    pub fn operand(&self, number: usize) -> Result<Value<'c>, RewriteError> {
        self.operands.get(number).copied().ok_or_else(|| {
            RewriteError::Invalid(format!("'{}' lacks operand {number}", name_of(self.op)))
        })
    }

    /// The type of the value for the first result.
    ///
    /// # Errors
    /// Invalid if there is no result.
    pub fn result(&self) -> Result<Type<'c>, RewriteError> {
        self.results
            .first()
            .copied()
            .ok_or_else(|| RewriteError::Invalid(format!("'{}' has no result", name_of(self.op))))
    }

    /// The first block of a region of the op.
    ///
    /// # Errors
    /// Invalid if there is none.
    pub fn body(&self, region: usize) -> Result<Block<'c>, RewriteError> {
        body_of(self.op, region).ok_or_else(|| {
            RewriteError::Invalid(format!("'{}' lacks region {region}", name_of(self.op)))
        })
    }

    /// A type as it is behind the conversion.
    pub fn convert_type(&self, r#type: Type<'c>) -> Type<'c> {
        self.converter.convert_type(r#type)
    }

    /// The new value that stands for an old one; the value itself where it is new.
    pub fn lookup(&self, value: Value<'c>) -> Value<'c> {
        self.converter.lookup(value)
    }

    /// Says which new values stand for old ones, such as the arguments of a block that is
    /// converted next.
    pub fn map(&mut self, from: &[Value<'c>], to: &[Value<'c>]) {
        self.converter.map(from, to);
    }

    /// Converts the ops of a block in the op, without its terminator, to where a builder
    /// stands. Returns the operands of the terminator as they are now.
    ///
    /// # Errors
    /// Those of lowering the ops.
    pub fn convert_block(&mut self, builder: &Builder<'c>, block: Block<'c>) -> Lowered<'c> {
        self.converter.convert_block(builder, block)
    }
}

/// The functions under conversion.
struct State<'c> {
    context: &'c Context,
    /// The new value of each old one, by its key.
    values: HashMap<usize, Value<'c>>,
    /// Whether an error was reported.
    failed: bool,
}

/// Builds new ops from old ones, and maps old values to new ones.
struct Converter<'a, 'c> {
    conversion: &'a Conversion,
    state: &'a mut State<'c>,
}

impl<'c> Converter<'_, 'c> {
    fn convert_type(&self, r#type: Type<'c>) -> Type<'c> {
        match &self.conversion.types {
            Some(convert) => convert(self.state.context, r#type),
            None => r#type,
        }
    }

    fn lookup(&self, value: Value<'c>) -> Value<'c> {
        let found = self.state.values.get(&value_key(value));
        found.copied().unwrap_or(value)
    }

    fn map(&mut self, from: &[Value<'c>], to: &[Value<'c>]) {
        for (from, to) in from.iter().zip(to) {
            self.state.values.insert(value_key(*from), *to);
        }
    }

    /// Reports an error at an op, if it is the first one.
    fn report(&mut self, op: Operation<'c>, error: &RewriteError) {
        if !std::mem::replace(&mut self.state.failed, true) {
            emit_error(op.location(), &error.to_string());
        }
    }

    fn convert_block(&mut self, builder: &Builder<'c>, block: Block<'c>) -> Lowered<'c> {
        let mut operations = operations_of(block);
        let terminator = operations.pop().ok_or(RewriteError::NoMatch)?;
        for op in operations {
            let results = self.convert(&builder.at(op.location()), op)?;
            self.map(&results_of(op), &results);
        }
        Ok(operands_of(terminator)
            .into_iter()
            .map(|value| self.lookup(value))
            .collect())
    }

    fn convert(&mut self, builder: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        let converted = match self.conversion.is_illegal(op) {
            true => self.lower(builder, op),
            false => self.copy(builder, op),
        };
        if let Err(error) = &converted {
            self.report(op, error);
        }
        converted
    }

    fn lower(&mut self, builder: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        let name = name_of(op);
        let conversion = self.conversion;
        let mut reasons = Vec::new();
        for lower in conversion.lowerings_of(name) {
            let lowered = lower(OpConversion {
                builder: *builder,
                op,
                operands: self.operands(op),
                results: self.results(op),
                converter: Converter {
                    conversion,
                    state: &mut *self.state,
                },
            });
            match lowered {
                Err(RewriteError::NoMatch) => {}
                Err(RewriteError::NoMatchBecause(reason)) => reasons.push(reason),
                Err(error) => return Err(error),
                Ok(values) => {
                    self.check(op, &values)?;
                    return Ok(values);
                }
            }
        }
        let reasons = match reasons.as_slice() {
            [] => String::new(),
            reasons => format!(": {}", reasons.join("; ")),
        };
        Err(RewriteError::Invalid(format!(
            "there is no lowering for '{name}'{reasons}"
        )))
    }

    /// Whether values can stand for the results of an op.
    fn check(&self, op: Operation<'c>, values: &[Value<'c>]) -> Result<(), RewriteError> {
        let (name, results) = (name_of(op), self.results(op));
        if values.len() != results.len() {
            return Err(RewriteError::Invalid(format!(
                "internal error: a lowering of '{name}' returned {} values for {} results",
                values.len(),
                results.len()
            )));
        }
        let mut pairs = values.iter().zip(&results);
        match pairs.find(|(value, result)| value.r#type() != **result) {
            Some((value, result)) => Err(RewriteError::Invalid(format!(
                "internal error: a lowering of '{name}' returned a value of type {} for a \
                 result of type {result}",
                value.r#type()
            ))),
            None => Ok(()),
        }
    }

    fn operands(&self, op: Operation<'c>) -> Vec<Value<'c>> {
        let operands = operands_of(op).into_iter();
        operands.map(|value| self.lookup(value)).collect()
    }

    fn results(&self, op: Operation<'c>) -> Vec<Type<'c>> {
        let results = result_types_of(op).into_iter();
        results.map(|result| self.convert_type(result)).collect()
    }

    /// Creates the same op again on converted operands, types and regions.
    fn copy(&mut self, builder: &Builder<'c>, op: Operation<'c>) -> Lowered<'c> {
        let mut spec = builder
            .op(name_of(op))
            .operands(&self.operands(op))
            .results(&self.results(op));
        for (name, attribute) in op.attributes() {
            let text = name.as_string_ref();
            let attribute = self.convert_attribute(attribute);
            spec = spec.attribute(text.as_str().unwrap_or_default(), attribute);
        }
        for region in op.regions() {
            let blocks = blocks_of(region);
            spec = match blocks.as_slice() {
                [] => spec.region(Region::new()),
                [block] => spec.region(self.copy_block(builder, *block)?),
                _ => {
                    return Err(RewriteError::Invalid(format!(
                        "'{}' has a region of several blocks, which this conversion does not take",
                        name_of(op)
                    )));
                }
            };
        }
        Ok(results_of(spec.insert()?))
    }

    fn copy_block(
        &mut self,
        builder: &Builder<'c>,
        block: Block<'c>,
    ) -> Result<Region<'c>, RewriteError> {
        let arguments = arguments_of(block);
        let types: Vec<Type> = arguments
            .iter()
            .map(|argument| self.convert_type(argument.r#type()))
            .collect();
        builder.region(&types, |builder, converted| {
            self.map(&arguments, converted);
            for op in operations_of(block) {
                let results = self.convert(&builder.at(op.location()), op)?;
                self.map(&results_of(op), &results);
            }
            Ok(())
        })
    }

    /// Function types are the only attributes that name types of values.
    fn convert_attribute(&self, attribute: Attribute<'c>) -> Attribute<'c> {
        let function = crate::attribute_as::<TypeAttribute>(attribute)
            .and_then(|attribute| FunctionType::try_from(attribute.value()).ok());
        let Some(function) = function else {
            return attribute;
        };
        let convert = |count: usize, get: &dyn Fn(usize) -> Result<Type<'c>, melior::Error>| {
            (0..count)
                .filter_map(|index| get(index).ok())
                .map(|r#type| self.convert_type(r#type))
                .collect::<Vec<_>>()
        };
        let inputs = convert(function.input_count(), &|index| function.input(index));
        let results = convert(function.result_count(), &|index| function.result(index));
        crate::type_attribute(FunctionType::new(self.state.context, &inputs, &results).into())
    }
}
