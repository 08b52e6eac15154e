//! `--halo-combine-collectives`: combines small collectives.
//!
//! The latency of a message does not depend on its size, and dominates the time of a small
//! collective. Independent collectives of one kind, with the same groups, body and element type,
//! become one with several operands, whose values are sent in one message per member. Elements are
//! combined in the order of the members as before, so results have the same bits.
//!
//! ```mlir
//! %0 = "stablehlo.all_reduce"(%a) ({ add }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
//!     : (tensor<4xf32>) -> tensor<4xf32>
//! %1 = stablehlo.tanh %0 : tensor<4xf32>
//! %2 = stablehlo.negate %b : tensor<8xf32>
//! %3 = "stablehlo.all_reduce"(%2) ({ add }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
//!     : (tensor<8xf32>) -> tensor<8xf32>
//! ```
//!
//! becomes
//!
//! ```mlir
//! %0 = stablehlo.negate %b : tensor<8xf32>
//! %1:2 = "stablehlo.all_reduce"(%a, %0) ({ add }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
//!     : (tensor<4xf32>, tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>)
//! %2 = stablehlo.tanh %1#0 : tensor<4xf32>
//! ```
//!
//! `all_reduce`, `all_gather` and `all_to_all` are combined; `reduce_scatter` and
//! `collective_permute` have one operand. The channel is taken from the first one. A combined
//! collective waits for its last operand, so there is a limit, the option `bytes`: by default, the
//! size at which the latency of messages is a ninth of the time ([`Level::combined_bytes`]) by the
//! attribute `halo.link` of the module, and 320 kB without it. 0 combines nothing.
//!
//! A repeated collective, with the same operands and groups, is removed first: the results of the
//! first one replace its results. They live longer then, so results of more than the option
//! `kept-bytes` are not shared.
//!
//! Ops move only within blocks that all processes execute alike ([`uniform_blocks`]), and not past
//! an op with effects.

use crate::communication::is_collective;
use crate::literals::bytes_of_operands;
use crate::reordering::{Dependences, is_free_of_effects, uniform_blocks};
use halo_cost::op_cost::bytes_of;
use halo_cost::topology::Level;
use halo_ir::{prelude::*, stablehlo::attributes::ChannelHandle};
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

pass_options! {
    /// The options of the pass.
    struct Options {
        /// The maximum bytes of operands of a combined collective; -1 derives it from the module's
        /// link
        #[range(-1..=i64::MAX)]
        bytes: i64 = -1,
        /// The most bytes of results that are kept
        kept_bytes: i64 = 67108864,
    }
}

/// The declaration of the pass.
pub static PASS: PassDeclaration = PassDeclaration::new(
    "halo-combine-collectives",
    "Make one collective of several small ones that do not need one another",
    run,
)
.on::<builtin::ModuleOp>()
.dependent_dialects(&["stablehlo"])
.options::<Options>();

fn run(pass: &mut PassInvocation) -> Result<(), PassFailure> {
    let module = pass.operation();
    let options = pass.options::<Options>();
    let limit = u64::try_from(options.bytes)
        .unwrap_or_else(|_| Level::of_module(module).combined_bytes().round() as u64);
    let kept = u64::try_from(options.kept_bytes).unwrap_or(0);
    for block in uniform_blocks(module) {
        remove_repeated(block, kept);
        let order = Combination::new(block, limit).order();
        if order.iter().any(|item| item.len() > 1) {
            rearrange(block, &order).map_err(|error| PassFailure::internal(module, error))?;
        }
    }
    Ok(())
}

/// An op, or collectives that are combined.
type Item<'c> = Vec<Operation<'c>>;

/// Collectives to combine.
struct Bucket {
    key: String,
    ops: Vec<usize>,
    bytes: u64,
}

