//! Regions without an op.

use crate::graveyard;
use melior::{Context, ir::RegionLike};
use mlir_sys::{MlirContext, MlirRegion};
use std::{marker::PhantomData, mem::ManuallyDrop};

/// A region under construction, for a new op. If it is not used, handles to its contents stay
/// readable.
#[derive(Debug)]
pub struct Region<'c> {
    raw: MlirRegion,
    context: PhantomData<&'c Context>,
}

impl Region<'_> {
    /// A region without blocks.
    pub fn new() -> Self {
        Self {
            // SAFETY: The function has no preconditions.
            raw: unsafe { mlir_sys::mlirRegionCreate() },
            context: PhantomData,
        }
    }

    /// The context of the region's contents.
    pub(crate) fn context(&self) -> Option<MlirContext> {
        // SAFETY: The region is valid, and its first block may be null.
        unsafe { graveyard::context_of_block(mlir_sys::mlirRegionGetFirstBlock(self.raw)) }
    }

    /// The region, which is the caller's to destroy.
    pub(crate) fn into_raw(self) -> MlirRegion {
        ManuallyDrop::new(self).raw
    }
}

impl Default for Region<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'c: 'a, 'a> RegionLike<'c, 'a> for Region<'c> {
    fn to_raw(&self) -> MlirRegion {
        self.raw
    }
}

impl Drop for Region<'_> {
    fn drop(&mut self) {
        graveyard::take_region(self.raw);
    }
}
