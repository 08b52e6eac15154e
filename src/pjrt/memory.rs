//! Memories of a device.
//!
//! On the host, and on devices without page-locked memory of the host, all kinds are the same memory:
//! frameworks use them to specify the placement of values.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::{Mutex, PoisonError};

use crate::c_api::{self, MemoryFunctionTable};
use crate::handle::{self, Handle, set_slice, set_text};
use crate::status::Result;

/// The kinds, the default one first. Their indices are their numbers.
pub const KINDS: [&str; 3] = ["device", "pinned_host", "unpinned_host"];

/// One memory of one device.
#[repr(C)]
pub struct Memory {
    functions: *const MemoryFunctionTable,
    pub id: usize,
    /// The position in [`KINDS`].
    pub kind: usize,
    /// The index of its device in the client.
    pub device: usize,
    description: String,
    /// The only device.
    devices: Vec<*mut c_api::Device>,
    user_data: Mutex<BTreeMap<usize, UserData>>,
}

// SAFETY: the pointers are to an immutable table, and to a device, which can be used on all
// threads.
unsafe impl Send for Memory {}
// SAFETY: as above.
unsafe impl Sync for Memory {}

/// Frees user data of a memory.
type Destructor = Option<unsafe extern "C" fn(*mut c_void)>;

/// Data that a framework attached.
struct UserData {
    data: *mut c_void,
    destructor: Destructor,
}

impl Drop for UserData {
    fn drop(&mut self) {
        if let Some(destructor) = self.destructor {
            // SAFETY: the framework passed the function with the data.
            unsafe { destructor(self.data) };
        }
    }
}

impl Handle for Memory {
    type Opaque = c_api::Memory;
}

struct Functions(MemoryFunctionTable);

// SAFETY: the table is immutable, and its only pointer is null.
unsafe impl Sync for Functions {}

static FUNCTIONS: Functions = Functions(MemoryFunctionTable {
    struct_size: size_of::<MemoryFunctionTable>(),
    extension_start: std::ptr::null_mut(),
    instance_struct_size: size_of::<*const MemoryFunctionTable>(),
    get_user_data: Some(get_user_data),
    set_user_data: Some(set_user_data),
});

impl Memory {
    /// The memory of the device with an index, of the kind with a number.
    pub fn new(device: usize, kind: usize) -> Self {
        let id = device * KINDS.len() + kind;
        Self {
            functions: &FUNCTIONS.0,
            id,
            kind,
            device,
            description: format!("HaloMemory(id={id}, kind={}, device={device})", KINDS[kind]),
            devices: Vec::new(),
            user_data: Mutex::default(),
        }
    }

    /// Sets the device of the memory.
    pub fn attach(&mut self, device: *mut c_api::Device) {
        self.devices = vec![device];
    }

    pub fn kind(&self) -> &'static str {
        KINDS[self.kind]
    }
}

unsafe extern "C" fn get_user_data(memory: *mut c_api::Memory, key: *const c_void) -> *mut c_void {
    // SAFETY: the caller passes a valid memory.
    let Ok(memory) = (unsafe { handle::borrow::<Memory>(memory) }) else {
        return std::ptr::null_mut();
    };
    let entries = memory.user_data.lock().unwrap_or_else(PoisonError::into_inner);
    let entry = entries.get(&key.addr());
    entry.map_or(std::ptr::null_mut(), |entry| entry.data)
}

unsafe extern "C" fn set_user_data(
    memory: *mut c_api::Memory,
    key: *const c_void,
    data: *mut c_void,
    destructor: Destructor,
) {
    // SAFETY: the caller passes a valid memory.
    let Ok(memory) = (unsafe { handle::borrow::<Memory>(memory) }) else {
        return;
    };
    let replaced = {
        let mut entries = memory.user_data.lock().unwrap_or_else(PoisonError::into_inner);
        entries.insert(key.addr(), UserData { data, destructor })
    };
    // Outside the lock: the destructor is the framework's.
    drop(replaced);
}

pub unsafe fn id(arguments: &mut c_api::MemoryIdArgs) -> Result<()> {
    // SAFETY: the caller passes a valid memory.
    let memory: &Memory = unsafe { handle::borrow(arguments.memory) }?;
    arguments.id = memory.id as i32;
    Ok(())
}

pub unsafe fn kind(arguments: &mut c_api::MemoryKindArgs) -> Result<()> {
    // SAFETY: the caller passes a valid memory.
    let memory: &Memory = unsafe { handle::borrow(arguments.memory) }?;
    set_text(memory.kind(), &mut arguments.kind, &mut arguments.kind_size);
    Ok(())
}

pub unsafe fn kind_id(arguments: &mut c_api::MemoryKindIdArgs) -> Result<()> {
    // SAFETY: the caller passes a valid memory.
    let memory: &Memory = unsafe { handle::borrow(arguments.memory) }?;
    arguments.kind_id = memory.kind as i32;
    Ok(())
}

pub unsafe fn debug_string(arguments: &mut c_api::MemoryDebugStringArgs) -> Result<()> {
    // SAFETY: the caller passes a valid memory.
    let memory: &Memory = unsafe { handle::borrow(arguments.memory) }?;
    let (text, size) = (
        &mut arguments.debug_string,
        &mut arguments.debug_string_size,
    );
    set_text(&memory.description, text, size);
    Ok(())
}

pub unsafe fn to_string(arguments: &mut c_api::MemoryToStringArgs) -> Result<()> {
    // SAFETY: the caller passes a valid memory.
    let memory: &Memory = unsafe { handle::borrow(arguments.memory) }?;
    let (text, size) = (&mut arguments.to_string, &mut arguments.to_string_size);
    set_text(&memory.description, text, size);
    Ok(())
}

pub unsafe fn addressable_by_devices(
    arguments: &mut c_api::MemoryAddressableByDevicesArgs,
) -> Result<()> {
    // SAFETY: the caller passes a valid memory.
    let memory: &Memory = unsafe { handle::borrow(arguments.memory) }?;
    let (devices, count) = (&mut arguments.devices, &mut arguments.num_devices);
    set_slice(&memory.devices, devices, count);
    Ok(())
}
