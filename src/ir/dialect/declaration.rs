//! The declarations of a dialect, an op, a type and an attribute.

use super::interfaces::{Call, MemoryEffect, RegionBranch};
use crate::{
    builder::Builder,
    dialect::declared_ops::DefaultAttribute,
    handles::{Attribute, Operation, Type},
    ops::definition::{Arity, OpInfo},
    rewrite::RewriteResult,
    semantics::{FoldResult, OpParts, VerifyError},
};

/// A dialect: data in a `static`, which [`register`](super::register) registers.
#[derive(Clone, Copy, Debug)]
pub struct DialectDeclaration {
    /// The prefix of all names in it.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Its ops.
    pub ops: &'static [&'static OpDeclaration],
    /// Its types.
    pub types: &'static [&'static TypeDeclaration],
    /// Its attributes.
    pub attributes: &'static [&'static AttributeDeclaration],
    /// The op for the constants to which ops fold; `arith.constant` by default.
    pub constant: Option<&'static OpDeclaration>,
    /// Dialects that a context loads with this one, if they are registered.
    pub dependent_dialects: &'static [&'static str],
}

impl DialectDeclaration {
    /// A dialect without ops.
    pub const fn new(name: &'static str, summary: &'static str) -> Self {
        Self {
            name,
            summary,
            ops: &[],
            types: &[],
            attributes: &[],
            constant: None,
            dependent_dialects: &[],
        }
    }

    /// Sets the ops.
    pub const fn ops(mut self, ops: &'static [&'static OpDeclaration]) -> Self {
        self.ops = ops;
        self
    }

    /// Sets the types.
    pub const fn types(mut self, types: &'static [&'static TypeDeclaration]) -> Self {
        self.types = types;
        self
    }

    /// Sets the attributes.
    pub const fn attributes(
        mut self,
        attributes: &'static [&'static AttributeDeclaration],
    ) -> Self {
        self.attributes = attributes;
        self
    }

    /// Sets the op that constants become: one of [`OpTrait::ConstantLike`].
    pub const fn constant(mut self, op: &'static OpDeclaration) -> Self {
        self.constant = Some(op);
        self
    }

    /// Sets the dialects that are loaded with this one.
    pub const fn dependent_dialects(mut self, names: &'static [&'static str]) -> Self {
        self.dependent_dialects = names;
        self
    }
}

/// Properties of an op that MLIR's passes may assume.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum OpTrait {
    /// It has no effects, and may be speculated; if it has regions, as far as the ops inside may.
    Pure,
    /// It reads memory.
    Reads,
    /// It writes to memory.
    Writes,
    /// It allocates memory.
    Allocates,
    /// It frees memory.
    Frees,
    /// It has the effects of the ops inside, in addition to its own.
    RecursiveEffects,
    /// It ends a block.
    Terminator,
    /// Its operands may be swapped; folding moves constants after others.
    Commutative,
    /// All operands and results have one type, from which result types are inferred.
    SameOperandsAndResultType,
    /// Its regions use no values from outside.
    IsolatedFromAbove,
    /// Each region has one block, or none.
    SingleBlock,
    /// Its blocks need no terminator.
    NoTerminator,
    /// Its attribute `sym_name` is the name of a symbol.
    Symbol,
    /// Symbols inside are looked up in it.
    SymbolTable,
    /// Its result is its attribute `value`.
    ConstantLike,
    /// It has no effects, but may not be speculated: it may fail, or not terminate.
    NoMemoryEffect,
    /// All operands have one type.
    SameTypeOperands,
    /// All operands have one element type.
    SameOperandsElementType,
    /// All operands and results have one element type.
    SameOperandsAndResultElementType,
    /// All operands have compatible shapes.
    SameOperandsShape,
    /// All operands and results have compatible shapes.
    SameOperandsAndResultShape,
    /// Idempotent: `f(f(x))` folds to `f(x)`.
    Idempotent,
    /// An involution: `f(f(x))` folds to `x`.
    Involution,
    /// It returns its operands to the parent op.
    ReturnLike,
    /// The entry blocks of its regions have no arguments.
    NoRegionArguments,
    /// It maps scalars to scalars, and vectors and tensors element by element.
    Elementwise,
    /// On vectors and tensors, it operates elementwise.
    Scalarizable,
    /// Its operation on scalars extends to vectors.
    Vectorizable,
    /// Its operation on scalars extends to tensors.
    Tensorizable,
    /// Functions that contain it, or that it calls, are not inlined.
    NoInline,
}

