//! Dialects that are declared in Rust.
//!
//! A dialect is data: a `static` [`DialectDeclaration`] with ops, types and attributes.
//! [`register`] adds it to the process, as `register_pass` does with a pass, and every context that
//! is made afterwards has it: in text, in generic form, in bytecode, in all passes of upstream and
//! in the tools. It needs neither C++ nor TableGen.
//!
//! ```
//! use halo_ir::{declare_op, dialect::*, ops::codec, semantics::FoldResult};
//!
//! declare_op! {
//!     /// Adds an offset to a number.
//!     pub struct ShiftOp = "tile.shift" {
//!         operands { number: One(AnyInteger) }
//!         results { shifted: One(AnyInteger) }
//!         attributes { by: Required(codec::Signless<64>), label: Optional(codec::Text) }
//!     }
//!     .traits(&[OpTrait::Pure, OpTrait::SameOperandsAndResultType])
//!     .assembly("$number `by` $by (`label` $label^)? attr-dict `:` type($number)")
//!     .fold(|op, _| {
//!         let shift = op.cast::<ShiftOp>()?;
//!         (shift.by() == 0).then(|| vec![FoldResult::Value(shift.number())])
//!     })
//! }
//! # use halo_ir::OperationExt;
//!
//! pub static TILE: DialectDeclaration =
//!     DialectDeclaration::new("tile", "Tiles of tensors").ops(&[ShiftOp::DECLARATION]);
//!
//! register(&TILE)?;
//! assert_eq!(
//!     register(&TILE).unwrap_err().to_string(),
//!     "dialect 'tile': there is a dialect of this name already"
//! );
//! # Ok::<_, halo_ir::dialect::DeclarationError>(())
//! ```
//!
//! | item | purpose |
//! |---|---|
//! | [`declare_op`](crate::declare_op) | an op with its typed interface: `op.cast::<ShiftOp>()?.by()`, `ShiftOp::build(b, x, 3, None).value()` |
//! | [`TypeConstraint`], [`DeclaredCodec`] | constraints of operands, results and attributes |
//! | [`OpTrait`] | properties that passes may assume: effects, terminators, symbols |
//! | `.assembly(...)` | the syntax of the op, in the format of ODS's `assemblyFormat` |
//! | `.effects(...)`, `.call(...)`, `.branch(...)`, `.region_branch(...)` | effects on values, and upstream's interfaces of control flow |
//! | `.verify(...)`, `.infer(...)`, `.fold(...)`, `.canonicalize(...)` | its semantics, in Rust |
//! | [`TypeDeclaration`], [`AttributeDeclaration`] | types and attributes with parameters |
//! | [`declaration_of`], [`operand_group`], [`result_group`] | ops of any declared dialect, by names |
//!
//! # From ODS
//!
//! `halo_ods::build_script` generates a declaration and typed ops from ODS files, in the build
//! script of a crate. Hooks are then traits that the types of ops implement: [`Verifier`],
//! [`Folder`], [`Canonicalizer`] and [`InferTypeOpInterface`]. `docs/dialects.md` explains both
//! ways.
//!
//! # Hooks and defaults
//!
//! An attribute with a default is absent if it has this value: setting the default removes it, so
//! that both are the same op for CSE, in text and in bytecode.
//!
//! Hooks can only read, except `canonicalize`, which rewrites as a [`Pattern`] does. A panic
//! becomes an error at the op, and the pass that called the hook fails.
//!
//! [`Pattern`]: crate::Pattern

mod constraints;
mod declaration;
pub(crate) mod declared_ops;
mod format;
#[doc(hidden)]
pub mod generated;
mod hooks;
mod implementation;
mod interfaces;
mod parameters;
mod raw;
mod typed;
mod verify;