/// A new order of the ops of a block under construction. Collectives wait in buckets, and their
/// users are delayed until these are closed; no op in a bucket depends on another bucket, so that
/// each can be closed at any time.
struct Combination<'c> {
    dependences: Dependences<'c>,
    limit: u64,
    order: Vec<Item<'c>>,
    placed: Vec<bool>,
    buckets: Vec<Bucket>,
    put_off: Vec<usize>,
    /// For each op, the collectives in buckets that it depends on.
    waits_for: Vec<BTreeSet<usize>>,
}

impl<'c> Combination<'c> {
    fn new(block: Block<'c>, limit: u64) -> Self {
        let dependences = Dependences::of(block);
        let count = dependences.ops.len();
        Self {
            dependences,
            limit,
            order: Vec::new(),
            placed: vec![false; count],
            buckets: Vec::new(),
            put_off: Vec::new(),
            waits_for: vec![BTreeSet::new(); count],
        }
    }

    fn order(mut self) -> Vec<Item<'c>> {
        for number in 0..self.dependences.ops.len() {
            self.take(number);
        }
        self.close_all();
        self.order
    }

    fn take(&mut self, number: usize) {
        let op = self.dependences.ops[number];
        let waits: BTreeSet<usize> = self.dependences.reads[number]
            .iter()
            .filter(|read| !self.placed[**read])
            .flat_map(|read| self.waits_for[*read].iter().copied())
            .collect();
        if is_collective(op.name()) {
            self.close(|bucket| bucket.ops.iter().any(|op| waits.contains(op)));
            return match key(op).zip(bytes_of_operands(op)) {
                Some((key, bytes)) if bytes < self.limit => self.put(number, key, bytes),
                _ => self.place(number),
            };
        }
        if !is_free_of_effects(op) {
            self.close_all();
            return self.place(number);
        }
        if waits.is_empty() {
            self.place(number)
        } else {
            self.waits_for[number] = waits;
            self.put_off.push(number);
        }
    }

    fn place(&mut self, number: usize) {
        self.placed[number] = true;
        self.order.push(vec![self.dependences.ops[number]]);
    }

    /// Adds a collective to the bucket of its kind.
    fn put(&mut self, number: usize, key: String, bytes: u64) {
        let limit = self.limit;
        self.close(|bucket| bucket.key == key && bucket.bytes + bytes > limit);
        self.waits_for[number] = BTreeSet::from([number]);
        match self.buckets.iter_mut().find(|bucket| bucket.key == key) {
            Some(bucket) => {
                bucket.ops.push(number);
                bucket.bytes += bytes;
            }
            None => self.buckets.push(Bucket {
                key,
                ops: vec![number],
                bytes,
            }),
        }
    }

    /// Emits the collectives of some buckets, and ops that waited only for them.
    fn close(&mut self, closes: impl Fn(&Bucket) -> bool) {
        let (closed, kept): (Vec<Bucket>, Vec<Bucket>) =
            std::mem::take(&mut self.buckets).into_iter().partition(closes);
        self.buckets = kept;
        if closed.is_empty() {
            return;
        }
        for bucket in closed {
            for op in &bucket.ops {
                self.placed[*op] = true;
            }
            let ops = bucket.ops.iter();
            let item: Item = ops.map(|op| self.dependences.ops[*op]).collect();
            self.order.push(item);
        }
        for number in std::mem::take(&mut self.put_off) {
            let is_ready = self.waits_for[number].iter().all(|collective| self.placed[*collective]);
            if is_ready {
                self.place(number)
            } else {
                self.put_off.push(number)
            }
        }
    }

    fn close_all(&mut self) {
        self.close(|_| true);
    }
}

/// Replaces collectives with the same operands as an earlier one of the block, if its results have
/// at most this many bytes.
fn remove_repeated(block: Block, kept: u64) {
    let mut known: HashMap<String, Operation> = HashMap::new();
    for op in block.operations() {
        let results = op.result_types().into_iter().map(bytes_of);
        let bytes = results.into_iter().sum::<Option<u64>>();
        if !is_collective(op.name()) || bytes.is_none_or(|bytes| bytes > kept) {
            continue;
        }
        let mut text = description(op);
        for operand in op.operands() {
            let _ = write!(text, " of {}", operand.key());
        }
        match known.get(&text) {
            Some(first) => {
                let results = first.results();
                with_builder(op, |b| b.replace(op, &results));
            }
            None => _ = known.insert(text, op),
        }
    }
}

