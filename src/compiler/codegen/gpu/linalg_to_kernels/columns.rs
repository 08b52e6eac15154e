use super::Kernel;
use crate::{codegen::emit::Emitted, ir::Builder};

pub(super) fn lower<'c>(_: &Builder<'c>, _: &Kernel<'c>) -> Emitted<bool> {
    Ok(false)
}
