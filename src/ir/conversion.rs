//! Conversion from some dialects to others, with a conversion of types.
//!
//! A [`Conversion`] specifies which ops are legal after it, how types change, and how other ops are
//! lowered. It builds each function again next to the old one: a lowering gets the original op, its
//! converted operands, and the required types of its results. No casts between old and new values
//! are needed, and no pattern is tried twice.
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
//!             let negated = stablehlo::negate(b, op.operand(1)?);
//!             Ok(vec![stablehlo::subtract(b, op.operand(0)?, negated)])
//!         })
//!         .apply_partial(pass)
//! }
//! ```
//!
//! # Legality
//!
//! | op | [partial conversion](Conversion::apply_partial) | [full conversion](Conversion::apply_full) |
//! |---|---|---|
//! | legal | stays | stays |
//! | illegal | is lowered, or is an error | is lowered, or is an error |
//! | of unknown legality | is lowered if a lowering matches, else stays | is lowered, or is an error |
//!
//! The legality of an op takes precedence over the legality of its dialect. It may depend on the
//! op's attributes and types: [`Legality::dynamic`].
//!
//! Of several lowerings of an op, the one of the highest priority is tried first, and of equal ones
//! the one that was added last, so that a conversion of another crate can be reused and changed for
//! one op. One that returns [`RewriteError::NoMatch`] leaves the op to the next, with or without a
//! reason ([`no_match`](crate::no_match)); it must not have created ops.
//!
//! # Types
//!
//! A type becomes one type ([`Conversion::types`]), or several or none
//! ([`Conversion::one_to_many_types`]), such as the elements of a tuple. The arguments of functions
//! and blocks and the operands of calls, returns and branches are converted accordingly. Any other
//! legal op gets its operands and results of the converted types, if there is one for each. To keep
//! its original types, or if the numbers differ, add materializations:
//! [`Conversion::source_materialization`] makes a value of the original type from the converted
//! ones, [`Conversion::target_materialization`] does the reverse.
//!
//! # Regions
//!
//! Regions are converted with all reachable blocks. A lowering may translate a region itself:
//! [`OpConversion::convert_block`] converts the ops of a block to the insertion point of a builder,
//! [`OpConversion::convert_region`] a whole region, and [`OpConversion::lower_on_elements`] one op
//! of a region on scalars, such as the body of a reduction; each uses the lowerings of the
//! conversion, including ones of other crates.

mod converter;
mod copy;
mod op_conversion;
mod types;

pub use op_conversion::OpConversion;

use crate::{
    builder::Builder,
    handles::{Operation, Type, Value},
    operation::OperationExt,
    ops::{definition::Op, func},
    pass::{
        PassInvocation,
        failure::{PassFailure, emit_error},
    },
    rewrite::RewriteError,
};
use converter::{Converter, Mode, State};
use melior::{Context, ir::operation::OperationLike};
use std::{
    collections::{BTreeMap, HashMap},
    fmt,
};
use types::TypeConverter;

/// The outcome of lowering an op: the values for its results, in order; several or none for
/// a result whose type becomes several or none.
pub type Lowered<'c> = Result<Vec<Value<'c>>, RewriteError>;

type Lower = Box<dyn for<'a, 'c> Fn(OpConversion<'a, 'c>) -> Lowered<'c>>;
type IsLegal = Box<dyn for<'c> Fn(Operation<'c>) -> bool>;

struct Lowering {
    priority: i32,
    lower: Lower,
}

/// Whether an op may exist after a conversion.
pub enum Legality {
    /// It stays.
    Legal,
    /// It must be lowered.
    Illegal,
    /// Legal if the function returns true, else illegal. Created by [`Legality::dynamic`].
    Dynamic(Box<dyn for<'c> Fn(Operation<'c>) -> bool>),
}

impl Legality {
    /// The legality of ops that are legal if a function returns true.
    pub fn dynamic(is_legal: impl for<'c> Fn(Operation<'c>) -> bool + 'static) -> Self {
        let is_legal: IsLegal = Box::new(is_legal);
        Self::Dynamic(is_legal)
    }

    fn holds(&self, op: Operation) -> bool {
        match self {
            Self::Legal => true,
            Self::Illegal => false,
            Self::Dynamic(is_legal) => is_legal(op),
        }
    }
}

impl fmt::Debug for Legality {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Self::Legal => "Legal",
            Self::Illegal => "Illegal",
            Self::Dynamic(_) => "Dynamic",
        })
    }
}

/// The converted ops and types, and their lowerings.
#[derive(Default)]
pub struct Conversion {
    /// The legality of ops, by op name or dialect name.
    legality: HashMap<String, Legality>,
    /// The lowerings of an op or of a dialect; the last one is tried first.
    lowerings: BTreeMap<String, Vec<Lowering>>,
    types: TypeConverter,
}

impl Conversion {
    /// A conversion that copies everything.
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes all ops of a dialect legal, except ops that are marked as illegal.
    #[must_use]
    pub fn legal_dialect(self, dialect: &str) -> Self {
        self.legality(dialect, Legality::Legal)
    }

    /// Makes all ops of a dialect illegal, except ops that are marked as legal.
    #[must_use]
    pub fn illegal_dialect(self, dialect: &str) -> Self {
        self.legality(dialect, Legality::Illegal)
    }

    /// Makes an op legal.
    #[must_use]
    pub fn legal<'o, O: Op<'o>>(self) -> Self {
        self.legality(O::NAME, Legality::Legal)
    }

    /// Makes an op illegal.
    #[must_use]
    pub fn illegal<'o, O: Op<'o>>(self) -> Self {
        self.legality(O::NAME, Legality::Illegal)
    }