/// The key that combinable collectives have in common; `None` for other ops.
fn key(op: Operation) -> Option<String> {
    match op.name() {
        stablehlo::AllGatherOp::NAME
        | stablehlo::AllReduceOp::NAME
        | stablehlo::AllToAllOp::NAME => Some(description(op)),
        _ => None,
    }
}

/// The semantics of a collective, ignoring its channel.
fn description(op: Operation) -> String {
    let mut key = op.name().to_owned();
    for (name, attribute) in op.attributes() {
        if name != "channel_handle" {
            let _ = write!(key, " {name} = {attribute}");
        }
    }
    let channel = op.attribute("channel_handle").and_then(ChannelHandle::from_attribute);
    if let Some(channel) = channel {
        let _ = write!(
            key,
            " channel {} {}",
            channel.handle > 0,
            channel.channel_type
        );
    }
    let operands = op.operands().into_iter().map(|operand| operand.ty());
    let elements: BTreeSet<String> = operands
        .chain(op.result_types())
        .map(|ty: Type| ty.element_type().to_string())
        .collect();
    let _ = write!(key, " {elements:?}");
    if let Some(body) = op.body(0) {
        write_body(&mut key, body);
    }
    key
}

/// The ops of a body, with values numbered by arguments and results.
fn write_body(text: &mut String, body: Block) {
    let mut numbers: HashMap<usize, usize> = HashMap::new();
    for argument in body.arguments() {
        numbers.insert(argument.key(), numbers.len());
        let _ = write!(text, " {}", argument.ty());
    }
    for op in body.operations() {
        let _ = write!(text, " {}", op.name());
        for (name, attribute) in op.attributes() {
            let _ = write!(text, " {name} = {attribute}");
        }
        for operand in op.operands() {
            let key = operand.key();
            match numbers.get(&key) {
                Some(number) => _ = write!(text, " %{number}"),
                None => _ = write!(text, " outside {key}"),
            }
        }
        for result in op.results() {
            numbers.insert(result.key(), numbers.len());
            let _ = write!(text, " {}", result.ty());
        }
        if op.region(0).is_some() {
            // Two such bodies are treated as different.
            let _ = write!(text, " of {}", op.key());
        }
    }
}

/// Reorders the ops of a block.
fn rearrange<'c>(block: Block<'c>, order: &[Item<'c>]) -> RewriteResult {
    let Some(end) = block.terminator() else {
        return Ok(());
    };
    for item in order {
        match item[..] {
            [op] => op.move_before(end),
            _ => combine(end, item)?,
        }
    }
    Ok(())
}

/// Combines several ops into one, before another op.
fn combine<'c>(before: Operation<'c>, ops: &[Operation<'c>]) -> RewriteResult {
    let first = ops[0];
    let operands: Vec<_> = ops.iter().flat_map(|op| op.operands()).collect();
    let types: Vec<Type> = ops.iter().flat_map(|op| op.result_types()).collect();
    with_builder(before, |b| {
        let b = &b.at(melior::ir::operation::OperationLike::location(&first));
        let mut spec = b.op(first.name()).operands(&operands).results(&types);
        for (name, attribute) in first.attributes() {
            spec = spec.attribute(name, attribute);
        }
        if let Some(body) = first.body(0) {
            let arguments = body.arguments().types();
            let region =
                stablehlo::region(b, &arguments, |b, arguments| b.clone_body(body, arguments));
            spec = spec.region(region);
        }
        let mut results = spec.insert().results().into_iter();
        for op in ops {
            let own: Vec<_> = results.by_ref().take(op.results().len()).collect();
            b.replace(*op, &own);
        }
        Ok(())
    })
}
