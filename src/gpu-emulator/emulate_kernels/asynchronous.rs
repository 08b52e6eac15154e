//! The ops of warpgroups in an emulated kernel.

use super::{
    accesses::element_address,
    barrier_split::Emulation,
    error::{Emulated, EmulationError},
    storage::{buffer_size, element_size},
    threads::Thread,
    warpgroups::{
        BF16, COMMIT, COMMIT_GROUP, LHS_ALONG_K, MEET, MULTIPLY, PRODUCT, RHS_ALONG_K, SHARED,
        WAIT_GROUP, WAIT_PRODUCTS, call,
    },
};
use halo_ir::prelude::*;

impl<'c> Emulation<'c> {
    /// Waits for the other warpgroups.
    pub fn meet_groups(&self, b: &Builder<'c>) {
        call(b, MEET, &[]);
    }

    /// Gives shared memory an address, for the ops that take it.
    pub fn address_shared(&mut self, b: &Builder<'c>, memory: Value<'c>) -> Emulated<'c, ()> {
        let size = buffer_size(memory.ty()).unwrap_or(0);
        let size = index::constant(b, size);
        let start = call(b, SHARED, &[size])[0];
        for (user, _) in memory.uses() {
            if !user.isa::<memref::ExtractAlignedPointerAsIndexOp>() {
                return Err(EmulationError::op(
                    user,
                    "accesses shared memory of warpgroups, which emulation supports by addresses \
                     only",
                ));
            }
            for result in user.results() {
                self.block.insert(result.key(), start);
            }
        }
        Ok(())
    }

    /// An op that a warpgroup executes together.
    pub fn warpgroup(&mut self, b: &Builder<'c>, operation: Operation<'c>) -> Emulated<'c, ()> {
        self.flush(b)?;
        let Some(first) = self.launch.first else {
            return Err(EmulationError::op(
                operation,
                "is in a kernel without barriers of its own",
            ));
        };
        match (operation.name(), &operation.operands()[..]) {
            (MULTIPLY, [sums, lhs, rhs]) => {
                let array = self.array_of(b, *sums, operation)?;
                // Both are the same registers.
                self.alias_array(operation.results()[0], array);
                let thread = self.launch.thread(b, first);
                let stride = element_size(sums.ty()).unwrap_or(0);
                let width = sums.ty().static_shape().unwrap_or_default();
                let mut arguments = self.descriptors(b, [*lhs, *rhs], &thread)?;
                arguments.push(element_address(b, array, &[first]));
                let columns = width.first().map_or(0, |width| 2 * width);
                for number in [stride, columns, flags(operation)] {
                    arguments.push(index::constant(b, number));
                }
                call(b, PRODUCT, &arguments);
            }
            (COMMIT_GROUP, []) => {
                call(b, COMMIT, &[]);
            }
            (WAIT_GROUP, []) => {
                let pending = operation.attribute("group").and_then(Attribute::integer_value);
                let pending = index::constant(b, pending.unwrap_or(0));
                call(b, WAIT_PRODUCTS, &[pending]);
            }
            _ => return Err(EmulationError::op(operation, "has no emulation")),
        }
        Ok(())
    }

    fn descriptors(
        &mut self,
        b: &Builder<'c>,
        descriptors: [Value<'c>; 2],
        thread: &Thread<'c>,
    ) -> Emulated<'c, Vec<Value<'c>>> {
        let mut values = Vec::new();
        for descriptor in descriptors {
            let value = self.materialize(b, descriptor, thread, &mut ValueMap::new())?;
            values.push(arith::index_cast(b, value, Type::index(b.context())));
        }
        Ok(values)
    }
}

/// The flags of a product.
fn flags(operation: Operation) -> i64 {
    let is = |name: &str, text: &str| {
        operation.attribute(name) == Attribute::parse(operation.context(), text)
    };
    let all = [
        (BF16, is("typeA", "#nvvm.wgmma_type<bf16>")),
        (LHS_ALONG_K, is("layoutA", "#nvvm.mma_layout<row>")),
        (RHS_ALONG_K, is("layoutB", "#nvvm.mma_layout<col>")),
    ];
    all.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag).sum()
}
