//! Groups ops to kernels, with their memory traffic.
//!
//! Backends fuse, so a value that only one kernel uses is not stored. An elementwise op is fused
//! into the kernel that reads it, if there is one; a data movement op into every kernel that reads
//! it; an elementwise epilogue into its product's kernel, and a row reduction into the kernel that
//! reads its results.

use crate::flops::flops;
use crate::op_cost::{bytes_moved, bytes_of, element_name, is_free, kind_of};
use halo_ir::prelude::*;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One execution of a kernel.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Kernel<'c> {
    /// The name of its product, or of its last op.
    pub name: &'c str,
    /// The operand element type of its product.
    pub element: String,
    /// The arithmetic of its product, and of all other ops.
    pub product_flops: f64,
    pub flops: f64,
    pub transcendentals: f64,
    /// Bytes that it reads and writes.
    pub bytes: f64,
}

/// The kernels of a block, each at its most expensive op.
pub struct Kernels<'c>(BTreeMap<usize, Kernel<'c>>);

/// The fusion role of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Takes no time.
    Free,
    Elementwise,
    /// Moves elements: a read with other indices.
    Moves,
    Product,
    /// Reduces the last dimensions.
    ReducesRows,
    /// Not fused.
    Alone,
    /// Not a kernel: control flow and communication.
    None,
}

impl<'c> Kernels<'c> {
    pub fn of(block: Block<'c>, is_elementwise: fn(&str) -> bool) -> Self {
        Fusion::of(block, is_elementwise).kernels()
    }

    /// The kernel at an op, by the index of the op in the block.
    pub fn at(&self, number: usize) -> Option<&Kernel<'c>> {
        self.0.get(&number)
    }
}

fn role(op: Operation, is_elementwise: fn(&str) -> bool) -> Role {
    let is_small = |value: &Value| {
        value
            .ty()
            .static_shape()
            .is_some_and(|shape| shape.iter().product::<i64>() <= 1)
    };
    let reads_little = op.operands().iter().all(is_small);
    match op.name() {
        stablehlo::ReshapeOp::NAME => Role::Moves,
        name if is_free(op) || kind_of(name).is_some() => {
            if is_free(op) {
                Role::Free
            } else {
                Role::None
            }
        }
        stablehlo::WhileOp::NAME
        | stablehlo::IfOp::NAME
        | stablehlo::CaseOp::NAME
        | stablehlo::AsyncStartOp::NAME
        | stablehlo::AsyncDoneOp::NAME
        | stablehlo::ReturnOp::NAME => Role::None,
        name if !name.starts_with("stablehlo.") && !name.starts_with("chlo.") => Role::None,
        // Scalars are computed next to a kernel.
        _ if reads_little && op.results().iter().all(is_small) => Role::Free,
        stablehlo::DotGeneralOp::NAME | stablehlo::DotOp::NAME | stablehlo::ConvolutionOp::NAME => {
            Role::Product
        }
        stablehlo::BroadcastInDimOp::NAME
        | stablehlo::ConcatenateOp::NAME
        | stablehlo::IotaOp::NAME
        | stablehlo::PadOp::NAME
        | stablehlo::ReverseOp::NAME
        | stablehlo::SliceOp::NAME
        | stablehlo::TransposeOp::NAME => Role::Moves,
        stablehlo::CompareOp::NAME
        | stablehlo::ConvertOp::NAME
        | stablehlo::BitcastConvertOp::NAME
        | stablehlo::ClampOp::NAME
        | stablehlo::SelectOp::NAME => Role::Elementwise,
        stablehlo::ReduceOp::NAME if reduces_rows(op) => Role::ReducesRows,
        name if is_elementwise(name) || name.starts_with("chlo.") => Role::Elementwise,
        _ => Role::Alone,
    }
}

fn reduces_rows(op: Operation) -> bool {
    let Some(reduce) = op.cast::<stablehlo::ReduceOp>() else {
        return false;
    };
    let rank = op.operands().first().and_then(|input| input.ty().static_shape());
    let rank = rank.map_or(0, |shape| shape.len()) as i64;
    let mut dimensions = reduce.dimensions();
    dimensions.sort_unstable();
    let count = dimensions.len() as i64;
    rank > count && dimensions == (rank - count..rank).collect::<Vec<_>>()
}

struct Fusion<'c> {
    ops: Vec<Operation<'c>>,
    roles: Vec<Role>,
    /// The kernels that contain an op, each identified by its last op.
    members: Vec<BTreeSet<usize>>,
    /// Kernels that have a product.
    products: BTreeMap<usize, usize>,
}

impl<'c> Fusion<'c> {
    fn of(block: Block<'c>, is_elementwise: fn(&str) -> bool) -> Self {
        let ops = block.operations();
        let numbers: HashMap<usize, usize> =
            ops.iter().enumerate().map(|(number, op)| (op.key(), number)).collect();
        let mut fusion = Self {
            roles: ops.iter().map(|op| role(*op, is_elementwise)).collect(),
            members: vec![BTreeSet::new(); ops.len()],
            products: BTreeMap::new(),
            ops,
        };
        for number in (0..fusion.ops.len()).rev() {
            fusion.join(number, &numbers);
        }
        fusion
    }

