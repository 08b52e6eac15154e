//! Emits the loop of a group.

use super::super::{
    copy_with,
    slice::{DYNAMIC, Slice},
};
use super::{
    Group,
    member::{Kind, Member},
};
use crate::loops::{elementwise::is_empty, fill::input_count, prelude::*};
use halo_ir::prelude::*;
use std::collections::HashMap;

/// A slice of a tensor: one element along some dimensions, all elements along the others.
fn slice_of<'c>(value: Value<'c>, positions: &[Option<usize>], ivs: &[Value<'c>]) -> Slice<'c> {
    let sizes = Member::tile_shape(value, positions);
    let mut static_offsets = vec![0; sizes.len()];
    let mut offsets = Vec::new();
    for (position, offset) in static_offsets.iter_mut().enumerate() {
        let index = positions.iter().position(|at| *at == Some(position));
        if let Some(index) = index {
            *offset = DYNAMIC;
            offsets.push(ivs[index]);
        }
    }
    Slice {
        offsets,
        static_offsets,
        strides: vec![1; sizes.len()],
        ty: tensor_type(&sizes, value.ty().element_type()),
        sizes,
    }
}

/// A result of the loop.
struct Output<'c> {
    /// The member that computes it.
    member: usize,
    /// The number of its result.
    number: usize,
    /// The value that it replaces.
    value: Value<'c>,
    /// The tensor that the iterations write.
    shared: Value<'c>,
    /// A tensor without other uses, which each iteration reads before it overwrites it.
    overwrites: Option<Value<'c>>,
}

/// The output tile of an iteration for each value.
type Places<'c> = HashMap<usize, Value<'c>>;

impl<'c> Group<'c> {
    /// Replaces the root by the loop, and erases the ops.
    pub(super) fn emit(&self) {
        let root = self.members[0].op;
        with_builder(root, |b| {
            let outputs = self.outputs(b);
            let results = self.forall(b, &outputs);
            for (output, result) in outputs.iter().zip(results) {
                b.replace_uses(output.value, result);
            }
            for member in &self.members {
                if member.op.results().into_iter().all(Value::is_unused) {
                    b.erase(member.op);
                }
            }
        })
    }

    /// All results of the root, and results of other ops that are used after the group.
    fn outputs(&self, b: &Builder<'c>) -> Vec<Output<'c>> {
        let mut outputs = Vec::new();
        for (position, member) in self.members.iter().enumerate() {
            if position > 0 && member.kind != Kind::Generic {
                continue;
            }
            let (operands, results) = (member.op.operands(), member.op.results());
            let first = operands.len() - results.len();
            for (number, value) in results.into_iter().enumerate() {
                let start = operands[first + number];
                if position == 0 || self.is_result_value(value) {
                    // Destinations inside the group are separate buffers, whose contents are
                    // copied.
                    let is_inside = start.defining_op().is_some_and(|op| self.member(op).is_some());
                    let is_place = is_empty(start) || position == 0 && !is_inside;
                    let mut output = Output {
                        member: position,
                        number,
                        value,
                        shared: if is_place {
                            start
                        } else {
                            tensor::empty(b, &[], value.ty())
                        },
                        overwrites: None,
                    };
                    // The root is the last op that reads an element of the tile.
                    if position == 0 && outputs.is_empty() && is_empty(start) {
                        output.overwrites = self.dying_input();
                        output.shared = output.overwrites.unwrap_or(output.shared);
                    }
                    outputs.push(output);
                }
            }
        }
        outputs
    }

    /// A value of the type of the root's first result that a structured op or a loop computes
    /// before the group, that only the group uses, and of which each iteration reads only the tile
    /// that it writes.
    fn dying_input(&self) -> Option<Value<'c>> {
        let root = &self.members[0];
        let result = *root.op.results().first()?;
        let tile = root.result_positions(0);
        let is_own = |value: &Value<'c>| {
            let is_tile = |(user, operand): (Operation<'c>, usize)| {
                let member = self.member(user);
                member.is_some_and(|member| {
                    let is_input = operand < input_count(member.op);
                    member.kind == Kind::Generic
                        && is_input
                        && member.operand_positions(operand) == tile
                })
            };
            let producer = value.defining_op();
            let is_before = producer.is_some_and(|op| {
                let is_computed = op.is_structured() || op.isa::<scf::ForOp>();
                op.block() == root.op.block() && is_computed && self.member(op).is_none()
            });
            is_before && value.ty() == result.ty() && value.uses().into_iter().all(is_tile)
        };
        let mut operands = self.members.iter().flat_map(|member| member.op.operands());
        operands.find(is_own)
    }

    fn forall(&self, b: &Builder<'c>, outputs: &[Output<'c>]) -> Vec<Value<'c>> {
        let types: Vec<Type> = outputs.iter().map(|output| output.value.ty()).collect();
        let shared: Vec<Value> = outputs.iter().map(|output| output.shared).collect();
        let mut arguments = vec![Type::index(b.context())];
        arguments.extend(&types);
        let region = b.region(&arguments, |b, arguments| {
            let ivs = index::delinearize(b, arguments[0], &self.sizes);
            let shared = &arguments[1..];
            let places = outputs.iter().zip(shared).flat_map(|(output, shared)| {
                let values = output.overwrites.into_iter().chain([output.value]);
                values.map(|value| (value.key(), *shared))
            });
            let tiles = self.body(b, &ivs, &places.collect());
            let insertions = b.region(&[], |b, _| {
                for (output, shared) in outputs.iter().zip(shared) {
                    let member = &self.members[output.member];
                    let part = slice_of(*shared, &member.result_positions(output.number), &ivs);
                    part.insert(b, tiles[&output.value.key()], *shared);
                }
            });
            scf::forall_in_parallel(b, insertions);
        });
        let count = self.sizes.iter().product();
        let forall = scf::ForallOp::build(
            b,
            &[],
            &[],
            &[],
            &[0],
            &[count],
            &[1],
            &shared,
            &types,
            region,
        );
        forall.insert().results()
    }

    /// Emits one iteration, and returns the tiles of all results of members.
    fn body(
        &self,
        b: &Builder<'c>,
        ivs: &[Value<'c>],
        places: &Places<'c>,
    ) -> HashMap<usize, Value<'c>> {
        let mut tiles = HashMap::new();
        for (position, member) in self.members.iter().enumerate().rev() {
            let b = b.at(member.op.location());
            let computed = tile_of(&b, member, ivs, (position == 0, places), &tiles);
            for (result, tile) in member.op.results().into_iter().zip(computed) {
                tiles.insert(result.key(), tile);
            }
        }
        tiles
    }
}