    /// Makes an op legal if a function returns true, and illegal otherwise.
    #[must_use]
    pub fn dynamically_legal<O: Op<'static>>(
        self,
        is_legal: impl for<'c> Fn(O::At<'c>) -> bool + 'static,
    ) -> Self {
        let is_legal = Legality::dynamic(move |op| is_legal(Op::from_unchecked(op)));
        self.legality(O::NAME, is_legal)
    }

    /// Sets the legality of an op, or of the ops of a dialect, by name. Replaces an earlier setting
    /// for the same name.
    #[must_use]
    pub fn legality(mut self, name: &str, legality: Legality) -> Self {
        self.legality.insert(name.to_owned(), legality);
        self
    }

    /// Sets the conversion of types: of arguments, results and function types.
    #[must_use]
    pub fn types(
        mut self,
        convert: impl for<'c> Fn(&'c Context, Type<'c>) -> Type<'c> + 'static,
    ) -> Self {
        self.types.one_to_one = Some(Box::new(convert));
        self
    }

    /// Sets the conversion of types to several types or none. It is tried before [`Self::types`],
    /// which gets the types for which this returns `None`.
    #[must_use]
    pub fn one_to_many_types(
        mut self,
        convert: impl for<'c> Fn(&'c Context, Type<'c>) -> Option<Vec<Type<'c>>> + 'static,
    ) -> Self {
        self.types.one_to_many = Some(Box::new(convert));
        self
    }

    /// Sets the function that makes a value of an original type from its converted values, for uses
    /// by legal ops. With this or a target materialization, legal ops keep their types.
    #[must_use]
    pub fn source_materialization(
        mut self,
        make: impl for<'c> Fn(&Builder<'c>, Type<'c>, &[Value<'c>]) -> Result<Value<'c>, RewriteError>
        + 'static,
    ) -> Self {
        self.types.source = Some(Box::new(make));
        self
    }

    /// Sets the function that makes values of the converted types from a result of a legal op. With
    /// this or a source materialization, legal ops keep their types.
    #[must_use]
    pub fn target_materialization(
        mut self,
        make: impl for<'c> Fn(&Builder<'c>, Value<'c>, &[Type<'c>]) -> Lowered<'c> + 'static,
    ) -> Self {
        self.types.target = Some(Box::new(make));
        self
    }

    /// Adds a lowering of ops of a type.
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

    /// Adds a lowering of an op, or of all ops of a dialect, by name.
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

    /// Converts the contents of a pass's op; ops of unknown legality may stay. The op itself must
    /// not be a function, and is not converted.
    ///
    /// # Errors
    /// Returns an error, reported at the op, if no lowering takes an illegal op, a lowering fails
    /// or panics, its values do not have the required types, a value cannot be materialized, or an
    /// illegal op that a lowering made is not lowered.
    pub fn apply_partial(&self, pass: &PassInvocation) -> Result<(), PassFailure> {
        self.apply(pass, Mode::Partial)
    }

    /// Converts the contents of a pass's op; all ops after it are legal, functions included.
    ///
    /// # Errors
    /// Returns the errors of [`Self::apply_partial`]; also an error if an op of unspecified
    /// legality remains.
    pub fn apply_full(&self, pass: &PassInvocation) -> Result<(), PassFailure> {
        self.apply(pass, Mode::Full)
    }

    fn apply(&self, pass: &PassInvocation, mode: Mode) -> Result<(), PassFailure> {
        let root = pass.operation();
        if root.isa::<func::FuncOp>() {
            let message = "a conversion runs on what functions are in, not on a function";
            return Err(pass.error(root, message).into());
        }
        let state = State::new(root.context());
        let converter = Converter {
            conversion: self,
            state: &state,
            mode,
        };
        converter.convert_nested(root);
        if state.has_failed() {
            return Err(PassFailure);
        }
        let is_left = |op| match self.legality_of(op) {
            Some(is_legal) => !is_legal,
            None => mode == Mode::Full,
        };
        let left = root.collect_nested(is_left);
        let Some(op) = left.first() else {
            return Ok(());
        };
        let message = format!(
            "'{}' is illegal behind the conversion, and a lowering made it",
            (*op).name()
        );
        emit_error(op.location(), &message);
        Err(PassFailure)
    }

    /// Whether an op is legal; `None` if its legality is not specified.
    fn legality_of(&self, op: Operation) -> Option<bool> {
        let name = op.name();
        let dialect = dialect_of(name);
        let found = self.legality.get(name);
        let found = found.or_else(|| self.legality.get(dialect))?;
        Some(found.holds(op))
    }

    /// Returns true if a conversion may change an op itself.
    fn is_converted(&self, op: Operation) -> bool {
        match self.legality_of(op) {
            Some(is_legal) => !is_legal,
            None => self.lowerings_of(op.name()).next().is_some(),
        }
    }

    /// The lowerings of an op, the first to try first.
    fn lowerings_of(&self, name: &str) -> impl Iterator<Item = &Lower> {
        let find = |name: &str| self.lowerings.get(name).into_iter().flatten().rev();
        let (mut own, mut of_dialect) = (find(name).peekable(), find(dialect_of(name)).peekable());
        std::iter::from_fn(move || {
            let own_is_next = match (own.peek(), of_dialect.peek()) {
                (Some(own), Some(other)) => own.priority >= other.priority,
                (own, _) => own.is_some(),
            };
            let next = if own_is_next {
                own.next()
            } else {
                of_dialect.next()
            };
            next.map(|lowering| &lowering.lower)
        })
    }
}

fn dialect_of(name: &str) -> &str {
    name.split('.').next().unwrap_or_default()
}
