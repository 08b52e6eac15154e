//! Operands of a tiled product in panels.

use halo_ir::prelude::*;

/// Some panels of an operand, as [`crate::contraction::pack`] lays them out.
#[derive(Clone, Copy)]
pub struct Packed<'c> {
    pub memref: Value<'c>,
    pub first_panel: Value<'c>,
    pub first_k: Value<'c>,
}

impl<'c> Packed<'c> {
    /// All panels of an operand.
    pub fn whole(builder: &Builder<'c>, memref: Value<'c>) -> Self {
        let zero = index::constant(builder, 0);
        Self {
            memref,
            first_panel: zero,
            first_k: zero,
        }
    }
}

/// Lhs and rhs, where they are packed.
pub type Operands<T> = [Option<T>; 2];
