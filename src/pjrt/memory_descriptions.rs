//! The extension that describes the kinds of memory of a device, with or without a client.

use crate::c_api::{
    DeviceDescriptionMemoryDescriptionsArgs, ExtensionBase, ExtensionType, MemoryDescription,
    MemoryDescriptionKindArgs, MemoryDescriptionsExtension,
};
use crate::extension::{base, table};
use crate::handle::{self, Handle, set_text};
use crate::memory::KINDS;
use crate::status::Result;

/// A kind of memory, as its index in [`KINDS`].
struct Description(usize);

impl Handle for Description {
    type Opaque = MemoryDescription;
}

static DESCRIPTIONS: [Description; KINDS.len()] = [Description(0), Description(1), Description(2)];

struct Pointers([*const MemoryDescription; KINDS.len()]);

// SAFETY: the pointers are to immutable data.
unsafe impl Sync for Pointers {}

static POINTERS: Pointers = Pointers([
    (&raw const DESCRIPTIONS[0]).cast(),
    (&raw const DESCRIPTIONS[1]).cast(),
    (&raw const DESCRIPTIONS[2]).cast(),
]);

/// All devices have all kinds.
unsafe fn of_device(arguments: &mut DeviceDescriptionMemoryDescriptionsArgs) -> Result<()> {
    arguments.memory_descriptions = POINTERS.0.as_ptr();
    arguments.num_memory_descriptions = POINTERS.0.len();
    arguments.default_memory_index = 0;
    Ok(())
}

unsafe fn kind(arguments: &mut MemoryDescriptionKindArgs) -> Result<()> {
    // SAFETY: the caller passes a valid description.
    let own: &Description = unsafe { handle::borrow(arguments.memory_description) }?;
    arguments.kind_id = own.0 as i32;
    set_text(KINDS[own.0], &mut arguments.kind, &mut arguments.kind_size);
    Ok(())
}

/// `PJRT_MemoryDescriptions_Extension`, before others of the list.
pub const fn extension(next: *const ExtensionBase) -> MemoryDescriptionsExtension {
    table! {
        MemoryDescriptionsExtension {
            base: base::<MemoryDescriptionsExtension>(ExtensionType::MEMORY_DESCRIPTIONS, next),
        }
        functions {
            device_description_memory_descriptions(DeviceDescriptionMemoryDescriptionsArgs) = of_device,
            memory_description_kind(MemoryDescriptionKindArgs) = kind,
        }
    }
}