    /// Assigns an op to kernels, after all its users.
    fn join(&mut self, number: usize, numbers: &HashMap<usize, usize>) {
        let role = self.roles[number];
        if matches!(role, Role::Free | Role::None) {
            return;
        }
        let users = self.ops[number].results().into_iter().flat_map(Value::uses);
        let users: Option<BTreeSet<usize>> =
            users.map(|(user, _)| numbers.get(&user.key()).copied()).collect();
        let joined = users.and_then(|users| self.kernels_of(role, &users));
        match joined {
            Some(kernels) => {
                if role == Role::Product {
                    for kernel in &kernels {
                        self.products.insert(*kernel, number);
                    }
                }
                self.members[number] = kernels;
            }
            None => {
                self.members[number] = BTreeSet::from([number]);
                if role == Role::Product {
                    self.products.insert(number, number);
                }
            }
        }
    }

    /// The kernels of the users of an op that it is fused into.
    fn kernels_of(&self, role: Role, users: &BTreeSet<usize>) -> Option<BTreeSet<usize>> {
        let takes_producers = |user: &usize| match self.roles[*user] {
            Role::Elementwise | Role::Moves | Role::ReducesRows => true,
            // A product reads its operands with any strides.
            Role::Product => role == Role::Moves,
            // A reduction of other dimensions reads its operand once.
            Role::Alone => self.ops[*user].isa::<stablehlo::ReduceOp>(),
            Role::Free | Role::None => false,
        };
        if users.is_empty() || !users.iter().all(takes_producers) {
            return None;
        }
        let kernels = users.iter().flat_map(|user| self.members[*user].iter());
        let kernels: BTreeSet<usize> = kernels.copied().collect();
        let is_one = kernels.len() == 1;
        let has_product = kernels.iter().any(|kernel| self.products.contains_key(kernel));
        let fits = match role {
            Role::Moves => true,
            Role::Elementwise | Role::ReducesRows => is_one,
            // Epilogues of a product are elementwise.
            Role::Product => {
                let only = kernels.first().copied();
                is_one && !has_product && only.is_some_and(|kernel| self.is_elementwise(kernel))
            }
            _ => false,
        };
        fits.then_some(kernels)
    }

    fn is_elementwise(&self, kernel: usize) -> bool {
        let members = self.members.iter().zip(&self.roles);
        members
            .filter(|(kernels, _)| kernels.contains(&kernel))
            .all(|(_, role)| matches!(role, Role::Elementwise | Role::Moves))
    }

    fn kernels(&self) -> Kernels<'c> {
        let mut all: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (number, kernels) in self.members.iter().enumerate() {
            for kernel in kernels {
                all.entry(*kernel).or_default().push(number);
            }
        }
        let kernels = all.into_iter().filter_map(|(kernel, members)| {
            // A view is not a kernel.
            let is_view = |number: &usize| self.ops[*number].isa::<stablehlo::ReshapeOp>();
            if members.iter().all(is_view) {
                return None;
            }
            let at = self.products.get(&kernel).copied().unwrap_or(kernel);
            Some((at, self.kernel(&members, at)))
        });
        Kernels(kernels.collect())
    }

    fn kernel(&self, members: &[usize], at: usize) -> Kernel<'c> {
        let keys: BTreeSet<usize> = members.iter().map(|it| self.ops[*it].key()).collect();
        let mut kernel = Kernel {
            name: self.ops[at].name(),
            element: element_name(self.ops[at]),
            ..Kernel::default()
        };
        let mut read: HashMap<usize, u64> = HashMap::new();
        for number in members {
            let op = self.ops[*number];
            let arithmetic = flops(op);
            match self.roles[*number] {
                Role::Product => kernel.product_flops += arithmetic.arithmetic as f64,
                _ => kernel.flops += arithmetic.arithmetic as f64,
            }
            kernel.transcendentals += arithmetic.transcendental as f64;
            if self.roles[*number] == Role::Alone && members.len() == 1 {
                kernel.bytes = bytes_moved(op) as f64;
                return kernel;
            }
            self.reads(op, &keys, &mut read);
            let is_written = op.results().into_iter().flat_map(Value::uses);
            let mut outside = is_written.filter(|(user, _)| !self.is_in(*user, &keys));
            if outside.next().is_some() {
                let results = op.results().into_iter();
                let bytes = results.filter_map(|result| bytes_of(result.ty()));
                kernel.bytes += bytes.sum::<u64>() as f64;
            }
        }
        kernel.bytes += read.values().sum::<u64>() as f64;
        kernel
    }

    fn is_in(&self, op: Operation, keys: &BTreeSet<usize>) -> bool {
        keys.contains(&op.key())
    }

    /// The memory reads of an op in a kernel.
    fn reads(&self, op: Operation, keys: &BTreeSet<usize>, read: &mut HashMap<usize, u64>) {
        let written: u64 =
            op.results().into_iter().filter_map(|result| bytes_of(result.ty())).sum();
        let mut values = Vec::new();
        op.visit(&mut |nested| values.extend(nested.operands()));
        for value in values {
            let definition = value.defining_op();
            let is_inner = definition.is_some_and(|op| self.is_in(op, keys));
            let is_splat = definition.is_some_and(|op| {
                op.isa::<stablehlo::ConstantOp>()
                    && op.attribute("value").is_some_and(Attribute::is_splat)
            });
            let Some(bytes) = bytes_of(value.ty()).filter(|_| !is_inner && !is_splat) else {
                continue;
            };
            let bytes = if op.isa::<stablehlo::SliceOp>() {
                bytes.min(written)
            } else {
                bytes
            };
            let known = read.entry(value.key()).or_default();
            *known = (*known).max(bytes);
        }
    }
}
