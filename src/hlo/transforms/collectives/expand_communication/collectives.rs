//! Collectives: the computation of results from the contributions of a group.

use super::slices::{self, part_type};
use crate::{
    communication::{collective, group_attribute, grouping_attribute, parts_of_reduction},
    semantics::op::Op,
};
use halo_ir::{ops::halo, prelude::*, stablehlo::attributes::ComparisonType};
use halo_runtime::communication::{Collective, Movement};

/// Starts the collective and waits for its results.
pub fn expand<'c>(b: &Builder<'c>, op: Operation<'c>) -> RewriteResult {
    let operands = op.operands();
    let ticket = start(b, op, &operands)?;
    let results = finish(b, op, ticket, &operands)?;
    b.replace(op, &results);
    Ok(())
}

fn read(op: Operation) -> RewriteResult<Collective> {
    collective(Op::Built(op)).map_err(RewriteError::Invalid)
}

/// The contributed operands; the last one may name the roots.
fn brought<'a, 'c>(op: Operation<'c>, operands: &'a [Value<'c>]) -> &'a [Value<'c>] {
    if has_dynamic_root(op) {
        operands.split_last().map_or(&[], |(_, others)| others)
    } else {
        operands
    }
}

const DYNAMIC_ROOT: &str = "has_dynamic_root";

fn has_dynamic_root(op: Operation) -> bool {
    Op::Built(op).flag(DYNAMIC_ROOT)
}

/// A collective, with its `size` set if its operands are contributed in slices.
fn in_slices(op: Operation) -> RewriteResult<Collective> {
    let mut collective = read(op)?;
    if let Some(count) = parts_of_reduction(op, &collective) {
        collective.size = Some(count);
    }
    Ok(collective)
}

/// The first step, for an op with these operands. Returns a ticket.
pub fn start<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    operands: &[Value<'c>],
) -> RewriteResult<Value<'c>> {
    let collective = in_slices(op)?;
    let operands = brought(op, operands);
    if collective.movement() != Movement::AllToAll {
        return Ok(bring(b, op, &collective, operands));
    }
    let operands = operands
        .iter()
        .map(|operand| slices::of_operand(b, op, &collective, *operand))
        .collect::<RewriteResult<Vec<_>>>()?;
    Ok(bring(b, op, &collective, &operands))
}

fn bring<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    collective: &Collective,
    operands: &[Value<'c>],
) -> Value<'c> {
    let groups = group_attribute(collective);
    let groups: Vec<&[i64]> = groups.iter().map(Vec::as_slice).collect();
    let grouping = grouping_attribute(collective.grouping);
    let (name, channel) = (&collective.operation, collective.channel);
    let start = halo::CollectiveStartOp::build(b, operands, name, channel, grouping, &groups)
        .maybe(collective.size, |start, size| start.group_size(size as i64))
        .insert();
    // The runtime needs it to determine the op's data movement.
    if let Some(root) = op.attribute(DYNAMIC_ROOT).filter(|_| collective.has_dynamic_root) {
        start.set_attribute(DYNAMIC_ROOT, root);
    }
    start.ticket()
}

fn scalar<'c>(b: &Builder<'c>) -> Type<'c> {
    tensor_type(&[], integer_type(b.context(), 64))
}

fn number<'c>(b: &Builder<'c>, number: i64) -> RewriteResult<Value<'c>> {
    stablehlo::integers(b, scalar(b), &[number])
}

/// A collective after its first step.
struct Started<'c> {
    op: Operation<'c>,
    ticket: Value<'c>,
    /// The process's position in the group, and the size of the group.
    place: Value<'c>,
    size: Value<'c>,
    /// The types of each member's contribution, and of the results.
    brought: Vec<Type<'c>>,
    results: Vec<Type<'c>>,
}

/// The second step: the results.
pub fn finish<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    ticket: Value<'c>,
    operands: &[Value<'c>],
) -> RewriteResult<Vec<Value<'c>>> {
    let collective = in_slices(op)?;
    let own = brought(op, operands).iter().map(|operand| operand.ty());
    let own: Vec<Type> = match collective.movement() {
        Movement::AllToAll => {
            own.map(|ty| part_type(op, &collective, ty)).collect::<Result<_, _>>()?
        }
        _ => own.collect(),
    };
    let started = Started::wait(b, op, ticket, own);
    let results = if let Some(gather) = op.cast::<stablehlo::AllGatherOp>() {
        started.gather(b, dimension(gather.all_gather_dim())?)?
    } else if let Some(exchange) = op.cast::<stablehlo::AllToAllOp>() {
        started.gather(b, dimension(exchange.concat_dimension())?)?
    } else if op.isa::<stablehlo::CollectiveBroadcastOp>()
        || op.isa::<stablehlo::CollectivePermuteOp>()
    {
        let roots = started.roots(b, operands)?;
        let chosen = roots.into_iter().enumerate();
        chosen
            .map(|(number, root)| Ok(started.member(b, root)[number]))
            .collect::<RewriteResult<Vec<_>>>()?
    } else if op.isa::<stablehlo::CollectiveReduceOp>() {
        started.reduce_at_root(b, operands)?
    } else {
        started.reduce(b)?
    };
    halo::collective_end(b, ticket, op.name());
    match parts_of_reduction(op, &collective) {
        Some(_) => gather_parts(b, op, collective, &results),
        None => Ok(results),
    }
}