pub use constraints::{DeclaredCodec, SymbolName};
pub use declaration::{
    AttributeConstraint, AttributeDeclaration, AttributeSyntax, BlockCount, CanonicalizeOp, Cases,
    DialectDeclaration, FoldOp, InferOp, OpAttribute, OpDeclaration, OpRegion, OpTrait, Parameter,
    ParameterKind, Part, TypeConstraint, TypeDeclaration, VerifyOp, VerifyParameters,
};
pub use declared_ops::DefaultAttribute;
pub use implementation::{Canonicalizer, Folder, InferTypeOpInterface, Verifier};
pub use interfaces::{Call, MemoryEffect, RegionBranch, RegionSuccessor};
#[doc(hidden)]
pub use typed::support;

use crate::{
    handles::{Operation, Value},
    operation::OperationExt,
    ops::{
        access,
        definition::{Arity, OpInfo, Sizing},
    },
    upstream,
};
use melior::{StringRef, dialect::DialectRegistry};
use mlir_sys::{MlirDialectRegistry, MlirStringRef};
use raw::RawDialect;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    fmt,
    sync::{LazyLock, PoisonError, RwLock, RwLockReadGuard},
};

unsafe extern "C" {
    fn haloHasDialect(registry: MlirDialectRegistry, name: MlirStringRef) -> bool;
    fn haloDeclareDialect(definition: *const RawDialect);
}

/// The reason for which a dialect cannot be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclarationError {
    message: String,
}

impl fmt::Display for DeclarationError {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for DeclarationError {}

/// The dialects of the program, and their ops by name.
#[derive(Default)]
struct Table {
    dialects: BTreeMap<&'static str, &'static DialectDeclaration>,
    ops: HashMap<&'static str, &'static OpDeclaration>,
}

static TABLE: LazyLock<RwLock<Table>> = LazyLock::new(RwLock::default);

fn table() -> RwLockReadGuard<'static, Table> {
    TABLE.read().unwrap_or_else(PoisonError::into_inner)
}

/// The dialects that were registered, by name.
pub fn registered() -> Vec<&'static DialectDeclaration> {
    table().dialects.values().copied().collect()
}

/// The name and the summary of a declared op.
pub(crate) fn summary_of(op: &str) -> Option<(&'static str, &'static str)> {
    let table = table();
    let op = table.ops.get(op)?;
    Some((op.name(), op.summary))
}

/// The declaration of an op by its name with the dialect.
pub fn declaration_of(op: &str) -> Option<&'static OpDeclaration> {
    table().ops.get(op).copied()
}

/// The operands of a group by its name, for code that has only the declaration of an op; `None` if
/// the op has no such group, or not enough operands.
pub fn operand_group<'c>(operation: Operation<'c>, name: &str) -> Option<Vec<Value<'c>>> {
    let info = declared_ops::info_of(operation.name())?;
    let group = info.operands.groups.iter().position(|one| one.name == name)?;
    let range = access::operand_range(operation, info, group)?;
    Some(operation.operands()[range].to_vec())
}

/// The results of a group by its name, like [`operand_group`].
pub fn result_group<'c>(operation: Operation<'c>, name: &str) -> Option<Vec<Value<'c>>> {
    let info = declared_ops::info_of(operation.name())?;
    let group = info.results.groups.iter().position(|one| one.name == name)?;
    let range = access::result_range(operation, info, group)?;
    Some(operation.results()[range].to_vec())
}

/// Registers a dialect for all contexts that are made from now on.
///
/// # Errors
/// Returns an error if a dialect of the name exists in the process or upstream, a name is not an
/// identifier or is used twice, an assembly format does not print all parts of its op, or traits
/// contradict the parts of an op. Nothing is registered then.
pub fn register(declaration: &'static DialectDeclaration) -> Result<(), DeclarationError> {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let definition = define(&table, declaration).map_err(|reason| DeclarationError {
        message: format!("dialect '{}': {reason}", declaration.name),
    })?;
    table.dialects.insert(declaration.name, declaration);
    for op in declaration.ops {
        table.ops.insert(op.name(), op);
        let attributes = op.attributes.iter();
        let defaults = attributes.filter_map(|one| Some((one.name, one.default?)));
        declared_ops::add(op.info, defaults);
    }
    // SAFETY: The definition and all that it points to are leaked.
    unsafe { haloDeclareDialect(definition) };
    Ok(())
}