/// Judges one op.
pub type VerifyOp = for<'c> fn(Operation<'c>) -> Result<(), VerifyError>;
/// Folds one op, given the constants among its operands; `None` does not fold.
pub type FoldOp =
    for<'c> fn(Operation<'c>, &[Option<Attribute<'c>>]) -> Option<Vec<FoldResult<'c, 'c>>>;
/// Infers the types of the results of an op.
pub type InferOp = for<'c> fn(&'c OpParts<'c>) -> Result<Vec<Type<'c>>, VerifyError>;
/// Rewrites an op in the pass `canonicalize`.
pub type CanonicalizeOp = for<'c> fn(&Builder<'c>, Operation<'c>) -> RewriteResult;

/// Judges the parameters of a type or an attribute.
pub type VerifyParameters = for<'c> fn(&[Attribute<'c>]) -> Result<(), VerifyError>;

/// An op. [`declare_op`](crate::declare_op) declares one with its typed interface.
#[derive(Clone, Copy, Debug)]
pub struct OpDeclaration {
    /// Its groups of operands and results, and its required attributes.
    pub info: &'static OpInfo,
    /// One line.
    pub summary: &'static str,
    /// The constraint of each group of operands.
    pub operands: &'static [TypeConstraint],
    /// The constraint of each group of results.
    pub results: &'static [TypeConstraint],
    /// The attributes that belong to the op.
    pub attributes: &'static [OpAttribute],
    /// The regions; the last one may be variadic.
    pub regions: &'static [OpRegion],
    /// The successors; the last one may be variadic.
    pub successors: &'static [Part],
    /// Properties that passes may assume.
    pub traits: &'static [OpTrait],
    /// The names of the allowed parent ops; any op if empty.
    pub parents: &'static [&'static str],
    /// The op of the dialect that terminates each region, without operands; text may omit it.
    pub implicit_terminator: Option<&'static str>,
    /// Names of operands and results that have one type, in sets. Types that an assembly format
    /// does not contain follow from them.
    pub all_types_match: &'static [&'static [&'static str]],
    /// Effects on the operands and results of groups, in addition to effects that are traits.
    pub effects: &'static [(&'static str, MemoryEffect)],
    /// The call interface, if it calls a function.
    pub call: Option<Call>,
    /// The group of operands that each successor gets.
    pub branch: Option<&'static [&'static str]>,
    /// The control flow between its regions.
    pub region_branch: Option<RegionBranch>,
    /// The assembly format of the op, in the syntax of ODS; generic form if `None`.
    pub assembly: Option<&'static str>,
    /// Verifies an op whose parts satisfy their constraints. It may read the op, and the types
    /// inside, which are not verified yet.
    pub verify: Option<VerifyOp>,
    /// Folds an op.
    pub fold: Option<FoldOp>,
    /// Infers the types of the results.
    pub infer: Option<InferOp>,
    /// Rewrites an op in `canonicalize`.
    pub canonicalize: Option<CanonicalizeOp>,
}

impl OpDeclaration {
    /// An op of these groups of values, without other parts.
    pub const fn new(info: &'static OpInfo, summary: &'static str) -> Self {
        Self {
            info,
            summary,
            operands: &[],
            results: &[],
            attributes: &[],
            regions: &[],
            successors: &[],
            traits: &[],
            parents: &[],
            implicit_terminator: None,
            all_types_match: &[],
            effects: &[],
            call: None,
            branch: None,
            region_branch: None,
            assembly: None,
            verify: None,
            fold: None,
            infer: None,
            canonicalize: None,
        }
    }

