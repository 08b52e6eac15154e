//! `XLA_FFI_InvokeContext`: services for a handler in addition to its arguments.
//!
//! A handler may keep a state for each stage but the last: the state of `instantiate` lives as long
//! as the executable, the states of `prepare` and `initialize` as long as the run of the call. It
//! may also allocate memory for the duration of the call. A handler for a GPU gets the stream of the
//! run, and memory of the GPU, which is kept until the work that it enqueued has run.

use std::alloc::{self, Layout};
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use halo_runtime::stream::NativeStream;

use super::run::{self, Run};
use super::types::{self, Deleter};
use crate::c_api::xla_ffi::{
    self, Attrs, CustomOptionsGetArgs, DeviceMemoryAllocateArgs, DeviceMemoryFreeArgs,
    DeviceOrdinalGetArgs, ExecutionStage, InvokeContextFindExtensionArgs, InvokeContextGetArgs,
    RunIdGetArgs, StateGetArgs, StateSetArgs, StreamGetArgs, TypeId,
};
use crate::c_api::{ErrorCode, Struct};
use crate::handle::Handle;
use crate::status::{Result, Status};

/// The minimum alignment of memory that handlers allocate: the alignment of buffers.
const ALIGNMENT: usize = 64;

/// An object of a handler's, which is deleted in the end.
struct State {
    type_id: i64,
    object: *mut c_void,
    deleter: Option<Deleter>,
}

// SAFETY: handlers use their objects on any thread, as the interface requires.
unsafe impl Send for State {}

impl Drop for State {
    fn drop(&mut self) {
        if let Some(deleter) = self.deleter {
            // SAFETY: the object is of the type, and is owned here.
            unsafe { deleter(self.object) };
        }
    }
}

/// The storage for the state of one stage.
#[derive(Default)]
pub struct Slot(Mutex<Option<State>>);

/// A context, while handlers are called with it.
pub struct Context<'a> {
    /// Of `instantiate`, `prepare` and `initialize`.
    states: [Arc<Slot>; 3],
    run: Option<Run>,
    /// For a handler that enqueues its work.
    stream: Option<&'a NativeStream<'a>>,
    /// Memory that handlers have allocated and not freed, by address.
    memory: Mutex<BTreeMap<usize, Layout>>,
}

impl Handle for Context<'_> {
    type Opaque = xla_ffi::InvokeContext;
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn failed_precondition(message: impl Into<Arc<str>>) -> Status {
    Status::new(ErrorCode::FAILED_PRECONDITION, message)
}

impl<'a> Context<'a> {
    /// For the handlers of a call site, with the state of its instance, in the run of this thread.
    pub fn new(instance: &Arc<Slot>, stream: Option<&'a NativeStream<'a>>) -> Self {
        Self {
            states: [Arc::clone(instance), Arc::default(), Arc::default()],
            run: run::current(),
            stream,
            memory: Mutex::default(),
        }
    }

    /// The C pointer, valid as long as the context is borrowed.
    pub fn as_raw(&self) -> *mut xla_ffi::InvokeContext {
        ptr::from_ref(self).cast_mut().cast()
    }

    fn slot(&self, ExecutionStage(stage): ExecutionStage) -> Result<&Slot> {
        let slot = usize::try_from(stage).ok().and_then(|stage| self.states.get(stage));
        let slot = slot.ok_or_else(|| Status::invalid(format!("stage {stage} has no state")))?;
        Ok(slot)
    }

    fn run(&self) -> Result<&Run> {
        let run = self.run.as_ref();
        run.ok_or_else(|| failed_precondition("the handler is called outside of a run"))
    }
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        for (address, layout) in std::mem::take(&mut *lock(&self.memory)) {
            // SAFETY: the memory has this layout and was not freed.
            unsafe { alloc::dealloc(ptr::with_exposed_provenance_mut(address), layout) };
        }
    }
}

/// The context that a handler passes on.
///
/// # Safety
/// The pointer must be null or the context of a call that has not returned.
unsafe fn borrow<'a>(context: *mut xla_ffi::InvokeContext) -> Result<&'a Context<'a>> {
    // SAFETY: by the requirement above.
    let context = unsafe { context.cast::<Context<'_>>().as_ref() };
    context.ok_or_else(|| Status::invalid("XLA_FFI_InvokeContext is null"))
}

/// The number of a type that a handler names.
///
/// # Safety
/// The pointer must be null or point to a number.
unsafe fn number(type_id: *const TypeId) -> Result<i64> {
    // SAFETY: by the requirement above.
    match unsafe { type_id.as_ref() } {
        Some(TypeId { type_id: 0 }) => Err(failed_precondition("an FFI type is not registered")),
        Some(type_id) => Ok(type_id.type_id),
        None => Err(Status::invalid("XLA_FFI_TypeId is null")),
    }
}