/// Checks a declaration and creates its definition.
fn define(
    table: &Table,
    declaration: &'static DialectDeclaration,
) -> Result<&'static RawDialect, String> {
    let name = declaration.name;
    if !format::is_name(name) || name.contains(['.', '$']) {
        return Err(format!("'{name}' is not the name of a dialect"));
    }
    let registry = DialectRegistry::new();
    upstream::register_dialects(&registry);
    let is_known = |name: &str| {
        // SAFETY: The registry is alive, and only read.
        unsafe { haloHasDialect(registry.to_raw(), StringRef::new(name).to_raw()) }
    };
    if table.dialects.contains_key(name) || is_known(name) {
        return Err("there is a dialect of this name already".to_owned());
    }
    if let Some(other) = declaration.dependent_dialects.iter().find(|other| !is_known(other)) {
        return Err(format!(
            "depends on dialect '{other}', which does not exist"
        ));
    }

    let mut names = HashSet::new();
    let mut formats = Vec::new();
    for op in declaration.ops {
        let about = |reason| format!("op '{}' {reason}", op.name());
        member_name(name, op.name(), &mut names).map_err(about)?;
        check_op(op).map_err(about)?;
        check_terminator(declaration, op).map_err(about)?;
        let format = op.assembly.map(|text| format::parse(op, text));
        formats.push(
            format
                .transpose()
                .map_err(|reason| about(format!("has a wrong assembly format: {reason}")))?,
        );
    }
    if let Some(constant) = declaration.constant {
        let is_ours = |op: &&OpDeclaration| op.name() == constant.name();
        if !declaration.ops.iter().any(is_ours) || !constant.has(OpTrait::ConstantLike) {
            let name = constant.name();
            return Err(format!(
                "op '{name}' cannot make the constants of this dialect"
            ));
        }
    }

    let mut names = HashSet::new();
    let mut types = Vec::new();
    for one in declaration.types {
        let owner = hooks::Parametric::Type(one);
        let (parameters, assembly) = (one.parameters, one.assembly);
        types.push(define_parametric(
            name, "type", one.name, parameters, assembly, owner, &mut names,
        )?);
    }
    let mut names = HashSet::new();
    let mut attributes = Vec::new();
    for one in declaration.attributes {
        let owner = hooks::Parametric::Attribute(one);
        let (parameters, assembly) = (one.parameters, one.assembly);
        let kind = "attribute";
        attributes.push(define_parametric(
            name, kind, one.name, parameters, assembly, owner, &mut names,
        )?);
    }
    let with_formats = |all: &'static [(raw::RawDeclaration, Member)]| {
        all.iter()
            .map(|(declaration, member)| raw::Parametric {
                declaration: *declaration,
                name: member.name,
                parameters: member.parameters,
                format: &member.format,
            })
            .collect::<Vec<_>>()
    };
    let (types, attributes) = (Vec::leak(types), Vec::leak(attributes));
    Ok(raw::dialect(
        declaration,
        &formats,
        &with_formats(types),
        &with_formats(attributes),
    ))
}

/// A type or an attribute of a dialect.
struct Member {
    name: &'static str,
    parameters: &'static [Parameter],
    format: Vec<format::Directive>,
}