    /// The name with the dialect.
    pub const fn name(&self) -> &'static str {
        self.info.name
    }

    /// Sets the constraints of the groups of operands, in their order.
    pub const fn operands(mut self, constraints: &'static [TypeConstraint]) -> Self {
        self.operands = constraints;
        self
    }

    /// Sets the constraints of the groups of results, in their order.
    pub const fn results(mut self, constraints: &'static [TypeConstraint]) -> Self {
        self.results = constraints;
        self
    }

    /// Sets the attributes.
    pub const fn attributes(mut self, attributes: &'static [OpAttribute]) -> Self {
        self.attributes = attributes;
        self
    }

    /// Sets the regions.
    pub const fn regions(mut self, regions: &'static [OpRegion]) -> Self {
        self.regions = regions;
        self
    }

    /// Sets the successors.
    pub const fn successors(mut self, successors: &'static [Part]) -> Self {
        self.successors = successors;
        self
    }

    /// Sets the traits.
    pub const fn traits(mut self, traits: &'static [OpTrait]) -> Self {
        self.traits = traits;
        self
    }

    /// Sets the allowed parent ops.
    pub const fn parents(mut self, names: &'static [&'static str]) -> Self {
        self.parents = names;
        self
    }

    /// Sets the op that ends each region: one of this dialect.
    pub const fn implicit_terminator(mut self, name: &'static str) -> Self {
        self.implicit_terminator = Some(name);
        self
    }

    /// Sets the operands and results that have one type.
    pub const fn all_types_match(mut self, sets: &'static [&'static [&'static str]]) -> Self {
        self.all_types_match = sets;
        self
    }

    /// Sets the effects on operands and results, by the names of their groups. Effects on other
    /// resources are traits, such as [`OpTrait::Writes`].
    pub const fn effects(mut self, effects: &'static [(&'static str, MemoryEffect)]) -> Self {
        self.effects = effects;
        self
    }

    /// Declares that the op calls a function: the attribute `callee` is its symbol, and the
    /// operands of a group are its arguments. The verifier compares their types with the
    /// function's, and `inline` inlines it.
    pub const fn call(mut self, callee: &'static str, arguments: &'static str) -> Self {
        self.call = Some(Call { callee, arguments });
        self
    }

    /// Declares that the op passes the operands of a variadic group to each successor, as the
    /// arguments of its block: upstream's `BranchOpInterface`.
    pub const fn branch(mut self, groups: &'static [&'static str]) -> Self {
        self.branch = Some(groups);
        self
    }

    /// Sets the control flow between the regions.
    pub const fn region_branch(mut self, branch: RegionBranch) -> Self {
        self.region_branch = Some(branch);
        self
    }

    /// Sets the assembly format.
    pub const fn assembly(mut self, format: &'static str) -> Self {
        self.assembly = Some(format);
        self
    }

    /// Sets the verifier.
    pub const fn verify(mut self, verify: VerifyOp) -> Self {
        self.verify = Some(verify);
        self
    }

    /// Sets the folder.
    pub const fn fold(mut self, fold: FoldOp) -> Self {
        self.fold = Some(fold);
        self
    }

    /// Sets the inference of result types.
    pub const fn infer(mut self, infer: InferOp) -> Self {
        self.infer = Some(infer);
        self
    }

    /// Sets the rewrite of `canonicalize`.
    pub const fn canonicalize(mut self, canonicalize: CanonicalizeOp) -> Self {
        self.canonicalize = Some(canonicalize);
        self
    }

    /// Returns true if the op has a trait.
    pub fn has(&self, r#trait: OpTrait) -> bool {
        self.traits.contains(&r#trait)
    }

    /// Returns true if the result types follow from other parts.
    pub(super) fn infers(&self) -> bool {
        let are_fixed = || {
            let groups = self.info.results.groups.iter().zip(self.results);
            !self.results.is_empty()
                && groups.into_iter().all(|(group, of)| {
                    let is_known =
                        of.only_type().is_some() || self.operand_of_type(group.name).is_some();
                    group.arity == Arity::One && is_known
                })
        };
        self.infer.is_some()
            || (self.has(OpTrait::SameOperandsAndResultType) && !self.operands.is_empty())
            || are_fixed()
    }

    /// The index of the set in `all_types_match` that contains an operand or a result.
    pub(super) fn type_set(&self, name: &str) -> Option<usize> {
        self.all_types_match.iter().position(|names| names.contains(&name))
    }

    /// The group of operands with the type of a result.
    pub(super) fn operand_of_type(&self, result: &str) -> Option<usize> {
        let names = self.all_types_match[self.type_set(result)?];
        let mut groups = self.info.operands.groups.iter();
        groups.position(|group| names.contains(&group.name))
    }
}

/// A region of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpRegion {
    /// Its name in the format and in Rust.
    pub name: &'static str,
    /// The number of regions.
    pub arity: Arity,
    /// The number of blocks of each.
    pub blocks: BlockCount,
}

/// The number of blocks of a region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockCount {
    /// Any number, including zero.
    Any,
    /// This number.
    Exactly(usize),
    /// This number or more.
    AtLeast(usize),
    /// This number or fewer.
    AtMost(usize),
}

/// A successor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name in the format and in Rust.
    pub name: &'static str,
    /// The number of values.
    pub arity: Arity,
}

/// An attribute that belongs to an op.
#[derive(Clone, Copy, Debug)]
pub struct OpAttribute {
    /// Its name.
    pub name: &'static str,
    /// Whether the op may lack it.
    pub is_optional: bool,
    /// Its kind.
    pub constraint: AttributeConstraint,
    /// The value of an absent attribute. Setting an attribute to this value removes it, so that
    /// MLIR treats both as the same op.
    pub default: Option<DefaultAttribute>,
}

impl OpAttribute {
    /// An attribute that the op must have.
    pub const fn required(name: &'static str, constraint: AttributeConstraint) -> Self {
        Self {
            name,
            is_optional: false,
            constraint,
            default: None,
        }
    }

