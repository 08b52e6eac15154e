//! Interfaces of declared ops for passes: effects on values, calls, branches and regions.

use super::declaration::{OpDeclaration, OpRegion, OpTrait};
use crate::ops::definition::{Arity, Group, Sizing};

/// An effect on memory, or on another resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryEffect {
    /// It is read.
    Reads,
    /// It is written to.
    Writes,
    /// It is allocated.
    Allocates,
    /// It is freed.
    Frees,
}

impl MemoryEffect {
    /// The trait of an op that has the effect on any resource.
    pub(super) const fn of_op(self) -> OpTrait {
        match self {
            Self::Reads => OpTrait::Reads,
            Self::Writes => OpTrait::Writes,
            Self::Allocates => OpTrait::Allocates,
            Self::Frees => OpTrait::Frees,
        }
    }
}

/// The call interface of an op: upstream's `CallOpInterface`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Call {
    /// The required attribute with the function's symbol.
    pub callee: &'static str,
    /// The group of operands that are its arguments.
    pub arguments: &'static str,
}

/// The next target of control flow in an op with regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionSuccessor {
    /// To a region, by its name; to any of the regions of a variadic one.
    Region(&'static str),
    /// To the parent op's end.
    Parent,
}

/// The control flow between an op and its regions: upstream's `RegionBranchOpInterface`.
///
/// Terminators of the regions have [`OpTrait::ReturnLike`]: their operands become the
/// arguments of the next region, or the results of the op.
///
/// ```
/// use halo_ir::dialect::{RegionBranch, RegionSuccessor::{Parent, Region}};
///
/// /// A loop that may run no iteration. The first argument of its body is the number of
/// /// the iteration, the others carry the operands `inits`.
/// const LOOP: RegionBranch = RegionBranch {
///     entry: &[Region("body"), Parent],
///     exits: &[&[Region("body"), Parent]],
///     inputs: Some("inits"),
///     produced_arguments: 1,
/// };
/// # let _ = LOOP;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RegionBranch {
    /// The first targets of control flow.
    pub entry: &'static [RegionSuccessor],
    /// The targets of control flow from each region, in their order.
    pub exits: &'static [&'static [RegionSuccessor]],
    /// The group of operands that become the arguments of the first region, or the results.
    pub inputs: Option<&'static str>,
    /// The number of leading arguments of each region that the op itself produces.
    pub produced_arguments: u32,
}

/// The position of a group by its name.
pub(super) fn position(groups: &[Group], name: &str) -> Option<usize> {
    groups.iter().position(|group| group.name == name)
}

/// The number of the region that control branches to; negative for the parent op.
pub(super) fn target(regions: &[OpRegion], successor: RegionSuccessor) -> Option<i32> {
    match successor {
        RegionSuccessor::Parent => Some(-1),
        RegionSuccessor::Region(name) => {
            let found = regions.iter().position(|region| region.name == name)?;
            i32::try_from(found).ok()
        }
    }
}

/// Checks that the interfaces of an op match its parts.
pub(super) fn check(op: &OpDeclaration) -> Result<(), String> {
    let operands = op.info.operands.groups;
    let operand = |name: &str| {
        position(operands, name).ok_or_else(|| format!("has no operand '{name}' for an interface"))
    };
    for (name, _) in op.effects {
        let is_result = position(op.info.results.groups, name).is_some();
        if position(operands, name).is_none() && !is_result {
            return Err(format!("has an effect on '{name}', which it lacks"));
        }
    }
    if op.has(OpTrait::Pure) && !op.effects.is_empty() {
        return Err("is pure, but has effects".to_owned());
    }
    if let Some(Call { callee, arguments }) = op.call {
        operand(arguments)?;
        if !op.info.required.contains(&callee) {
            return Err(format!("is a call without a required attribute '{callee}'"));
        }
    }
    if let Some(groups) = op.branch {
        check_branch(op, groups)?;
    }
    if let Some(branch) = op.region_branch {
        let known =
            |all: &[RegionSuccessor]| all.iter().all(|one| target(op.regions, *one).is_some());
        if branch.exits.len() != op.regions.len()
            || !known(branch.entry)
            || !branch.exits.iter().all(|exit| known(exit))
        {
            return Err("does not tell where control goes from each of its regions".to_owned());
        }
        branch.inputs.map(operand).transpose()?;
    }
    let returns_all = op.has(OpTrait::Terminator)
        && op.results.is_empty()
        && op.successors.is_empty()
        && op.info.operands.sizing != Sizing::Segments;
    if op.has(OpTrait::ReturnLike) && !returns_all {
        return Err(
            "returns its operands, but is no terminator, or has results, successors or several \
             groups of any size"
                .to_owned(),
        );
    }
    Ok(())
}

fn check_branch(op: &OpDeclaration, groups: &[&str]) -> Result<(), String> {
    let is_fixed = op.successors.iter().all(|part| part.arity == Arity::One);
    if groups.is_empty() || groups.len() != op.successors.len() || !is_fixed {
        return Err("does not tell the operands of each of its successors".to_owned());
    }
    for (index, name) in groups.iter().enumerate() {
        let found = position(op.info.operands.groups, name);
        let arity = found.map(|found| op.info.operands.groups[found].arity);
        if arity != Some(Arity::Variadic) || groups[..index].contains(name) {
            return Err(format!(
                "passes '{name}' to a successor, which is no variadic operand of its own"
            ));
        }
    }
    Ok(())
}