fn define_parametric(
    dialect: &str,
    kind: &str,
    name: &'static str,
    parameters: &'static [Parameter],
    assembly: Option<&str>,
    owner: hooks::Parametric,
    names: &mut HashSet<&'static str>,
) -> Result<(raw::RawDeclaration, Member), String> {
    let about = |reason| format!("{kind} '{name}' {reason}");
    let short = member_name(dialect, name, names).map_err(about)?;
    let all: Vec<&str> = parameters.iter().map(|parameter| parameter.name).collect();
    distinct(all.iter().copied()).map_err(about)?;
    let format = match assembly {
        None => format::default_parameters(parameters.len()),
        Some(text) => format::parse_parameters(parameters, text)
            .map_err(|reason| about(format!("has a wrong assembly format: {reason}")))?,
    };
    let owner: &'static hooks::Parametric = Box::leak(Box::new(owner));
    let member = Member {
        name: short,
        parameters,
        format,
    };
    let declaration = raw::RawDeclaration(std::ptr::from_ref(owner).cast());
    Ok((declaration, member))
}

/// The name of an op, a type or an attribute without its dialect.
fn member_name(
    dialect: &str,
    name: &'static str,
    names: &mut HashSet<&'static str>,
) -> Result<&'static str, String> {
    let short = name
        .strip_prefix(dialect)
        .and_then(|rest| rest.strip_prefix('.'))
        .ok_or_else(|| format!("does not have the prefix '{dialect}.'"))?;
    if !format::is_name(short) || short.ends_with('.') {
        return Err("has a name that is not an identifier".to_owned());
    }
    if names.insert(name) {
        Ok(short)
    } else {
        Err("is declared twice".to_owned())
    }
}

/// Checks that the names of parts are unique identifiers.
fn distinct<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<(), String> {
    let mut seen = HashSet::new();
    for name in names {
        if !format::is_name(name) {
            return Err(format!("has a part '{name}', which is not an identifier"));
        }
        if !seen.insert(name) {
            return Err(format!("has two parts '{name}'"));
        }
    }
    Ok(())
}

/// Checks that the parts of an op are consistent with each other and its traits.
fn check_op(op: &OpDeclaration) -> Result<(), String> {
    let info = op.info;
    let groups = info.operands.groups.iter().chain(info.results.groups);
    let attributes = op.attributes.iter().map(|attribute| attribute.name);
    let regions = op.regions.iter().map(|region| (region.name, region.arity));
    let successors = op.successors.iter().map(|part| (part.name, part.arity));
    let (regions, successors): (Vec<_>, Vec<_>) = (regions.collect(), successors.collect());
    let parts = regions.iter().chain(&successors);
    distinct(
        groups
            .map(|group| group.name)
            .chain(attributes)
            .chain(parts.map(|(name, _)| *name)),
    )?;
    check_all_types_match(op)?;
    for (groups, constraints, what) in [
        (&info.operands, op.operands, "operands"),
        (&info.results, op.results, "results"),
    ] {
        if groups.groups.len() != constraints.len() {
            let (count, found) = (groups.groups.len(), constraints.len());
            return Err(format!(
                "has {count} {what}, but {found} constraints for them"
            ));
        }
        let of_any_number = groups.groups.iter().filter(|group| group.arity != Arity::One);
        if (of_any_number.count() > 1) != (groups.sizing == Sizing::Segments) {
            return Err(format!(
                "needs sizes of the groups of its {what} exactly if several have no fixed size"
            ));
        }
    }
    let required = op.attributes.iter().filter(|attribute| !attribute.is_optional);
    if !required.map(|attribute| attribute.name).eq(info.required.iter().copied()) {
        return Err("has other required attributes than its record".to_owned());
    }
    for (parts, what) in [(regions, "region"), (successors, "successor")] {
        for (index, (name, arity)) in parts.iter().enumerate() {
            let is_last = index + 1 == parts.len();
            if *arity != Arity::One && !(is_last && *arity == Arity::Variadic) {
                return Err(format!(
                    "has {what} '{name}', but only the last may be variadic"
                ));
            }
        }
    }
    check_traits(op)?;
    interfaces::check(op)
}