/// Gathers the parts of a reduction that each member has computed.
fn gather_parts<'c>(
    b: &Builder<'c>,
    op: Operation<'c>,
    collective: Collective,
    parts: &[Value<'c>],
) -> RewriteResult<Vec<Value<'c>>> {
    let count = collective.size.unwrap_or(1) as i64;
    let whole = Collective {
        size: None,
        ..collective
    };
    let ticket = bring(b, op, &whole, parts);
    let types = parts.types();
    let mut started = Started::wait(b, op, ticket, types);
    let wholes = started.brought.iter().map(|part| {
        let size: i64 = shape(*part)?.iter().product();
        Ok(tensor_type(&[size * count], part.element_type()))
    });
    started.results = wholes.collect::<RewriteResult<_>>()?;
    let gathered = started.gather(b, 0)?;
    halo::collective_end(b, ticket, op.name());
    let pairs = gathered.into_iter().zip(op.result_types());
    pairs
        .map(|(value, ty)| {
            let size: i64 = shape(ty)?.iter().product();
            let value = stablehlo::vector_part(b, value, 0, size);
            Ok(stablehlo::reshape(b, value, ty))
        })
        .collect()
}

impl<'c> Started<'c> {
    fn wait(b: &Builder<'c>, op: Operation<'c>, ticket: Value<'c>, brought: Vec<Type<'c>>) -> Self {
        let wait = halo::collective_wait(b, ticket, op.name());
        Self {
            op,
            ticket,
            place: wait.place(),
            size: wait.size(),
            brought,
            results: op.result_types(),
        }
    }

