//! Declarations as the C structures of dialects/cpp/dynamic/DynamicDialect.h.
//!
//! They are leaked: a dialect lives as long as the process.

use super::{
    declaration::{
        AttributeSyntax, Cases, DialectDeclaration, OpDeclaration, OpTrait, Parameter,
        ParameterKind, TypeConstraint,
    },
    format::{Directive, List},
    hooks::{HOOKS, RawHooks},
    interfaces::{MemoryEffect, RegionBranch, RegionSuccessor, position, target},
};
use crate::ops::definition::{Arity, Groups, Sizing};
use melior::StringRef;
use mlir_sys::MlirStringRef;
use std::ffi::c_void;

const ONE: i32 = 0;
const OPTIONAL: i32 = 1;
const VARIADIC: i32 = 2;

const LITERAL: i32 = 0;
const OPERANDS: i32 = 1;
const ATTRIBUTE: i32 = 2;
const REGION: i32 = 3;
const SUCCESSOR: i32 = 4;
const TYPE: i32 = 5;
const FUNCTIONAL_TYPE: i32 = 6;
const ATTR_DICT: i32 = 7;
const ATTR_DICT_WITH_KEYWORD: i32 = 8;
const GROUP: i32 = 9;

const FULL: i32 = 0;
const TYPED: i32 = 1;
const UNIT: i32 = 2;
const SYMBOL_NAME: i32 = 3;
const OF_TYPE: i32 = 4;
const INTEGER: i32 = 5;
const STRING: i32 = 6;
const CASE: i32 = 7;
const PARAMETERS: i32 = 8;

/// A declaration, as passed to hooks.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct RawDeclaration(pub *const c_void);

// SAFETY: It points to an immutable `static` declaration.
unsafe impl Sync for RawDeclaration {}

#[repr(C)]
struct RawGroup {
    name: MlirStringRef,
    arity: i32,
    ty: MlirStringRef,
    type_set: i32,
}

/// A case of an enum.
#[repr(C)]
struct RawCase {
    name: MlirStringRef,
    number: u64,
}

#[repr(C)]
struct RawNamedSyntax {
    name: MlirStringRef,
    syntax: i32,
    ty: MlirStringRef,
    case_count: isize,
    cases: *const RawCase,
}

#[derive(Clone, Copy)]
#[repr(C)]
struct RawList {
    are_results: bool,
    group: i32,
}

#[repr(C)]
struct RawDirective {
    kind: i32,
    index: i32,
    elements: i32,
    otherwise: i32,
    first: RawList,
    second: RawList,
    text: MlirStringRef,
}

#[repr(C)]
struct RawOp {
    declaration: RawDeclaration,
    name: MlirStringRef,
    traits: u64,
    operand_count: isize,
    operands: *const RawGroup,
    result_count: isize,
    results: *const RawGroup,
    attribute_count: isize,
    attributes: *const RawNamedSyntax,
    region_count: isize,
    successor_count: isize,
    directive_count: isize,
    directives: *const RawDirective,
    implicit_terminator: MlirStringRef,
    has_operand_segments: bool,
    has_result_segments: bool,
    last_region_is_variadic: bool,
    last_successor_is_variadic: bool,
    has_format: bool,
    infers: bool,
    canonicalizes: bool,
    effect_count: isize,
    effects: *const RawValueEffect,
    callee: MlirStringRef,
    call_arguments: i32,
    /// Null if the op is not a branch.
    successor_operands: *const i32,
    /// Null if its region control flow is not declared.
    region_targets: *const RawRegionTargets,
    region_inputs: i32,
    produced_arguments: i32,
}

/// `HaloValueEffect`
#[repr(C)]
struct RawValueEffect {
    is_result: bool,
    group: i32,
    effect: i32,
}

/// `HaloRegionTargets`
#[repr(C)]
struct RawRegionTargets {
    count: isize,
    regions: *const i32,
}

#[repr(C)]
struct RawParametric {
    declaration: RawDeclaration,
    name: MlirStringRef,
    parameter_count: isize,
    parameters: *const RawNamedSyntax,
    directive_count: isize,
    directives: *const RawDirective,
}

/// `HaloDialectDefinition`
#[repr(C)]
pub(super) struct RawDialect {
    name: MlirStringRef,
    hooks: *const RawHooks,
    op_count: isize,
    ops: *const RawOp,
    type_count: isize,
    types: *const RawParametric,
    attribute_count: isize,
    attributes: *const RawParametric,
    dependency_count: isize,
    dependencies: *const MlirStringRef,
    constant: MlirStringRef,
}

/// A text that lives as long as the process.
fn text(text: &str) -> MlirStringRef {
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    StringRef::new(text).to_raw()
}

/// An array that lives as long as the process, and its length.
fn array<T: 'static>(items: Vec<T>) -> (isize, *const T) {
    let items: &'static [T] = Box::leak(items.into_boxed_slice());
    (items.len() as isize, items.as_ptr())
}