/// Checks that the implicit terminator of regions can be created without operands.
fn check_terminator(dialect: &DialectDeclaration, op: &OpDeclaration) -> Result<(), String> {
    let Some(name) = op.implicit_terminator else {
        return Ok(());
    };
    let of_one = |group: &crate::ops::definition::Group| group.arity == Arity::One;
    let takes_nothing = |end: &OpDeclaration| {
        let OpInfo {
            operands, required, ..
        } = end.info;
        let has_parts = operands.groups.iter().any(of_one)
            || operands.sizing == Sizing::Segments
            || !required.is_empty();
        let has_others =
            !end.results.is_empty() || !end.regions.is_empty() || !end.successors.is_empty();
        end.has(OpTrait::Terminator) && !has_parts && !has_others
    };
    let found = dialect.ops.iter().find(|one| one.name() == name);
    if found.is_some_and(|end| takes_nothing(end)) && op.has(OpTrait::SingleBlock) {
        Ok(())
    } else {
        Err(format!(
            "ends its regions with '{name}', which must be a terminator of this dialect that \
             takes nothing, and the regions must have single blocks"
        ))
    }
}

/// Checks that operands and results with a common type are single values, in one set each.
fn check_all_types_match(op: &OpDeclaration) -> Result<(), String> {
    let groups = || op.info.operands.groups.iter().chain(op.info.results.groups);
    let mut seen = HashSet::new();
    for name in op.all_types_match.iter().copied().flatten() {
        let Some(group) = groups().find(|group| group.name == *name) else {
            return Err(format!(
                "has no operand or result '{name}' to have the type of others"
            ));
        };
        if group.arity != Arity::One {
            return Err(format!(
                "has '{name}' of any number, so that it cannot have the type of others"
            ));
        }
        if !seen.insert(*name) {
            return Err(format!("has '{name}' in two sets of one type"));
        }
    }
    Ok(())
}

fn check_traits(op: &OpDeclaration) -> Result<(), String> {
    use OpTrait::*;
    let effects = [Reads, Writes, Allocates, Frees];
    let has_none = op.has(Pure) || op.has(NoMemoryEffect);
    if has_none && effects.iter().any(|effect| op.has(*effect)) {
        return Err("is pure, but has effects".to_owned());
    }
    let is_unary = op.operands.len() == 1 && op.info.operands.groups[0].arity == Arity::One;
    if (op.has(Idempotent) || op.has(Involution))
        && !(is_unary && op.has(SameOperandsAndResultType))
    {
        return Err(
            "is idempotent or an involution, but does not map one type to itself".to_owned(),
        );
    }
    if op.has(Commutative) && op.info.operands.sizing == Sizing::Segments {
        return Err("is commutative, but has operands in groups of any size".to_owned());
    }
    let requires = |name: &str| op.info.required.contains(&name);
    if op.has(Symbol) && !requires("sym_name") {
        return Err("is a symbol without a required attribute 'sym_name'".to_owned());
    }
    let has_one_region = matches!(op.regions, [region] if region.arity == Arity::One);
    if op.has(SymbolTable) && !has_one_region {
        return Err("is a symbol table, but does not have one region".to_owned());
    }
    if !op.successors.is_empty() && !op.has(Terminator) {
        return Err("has successors, but is no terminator".to_owned());
    }
    let results = op.info.results.groups;
    let is_constant = op.operands.is_empty()
        && results.len() == 1
        && results[0].arity == Arity::One
        && requires("value")
        && op.fold.is_none();
    if op.has(ConstantLike) && !is_constant {
        return Err(
            "is like a constant, but has operands, a folder, or not just one result and a \
             required attribute 'value'"
                .to_owned(),
        );
    }
    let none = op.operands.is_empty() || op.results.is_empty();
    if op.has(SameOperandsAndResultType) && none {
        return Err("has one type for operands and results, but lacks either".to_owned());
    }
    if op.has(SameOperandsAndResultType)
        && op.infer.is_none()
        && results.iter().any(|group| group.arity != Arity::One)
    {
        return Err("cannot infer the number of its results from its operands".to_owned());
    }
    Ok(())
}