    /// An attribute that the op may lack.
    pub const fn optional(name: &'static str, constraint: AttributeConstraint) -> Self {
        Self {
            is_optional: true,
            ..Self::required(name, constraint)
        }
    }

    /// An attribute with a default.
    pub const fn with_default(
        name: &'static str,
        constraint: AttributeConstraint,
        default: DefaultAttribute,
    ) -> Self {
        Self {
            default: Some(default),
            ..Self::optional(name, constraint)
        }
    }
}

/// The types that operands and results may have.
#[derive(Clone, Copy, Debug)]
pub enum TypeConstraint {
    /// Any type.
    Any,
    /// Integers of any width and sign.
    AnyInteger,
    /// `iN`
    Integer(u32),
    /// Floats of any format.
    AnyFloat,
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// `index`
    Index,
    /// Tensors.
    Tensor,
    /// Tensors of an element type.
    TensorOf(&'static TypeConstraint),
    /// Buffers.
    MemRef,
    /// Buffers of an element type.
    MemRefOf(&'static TypeConstraint),
    /// The only type with this text, such as `f16`.
    Exactly(&'static str),
    /// A type that is declared in Rust.
    Of(&'static TypeDeclaration),
    /// One of several.
    AnyOf(&'static [TypeConstraint]),
    /// The types for which a function holds, with their name for messages.
    Where(&'static str, for<'c> fn(Type<'c>) -> bool),
}

/// The attributes that an op may have under a name.
#[derive(Clone, Copy, Debug)]
pub struct AttributeConstraint {
    /// Their name for messages.
    pub description: &'static str,
    /// Returns true if an attribute is one of them.
    pub holds: for<'c> fn(Attribute<'c>) -> bool,
    /// The syntax in an assembly format.
    pub syntax: AttributeSyntax,
}

/// The syntax of an attribute in an assembly format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttributeSyntax {
    /// As in generic form: `5 : i32`.
    Full,
    /// Without its type, which must be this one: `5`.
    WithoutType(&'static str),
    /// As everywhere else, but never followed by a type: for strings and for attributes that a
    /// dialect declares.
    Untyped,
    /// Not at all: only its presence matters.
    Presence,
    /// A string as the name of a symbol: `@main`.
    SymbolName,
    /// The type that it holds.
    Type,
    /// An integer of a type as the name of a case.
    Case(&'static str, Cases),
    /// An attribute that the op's own dialect declares, with this name, as its parameters only.
    Parameters(&'static str),
}

/// The names of the cases of an enum, and the integer of each.
pub type Cases = &'static [(&'static str, u64)];

/// A parameter of a type or an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its kind.
    pub kind: ParameterKind,
}

impl Parameter {
    /// A parameter.
    pub const fn new(name: &'static str, kind: ParameterKind) -> Self {
        Self { name, kind }
    }
}

/// The kind of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A number of 64 bits, printed alone; an attribute `N : i64`.
    Integer,
    /// `"text"`
    String,
    /// A type, in a type attribute.
    Type,
    /// Any attribute.
    Attribute,
    /// The name of a case, without quotes; an attribute `N : i64`.
    Case(Cases),
}

/// The members that types and attributes have in common.
macro_rules! parametric {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            /// The name with the dialect.
            pub name: &'static str,
            /// One line.
            pub summary: &'static str,
            /// Its parameters.
            pub parameters: &'static [Parameter],
            /// The format of the parameters, in the syntax of ODS; `<a, b>` if `None`. The literal
            /// `x` stands between sizes: `4x8`. A case alone needs no `<` and `>`.
            pub assembly: Option<&'static str>,
            /// Verifies parameters of the right kinds.
            pub verify: Option<VerifyParameters>,
        }

        impl $name {
            /// One without parameters.
            pub const fn new(name: &'static str, summary: &'static str) -> Self {
                Self { name, summary, parameters: &[], assembly: None, verify: None }
            }

            /// Sets the parameters.
            pub const fn parameters(mut self, parameters: &'static [Parameter]) -> Self {
                self.parameters = parameters;
                self
            }

            /// Sets the syntax of the parameters.
            pub const fn assembly(mut self, format: &'static str) -> Self {
                self.assembly = Some(format);
                self
            }

            /// Sets the verifier.
            pub const fn verify(mut self, verify: VerifyParameters) -> Self {
                self.verify = Some(verify);
                self
            }
        }
    };
}

parametric! {
    /// A type, with parameters.
    TypeDeclaration
}
parametric! {
    /// An attribute, with parameters.
    AttributeDeclaration
}