    /// The contribution of the member at a position.
    fn member(&self, b: &Builder<'c>, place: Value<'c>) -> Vec<Value<'c>> {
        let name = self.op.name();
        halo::collective_member(b, self.ticket, place, name, &self.brought).results()
    }

    /// For each operand, the position of its root.
    fn roots(&self, b: &Builder<'c>, operands: &[Value<'c>]) -> RewriteResult<Vec<Value<'c>>> {
        let count = self.brought.len();
        if !has_dynamic_root(self.op) {
            return Ok(vec![number(b, 0)?; count]);
        }
        let roots =
            *operands.last().ok_or_else(|| no_match("it has another number of operands"))?;
        let shape = shape(roots.ty())?;
        let length: i64 = shape.iter().product();
        if length == 0 {
            return Err(RewriteError::Invalid("names no root".into()));
        }
        let element = roots.ty().element_type();
        let flat = stablehlo::reshape(b, roots, tensor_type(&[length], element));
        (0..count as i64)
            .map(|operand| {
                let position = operand.min(length - 1);
                let root = stablehlo::vector_part(b, flat, position, position + 1);
                let root = stablehlo::reshape(b, root, tensor_type(&[], element));
                Ok(stablehlo::convert_elements(
                    b,
                    root,
                    integer_type(b.context(), 64),
                ))
            })
            .collect()
    }

    /// The concatenated contributions of all members.
    fn gather(&self, b: &Builder<'c>, dimension: usize) -> RewriteResult<Vec<Value<'c>>> {
        self.over_members(b, |b, place, members, results| {
            let parts = members.iter().zip(results);
            parts
                .map(|(part, result)| insert(b, *result, *part, dimension, place))
                .collect()
        })
    }

    /// A loop over the members that fills the results part by part.
    fn over_members(
        &self,
        b: &Builder<'c>,
        step: impl Fn(
            &Builder<'c>,
            Value<'c>,
            &[Value<'c>],
            &[Value<'c>],
        ) -> RewriteResult<Vec<Value<'c>>>,
    ) -> RewriteResult<Vec<Value<'c>>> {
        let results = self
            .results
            .iter()
            .map(|ty| {
                shape(*ty)?;
                stablehlo::number(b, *ty, 0.0)
            })
            .collect::<RewriteResult<Vec<_>>>()?;
        self.repeat(b, 0, &results, |b, place, results| {
            step(b, place, &self.member(b, place), results)
        })
    }

    /// The contributions of all members, combined element by element in the order of the group.
    fn reduce(&self, b: &Builder<'c>) -> RewriteResult<Vec<Value<'c>>> {
        let first = self.member(b, number(b, 0)?);
        let first = first
            .into_iter()
            .zip(&self.results)
            .map(|(value, ty)| Ok(stablehlo::convert_elements(b, value, ty.element_type())))
            .collect::<RewriteResult<Vec<_>>>()?;
        self.repeat(b, 1, &first, |b, place, sums| {
            let members = self.member(b, place);
            let pairs = sums.iter().zip(members);
            pairs.map(|(sum, member)| self.combine(b, *sum, member)).collect()
        })
    }

    /// Processes other than the root get zeros.
    fn reduce_at_root(
        &self,
        b: &Builder<'c>,
        operands: &[Value<'c>],
    ) -> RewriteResult<Vec<Value<'c>>> {
        let roots = self.roots(b, operands)?;
        let sums = self.reduce(b)?;
        sums.into_iter()
            .zip(roots)
            .map(|(sum, root)| {
                let is_root = compare(b, ComparisonDirection::Eq, self.place, root)?;
                let zeros = stablehlo::number(b, sum.ty(), 0.0)?;
                Ok(stablehlo::select(b, is_root, sum, zeros))
            })
            .collect()
    }

    /// The body of the op, applied to each pair of elements.
    fn combine(
        &self,
        b: &Builder<'c>,
        sum: Value<'c>,
        member: Value<'c>,
    ) -> RewriteResult<Value<'c>> {
        let result = sum.ty();
        if self.op.isa::<stablehlo::CrossReplicaSumOp>() {
            return Ok(stablehlo::add(b, sum, member));
        }
        let body = self.op.body(0).ok_or_else(|| no_match("a region is empty"))?;
        let parameters = body.arguments();
        let types = parameters.types();
        let [left, right] = types[..] else {
            return Err(RewriteError::Invalid(
                "has a body that takes no pair".into(),
            ));
        };
        let terminator = body.terminator().ok_or_else(|| no_match("a block has no terminator"))?;
        let returned = terminator.operands();
        let returned = returned.first().ok_or_else(|| no_match("its region returns nothing"))?.ty();
        let computation = stablehlo::region(b, &types, |b, arguments| {
            let pairs = parameters.iter().zip(arguments);
            let mut map: ValueMap = pairs.map(|(old, new)| (old.key(), *new)).collect();
            for op in body.operations() {
                if op != terminator {
                    b.clone_op(op, &mut map);
                }
            }
            let values = terminator.operands().into_iter();
            values.map(|value| mapped(&map, value)).collect::<Vec<_>>()
        });
        let sum = stablehlo::convert_elements(b, sum, left.element_type());
        let member = stablehlo::convert_elements(b, member, right.element_type());
        let rank = shape(result)?.len() as i64;
        let dimensions: Vec<i64> = (0..rank).collect();
        let combined = stablehlo::MapOp::build(b, &[sum, member], &dimensions, computation)
            .result_types(&[result.with_element_type(returned.element_type())])
            .value();
        Ok(stablehlo::convert_elements(
            b,
            combined,
            result.element_type(),
        ))
    }

    /// A loop over positions from a first one to the size of the group.
    fn repeat(
        &self,
        b: &Builder<'c>,
        first: i64,
        carried: &[Value<'c>],
        step: impl FnOnce(&Builder<'c>, Value<'c>, &[Value<'c>]) -> RewriteResult<Vec<Value<'c>>>,
    ) -> RewriteResult<Vec<Value<'c>>> {
        let mut initial = vec![number(b, first)?];
        initial.extend(carried);
        let finished = stablehlo::while_(
            b,
            &initial,
            |b, carried| compare(b, ComparisonDirection::Lt, carried[0], self.size),
            |b, carried| {
                let (place, carried) = (carried[0], &carried[1..]);
                let mut next = step(b, place, carried)?;
                let one = number(b, 1)?;
                next.insert(0, stablehlo::add(b, place, one));
                Ok(next)
            },
        )?;
        Ok(finished.results().split_off(1))
    }
}

pub(super) fn dimension(number: i64) -> RewriteResult<usize> {
    usize::try_from(number).map_err(|_| RewriteError::Invalid(format!("has no dimension {number}")))
}

fn compare<'c>(
    b: &Builder<'c>,
    direction: ComparisonDirection,
    left: Value<'c>,
    right: Value<'c>,
) -> RewriteResult<Value<'c>> {
    Ok(stablehlo::CompareOp::build(b, left, right, direction)
        .compare_type(ComparisonType::Signed)
        .value())
}

pub(super) fn shape(ty: Type) -> RewriteResult<Vec<i64>> {
    ty.static_shape().ok_or_else(|| {
        RewriteError::Invalid(format!(
            "has a tensor of dynamic shape {ty}: refine the shapes"
        ))
    })
}

/// The start of the part at a position, for parts of one size along a dimension.
fn offsets<'c>(
    b: &Builder<'c>,
    rank: usize,
    dimension: usize,
    size: i64,
    place: Value<'c>,
) -> RewriteResult<Vec<Value<'c>>> {
    let offset = stablehlo::multiply(b, place, number(b, size)?);
    let zero = number(b, 0)?;
    Ok((0..rank).map(|it| if it == dimension { offset } else { zero }).collect())
}

/// Overwrites a part at a position along a dimension.
fn insert<'c>(
    b: &Builder<'c>,
    whole: Value<'c>,
    part: Value<'c>,
    dimension: usize,
    place: Value<'c>,
) -> RewriteResult<Value<'c>> {
    let sizes = shape(part.ty())?;
    let size = sizes
        .get(dimension)
        .copied()
        .ok_or_else(|| no_match("a dimension is out of range"))?;
    let starts = offsets(b, sizes.len(), dimension, size, place)?;
    Ok(stablehlo::dynamic_update_slice(b, whole, part, &starts))
}