pub unsafe fn user_data(arguments: &mut InvokeContextGetArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context and a type.
    let (context, number) = unsafe { (borrow(arguments.ctx)?, number(arguments.type_id)?) };
    let data = context.run()?.user_data.as_ref();
    let data = data.and_then(|data| data.get(number)).ok_or_else(|| {
        let message = format!("the run has no user data of the type {number}");
        Status::new(ErrorCode::NOT_FOUND, message)
    })?;
    arguments.data = data;
    Ok(())
}

/// Returns null: no extension is attached to a context.
pub unsafe fn find_extension(arguments: &mut InvokeContextFindExtensionArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context.
    unsafe { borrow(arguments.ctx) }?;
    arguments.extension = ptr::null();
    Ok(())
}

/// Returns an empty dictionary: PJRT's interface has no options for handlers.
pub unsafe fn custom_options(arguments: &mut CustomOptionsGetArgs) -> Result<()> {
    /// No attributes.
    struct Empty(Attrs);
    // SAFETY: the pointers are null.
    unsafe impl Sync for Empty {}
    static EMPTY: Empty = Empty(Attrs {
        struct_size: Attrs::SIZE,
        extension_start: ptr::null_mut(),
        size: 0,
        types: ptr::null_mut(),
        names: ptr::null_mut(),
        attrs: ptr::null_mut(),
    });
    // SAFETY: the handler passes a valid context.
    unsafe { borrow(arguments.ctx) }?;
    arguments.attrs = &raw const EMPTY.0;
    Ok(())
}

pub unsafe fn set_state(arguments: &mut StateSetArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context and a type.
    let (context, type_id) = unsafe { (borrow(arguments.ctx)?, number(arguments.type_id)?) };
    // From here on the object is owned here.
    let state = State {
        type_id,
        object: arguments.state,
        deleter: types::deleter(type_id)?,
    };
    let mut place = lock(&context.slot(arguments.stage)?.0);
    if place.is_some() {
        return Err(failed_precondition("the state of the stage is set already"));
    }
    *place = Some(state);
    Ok(())
}

pub unsafe fn get_state(arguments: &mut StateGetArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context and a type.
    let (context, number) = unsafe { (borrow(arguments.ctx)?, number(arguments.type_id)?) };
    let place = lock(&context.slot(arguments.stage)?.0);
    let Some(state) = &*place else {
        let message = "no state is set for the stage";
        return Err(Status::new(ErrorCode::NOT_FOUND, message));
    };
    if state.type_id != number {
        return Err(Status::invalid(format!(
            "the state has the type {}, and not {number}",
            state.type_id
        )));
    }
    arguments.state = state.object;
    Ok(())
}

pub unsafe fn stream(arguments: &mut StreamGetArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context.
    let stream = unsafe { borrow(arguments.ctx) }?.stream;
    let stream = stream
        .ok_or_else(|| Status::unimplemented("handlers run on the CPU, which has no streams"))?;
    arguments.stream = stream.handle;
    Ok(())
}

pub unsafe fn run_id(arguments: &mut RunIdGetArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context.
    arguments.run_id = unsafe { borrow(arguments.ctx) }?.run()?.id;
    Ok(())
}

pub unsafe fn device_ordinal(arguments: &mut DeviceOrdinalGetArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context.
    arguments.device_ordinal = unsafe { borrow(arguments.ctx) }?.run()?.device as i32;
    Ok(())
}

pub unsafe fn allocate(arguments: &mut DeviceMemoryAllocateArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context.
    let context = unsafe { borrow(arguments.ctx) }?;
    let (size, alignment) = (arguments.size, arguments.alignment.max(ALIGNMENT));
    if size == 0 {
        arguments.data = ptr::null_mut();
        return Ok(());
    }
    if let Some(stream) = context.stream {
        arguments.data = (stream.allocate)(size)?;
        return Ok(());
    }
    let layout = Layout::from_size_align(size, alignment)
        .map_err(|_| Status::invalid(format!("{size} bytes cannot be aligned to {alignment}")))?;
    // SAFETY: the size is not zero.
    let data = unsafe { alloc::alloc(layout) };
    if data.is_null() {
        let message = format!("out of memory: a handler asks for {size} bytes");
        return Err(Status::new(ErrorCode::RESOURCE_EXHAUSTED, message));
    }
    lock(&context.memory).insert(data.expose_provenance(), layout);
    arguments.data = data.cast();
    Ok(())
}

pub unsafe fn free(arguments: &mut DeviceMemoryFreeArgs) -> Result<()> {
    // SAFETY: the handler passes a valid context.
    let context = unsafe { borrow(arguments.ctx) }?;
    if arguments.data.is_null() || context.stream.is_some() {
        return Ok(());
    }
    let layout = lock(&context.memory).remove(&arguments.data.addr());
    let layout = layout.ok_or_else(|| {
        Status::invalid("a handler gives back memory that it has not taken in this call")
    })?;
    // SAFETY: the memory was allocated with this layout, and is freed once.
    unsafe { alloc::dealloc(arguments.data.cast(), layout) };
    Ok(())
}