fn groups(
    declaration: &OpDeclaration,
    groups: &Groups,
    constraints: &[TypeConstraint],
) -> Vec<RawGroup> {
    groups
        .groups
        .iter()
        .zip(constraints)
        .map(|(group, constraint)| RawGroup {
            name: text(group.name),
            arity: match group.arity {
                Arity::One => ONE,
                Arity::Optional => OPTIONAL,
                Arity::Variadic => VARIADIC,
            },
            ty: text(&constraint.only_type().unwrap_or_default()),
            type_set: declaration.type_set(group.name).map_or(-1, |set| set as i32),
        })
        .collect()
}

fn named(name: &str, syntax: i32, ty: &str, cases: Cases) -> RawNamedSyntax {
    let cases = cases.iter().map(|(name, number)| RawCase {
        name: text(name),
        number: *number,
    });
    let (case_count, cases) = array(cases.collect());
    RawNamedSyntax {
        name: text(name),
        syntax,
        ty: text(ty),
        case_count,
        cases,
    }
}

fn syntax(name: &str, syntax: AttributeSyntax) -> RawNamedSyntax {
    let (kind, ty) = match syntax {
        AttributeSyntax::Full => (FULL, ""),
        AttributeSyntax::WithoutType(ty) => (TYPED, ty),
        AttributeSyntax::Untyped => (TYPED, "none"),
        AttributeSyntax::Presence => (UNIT, ""),
        AttributeSyntax::SymbolName => (SYMBOL_NAME, ""),
        AttributeSyntax::Type => (OF_TYPE, ""),
        AttributeSyntax::Case(ty, cases) => return named(name, CASE, ty, cases),
        // The type represents the written attribute.
        AttributeSyntax::Parameters(of) => (PARAMETERS, of),
    };
    named(name, kind, ty, &[])
}

fn parameter(Parameter { name, kind }: &Parameter) -> RawNamedSyntax {
    match kind {
        ParameterKind::Integer => named(name, INTEGER, "", &[]),
        ParameterKind::String => named(name, STRING, "", &[]),
        ParameterKind::Type => named(name, OF_TYPE, "", &[]),
        ParameterKind::Attribute => named(name, FULL, "", &[]),
        ParameterKind::Case(cases) => named(name, CASE, "", cases),
    }
}

fn list(list: List) -> RawList {
    let (are_results, group) = match list {
        List::Operands => (false, -1),
        List::Operand(group) => (false, group as i32),
        List::Results => (true, -1),
        List::Result(group) => (true, group as i32),
    };
    RawList { are_results, group }
}

/// Appends directives; the directives of a group follow the group.
fn directives(all: &[Directive], raw: &mut Vec<RawDirective>) {
    for directive in all {
        let mut one = RawDirective {
            kind: LITERAL,
            index: 0,
            elements: 0,
            otherwise: 0,
            first: list(List::Operands),
            second: list(List::Results),
            text: text(""),
        };
        let indexed = |one: &mut RawDirective, kind, index: usize| {
            one.kind = kind;
            one.index = index as i32;
        };
        match directive {
            Directive::Literal(literal) => one.text = text(literal),
            Directive::Operands => one.kind = OPERANDS,
            Directive::Operand(index) => {
                indexed(&mut one, OPERANDS, *index);
                one.first = list(List::Operand(*index));
            }
            Directive::Attribute(index) => indexed(&mut one, ATTRIBUTE, *index),
            Directive::Region(index) => indexed(&mut one, REGION, *index),
            Directive::Successor(index) => indexed(&mut one, SUCCESSOR, *index),
            Directive::Type(of) => {
                one.kind = TYPE;
                one.first = list(*of);
            }
            Directive::FunctionalType(inputs, results) => {
                one.kind = FUNCTIONAL_TYPE;
                one.first = list(*inputs);
                one.second = list(*results);
            }
            Directive::AttrDict { keyword: false } => one.kind = ATTR_DICT,
            Directive::AttrDict { keyword: true } => one.kind = ATTR_DICT_WITH_KEYWORD,
            Directive::Group {
                anchor,
                elements,
                otherwise,
            } => {
                indexed(&mut one, GROUP, *anchor);
                one.elements = elements.len() as i32;
                one.otherwise = otherwise.len() as i32;
                raw.push(one);
                directives(elements, raw);
                directives(otherwise, raw);
                continue;
            }
        }
        raw.push(one);
    }
}

fn flattened(all: &[Directive]) -> (isize, *const RawDirective) {
    let mut raw = Vec::new();
    directives(all, &mut raw);
    array(raw)
}

fn last_is_variadic(arities: impl Iterator<Item = Arity>) -> bool {
    arities.last() == Some(Arity::Variadic)
}