/// Emits an op on tiles, and returns the tiles of its results.
fn tile_of<'c>(
    b: &Builder<'c>,
    member: &Member<'c>,
    ivs: &[Value<'c>],
    (is_root, places): (bool, &Places<'c>),
    tiles: &HashMap<usize, Value<'c>>,
) -> Vec<Value<'c>> {
    let (values, results) = (member.op.operands(), member.op.results());
    let first_output = values.len() - results.len();
    let mut operands = Vec::new();
    for (number, value) in values.into_iter().enumerate() {
        operands.push(match tiles.get(&value.key()) {
            _ if !value.ty().is_tensor() => value,
            Some(tile) => *tile,
            None => {
                let tile = slice_of(value, &member.operand_positions(number), ivs);
                let result = number.checked_sub(first_output).and_then(|at| results.get(at));
                let place = result.and_then(|result| places.get(&result.key()));
                let is_empty = is_empty(value);
                match place {
                    Some(place) if is_root || is_empty => tile.extract(b, *place),
                    _ if is_empty => tensor::empty(b, &[], tile.ty),
                    _ => {
                        let source = places.get(&value.key()).copied();
                        tile.extract(b, source.unwrap_or(value))
                    }
                }
            }
        });
    }
    let types = results.into_iter().enumerate();
    let types: Vec<Type> = types
        .map(|(number, result)| slice_of(result, &member.result_positions(number), ivs).ty)
        .collect();
    if member.kind == Kind::Reshape {
        return vec![reshape(b, member, operands[0], types[0])];
    }
    let op = copy_with(b, member.op, &operands, &types);
    for nested in op.collect_nested(|nested| nested.isa::<linalg::IndexOp>()) {
        let dim = index_dimension(nested);
        let common = member.loops.iter().position(|common| Some(*common) == dim);
        if let Some(common) = common {
            b.replace(nested, &[ivs[common]]);
        }
    }
    op.results()
}

fn reshape<'c>(b: &Builder<'c>, member: &Member<'c>, source: Value<'c>, ty: Type<'c>) -> Value<'c> {
    let groups = member.reassociation().unwrap_or_default();
    let groups: Vec<&[i64]> = groups.iter().map(Vec::as_slice).collect();
    if member.op.isa::<tensor::CollapseShapeOp>() {
        return tensor::collapse_shape(b, source, &groups, ty);
    }
    let shape = ty.static_shape().unwrap_or_default();
    tensor::expand_shape(b, source, &groups, &[], &shape, ty)
}