fn op(declaration: &'static OpDeclaration, format: Option<&[Directive]>) -> RawOp {
    let info = declaration.info;
    let (operand_count, operands) =
        array(groups(declaration, &info.operands, declaration.operands));
    let (result_count, results) = array(groups(declaration, &info.results, declaration.results));
    let attributes = declaration.attributes.iter();
    let (attribute_count, attributes) = array(
        attributes
            .map(|attribute| syntax(attribute.name, attribute.constraint.syntax))
            .collect(),
    );
    let (directive_count, directives) = flattened(format.unwrap_or_default());
    let traits = declaration.traits.iter();
    let (effect_count, effects) = array(effects(declaration));
    let operands_group = |name: Option<&str>| {
        let found = name.and_then(|name| position(info.operands.groups, name));
        found.map_or(-1, |found| found as i32)
    };
    let successor_operands = declaration.branch.map(|groups| {
        let groups = groups.iter().map(|name| operands_group(Some(name)));
        array(groups.collect()).1
    });
    let region_branch = declaration.region_branch;
    RawOp {
        declaration: RawDeclaration(std::ptr::from_ref(declaration).cast()),
        name: text(declaration.name()),
        traits: traits.fold(0, |bits, one: &OpTrait| bits | 1 << *one as u32),
        operand_count,
        operands,
        result_count,
        results,
        attribute_count,
        attributes,
        region_count: declaration.regions.len() as isize,
        successor_count: declaration.successors.len() as isize,
        directive_count,
        directives,
        implicit_terminator: text(declaration.implicit_terminator.unwrap_or_default()),
        has_operand_segments: info.operands.sizing == Sizing::Segments,
        has_result_segments: info.results.sizing == Sizing::Segments,
        last_region_is_variadic: last_is_variadic(declaration.regions.iter().map(|one| one.arity)),
        last_successor_is_variadic: last_is_variadic(
            declaration.successors.iter().map(|one| one.arity),
        ),
        has_format: format.is_some(),
        infers: declaration.infers(),
        canonicalizes: declaration.canonicalize.is_some(),
        effect_count,
        effects,
        callee: text(declaration.call.map_or("", |call| call.callee)),
        call_arguments: operands_group(declaration.call.map(|call| call.arguments)),
        successor_operands: successor_operands.unwrap_or(std::ptr::null()),
        region_targets: region_branch.map_or(std::ptr::null(), |branch| {
            region_targets(declaration, branch)
        }),
        region_inputs: operands_group(region_branch.and_then(|branch| branch.inputs)),
        produced_arguments: region_branch.map_or(0, |branch| branch.produced_arguments as i32),
    }
}

fn effects(declaration: &OpDeclaration) -> Vec<RawValueEffect> {
    let (operands, results) = (declaration.info.operands, declaration.info.results);
    let raw = |(name, effect): &(&str, MemoryEffect)| {
        let operand = position(operands.groups, name);
        let group = operand.or_else(|| position(results.groups, name))?;
        Some(RawValueEffect {
            is_result: operand.is_none(),
            group: group as i32,
            effect: effect.of_op() as i32,
        })
    };
    declaration.effects.iter().filter_map(raw).collect()
}

/// The targets of control flow from the op, and from each region.
fn region_targets(declaration: &OpDeclaration, branch: RegionBranch) -> *const RawRegionTargets {
    let all = std::iter::once(&branch.entry).chain(branch.exits);
    let raw = |successors: &&[RegionSuccessor]| {
        let successors = successors.iter();
        let regions = successors.filter_map(|one| target(declaration.regions, *one));
        let (count, regions) = array(regions.collect());
        RawRegionTargets { count, regions }
    };
    array(all.map(raw).collect()).1
}

/// The parts of a type or an attribute, and its format.
pub(super) struct Parametric<'f> {
    pub declaration: RawDeclaration,
    /// The name without the dialect.
    pub name: &'static str,
    pub parameters: &'static [Parameter],
    pub format: &'f [Directive],
}

fn parametric(one: &Parametric) -> RawParametric {
    let (parameter_count, parameters) = array(one.parameters.iter().map(parameter).collect());
    let (directive_count, directives) = flattened(one.format);
    RawParametric {
        declaration: one.declaration,
        name: text(one.name),
        parameter_count,
        parameters,
        directive_count,
        directives,
    }
}

/// The definition of a dialect whose formats are read.
pub(super) fn dialect(
    declaration: &'static DialectDeclaration,
    formats: &[Option<Vec<Directive>>],
    types: &[Parametric],
    attributes: &[Parametric],
) -> &'static RawDialect {
    let ops = declaration.ops.iter().zip(formats);
    let (op_count, ops) =
        array(ops.map(|(declaration, format)| op(declaration, format.as_deref())).collect());
    let (type_count, types) = array(types.iter().map(parametric).collect());
    let (attribute_count, attributes) = array(attributes.iter().map(parametric).collect());
    let dependencies = declaration.dependent_dialects.iter();
    let (dependency_count, dependencies) = array(dependencies.map(|name| text(name)).collect());
    Box::leak(Box::new(RawDialect {
        name: text(declaration.name),
        hooks: &raw const HOOKS,
        op_count,
        ops,
        type_count,
        types,
        attribute_count,
        attributes,
        dependency_count,
        dependencies,
        constant: text(declaration.constant.map_or("", OpDeclaration::name)),
    }))
}
