//! The interface between the runtime and native code, both ways.
//!
//! Compilers generate, and C callers may write, an [`EntryPoint`]. It gets the addresses of its
//! buffers and a [`CallContext`] with callbacks into the runtime: to share a loop among threads,
//! and to call functions by name. In C:
//!
//! ```c
//! struct call_context;
//! typedef void (*kernel)(const struct call_context *, int64_t begin,
//!                        int64_t end, const uint8_t *captures);
//! struct call_context {
//!   uint64_t version;
//!   void (*parallel_for)(const struct call_context *, kernel, int64_t count,
//!                        int64_t grain, const uint8_t *captures);
//!   int32_t (*custom_call)(const struct call_context *, int64_t call_site,
//!                          uint8_t *const *buffers);
//!   const void *host;
//! };
//! int32_t entry(const struct call_context *, uint8_t *const *buffers);
//! ```
//!
//! Buffers of inputs and outputs hold their elements as literals do: row by row, each element in
//! whole bytes. Integers of 2 and 4 bits are sign- or zero-extended in a byte, booleans as 0 or 1,
//! floats of 8, 6 and 4 bits in the low bits of a byte whose other bits are zero, complex numbers
//! as their real and then their imaginary part.
//!
//! Only this module of the runtime calls foreign code.

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::{
    recording::{Recording, Role},
    subnormals::SubnormalMode,
    thread_pool::ThreadPool,
};
use crate::custom_call::{CustomCall, CustomCallSite, Handler, View, ViewMut, invoke};
use crate::run_observer::RunObserver;
use crate::{Error, Process, Result};

/// The version of the interface that this crate implements. It grows with
/// every change that code compiled earlier would not survive.
pub const VERSION: u64 = 2;

/// The status of an entry point that has run nothing, because the system does not let the process
/// use the tiles of AMX. Only object files request the permission; for code that it loads, the
/// compiler requests it.
pub const NO_TILES: i32 = 2;

/// The status of an entry point that has run nothing, because the registers of SVE, or of SME's
/// streaming mode, have another length than its code requires, or do not exist.
pub const WRONG_VECTOR_LENGTH: i32 = 3;

/// The message for a nonzero status.
pub fn status_text(status: i32) -> String {
    match status {
        NO_TILES => "the system does not let the process use the tiles of AMX".to_owned(),
        WRONG_VECTOR_LENGTH => {
            let other = "have another length than the code counts on";
            format!("the registers of SVE or of streaming mode {other}")
        }
        status => format!("the program returned status {status}"),
    }
}

/// A compiled program. `buffers` holds the addresses of the inputs, then of the outputs, then of
/// the constants if they are not in the code, then of the arena, each a multiple of 64. The code
/// reads inputs, writes outputs, and uses the arena as scratch memory; buffers do not overlap,
/// except that inputs may be the same. It returns 0, or another status if it failed, as it does at
/// once after a failed custom call: 1, [`NO_TILES`] or [`WRONG_VECTOR_LENGTH`].
pub type EntryPoint =
    unsafe extern "C" fn(context: *const CallContext, buffers: *const *mut u8) -> i32;

/// The function of a program of dynamic shape that plans the sizes of a run. `sizes` holds the
/// dynamic dimensions of the inputs, and then the elements of inputs that sizes depend on; it writes
/// the dimensions of the outputs and the bytes of the arena after them, and returns 0, or the number
/// of the first check of the sizes that fails, counted from 1. The [entry point](EntryPoint) gets
/// the address of `sizes` after its buffers.
pub type SizesPoint = unsafe extern "C" fn(sizes: *mut i64) -> i32;

/// The body of a parallel loop, called for the iterations from `begin` to
/// `end`, exclusively, on any thread. `captures` is the argument of
/// [`CallContext::parallel_for`].
pub type Kernel =
    unsafe extern "C" fn(context: *const CallContext, begin: i64, end: i64, captures: *const u8);

/// The functions of the runtime that a running program may call. Valid during
/// the call only.
#[repr(C)]
pub struct CallContext {
    /// [`VERSION`].
    pub version: u64,
    /// Calls `kernel` for ranges that cover 0 to `count`, on several threads, and returns when all
    /// calls have. At most one range per thread; the length of each but the last is a multiple of
    /// `grain`. Kernels may call this again.
    pub parallel_for: unsafe extern "C" fn(
        context: *const CallContext,
        kernel: Kernel,
        count: i64,
        grain: i64,
        captures: *const u8,
    ),
    /// Calls the function of the executable's call site number `call_site`. `buffers` holds the
    /// addresses of the operands, then of the results, elements in the order of the site's layouts;
    /// no result overlaps another buffer. Returns 0, or another status if the function failed, in
    /// which case the execution fails regardless of the program's result.
    pub custom_call: unsafe extern "C" fn(
        context: *const CallContext,
        call_site: i64,
        buffers: *const *mut u8,
    ) -> i32,
    /// The runtime's own.
    host: *const HostState<'static>,
}

impl CallContext {
    /// The user data of an application's context.
    pub(super) fn user<T>(&self) -> *const T {
        self.host.cast()
    }
}

/// The offset of [`CallContext::parallel_for`] in bytes, for code generators.
pub const PARALLEL_FOR_OFFSET: usize = std::mem::offset_of!(CallContext, parallel_for);

/// The offset of [`CallContext::custom_call`] in bytes, for code generators.
pub const CUSTOM_CALL_OFFSET: usize = std::mem::offset_of!(CallContext, custom_call);

/// A call site with its function.
pub(super) struct BoundCall {
    site: CustomCallSite,
    handler: Handler,
    /// The label that an observer of the run gets.
    role: Role,
}

impl BoundCall {
    pub fn new(site: CustomCallSite, handler: Handler) -> Self {
        let role = Role::of(&site);
        Self {
            site,
            handler,
            role,
        }
    }
}

/// The state of the running executable that the callbacks use.
struct HostState<'a> {
    flush_subnormals: bool,
    pool: &'a ThreadPool,
    calls: &'a [BoundCall],
    /// The recording for the observer of the run, if any.
    recording: Option<Recording<'a>>,
    /// The process that runs the program; created as the only process of a grid on first use.
    process: OnceLock<Arc<Process>>,
    /// The first failure of a custom call.
    failure: Mutex<Option<Error>>,
}

impl HostState<'_> {
    fn fail(&self, error: Error) {
        let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.get_or_insert(error);
    }

    /// A loop on the threads of the pool, which is reported to the observer.
    fn parallel_for(&self, count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)) {
        match &self.recording {
            None => self.pool.parallel_for(count, grain, body),
            Some(recording) => recording.parallel_for(self.pool, (count, grain), body),
        }
    }

    /// The mode that the generated code computes in.
    fn mode(&self) -> Option<SubnormalMode> {
        self.flush_subnormals.then(SubnormalMode::flush)
    }

    fn has_failed(&self) -> bool {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
        failure.is_some()
    }
}

/// Runs a compiled program.
///
/// # Errors
/// Returns an execution error if a custom call failed or the program returned an error.
///
/// # Safety
/// `entry` must be code that follows this interface, and `buffers` must hold the addresses that it
/// expects, valid and unaliased as documented by [`EntryPoint`].
pub(super) unsafe fn call(
    (entry, flush_subnormals): (EntryPoint, bool),
    pool: &ThreadPool,
    (calls, observer): (&[BoundCall], Option<&dyn RunObserver>),
    process: Option<&Arc<Process>>,
    buffers: &[*mut u8],
) -> Result<()> {
    let host = HostState {
        flush_subnormals,
        pool,
        calls,
        recording: observer.map(Recording::new),
        process: process.cloned().map_or_else(OnceLock::new, OnceLock::from),
        failure: Mutex::new(None),
    };
    let context = CallContext {
        version: VERSION,
        parallel_for,
        custom_call,
        host: (&raw const host).cast(),
    };
    let status = {
        let _mode = host.mode();
        // SAFETY: the caller vouches for the code and the buffers; the context
        // outlives the call.
        unsafe { entry(&context, buffers.as_ptr()) }
    };
    let failure = host.failure.into_inner();
    match failure.unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None if status == 0 => Ok(()),
        None => Err(Error::execution(status_text(status))),
    }
}

/// Carries addresses to another thread.
#[derive(Clone, Copy)]
struct Addresses {
    context: *const CallContext,
    captures: *const u8,
}

// SAFETY: `parallel_for` does not return before the threads are done with the context, all of whose
// fields can be shared between threads; `captures` points to data of the program, which requested
// the sharing.
unsafe impl Sync for Addresses {}

impl Addresses {
    /// # Safety
    /// As for calling `kernel` directly.
    unsafe fn run(&self, kernel: Kernel, begin: i64, end: i64) {
        // SAFETY: the same.
        unsafe { kernel(self.context, begin, end, self.captures) }
    }
}

unsafe extern "C" fn parallel_for(
    context: *const CallContext,
    kernel: Kernel,
    count: i64,
    grain: i64,
    captures: *const u8,
) {
    // SAFETY: the program passes the context that it was called with, whose host state lives as
    // long as the call.
    let host = unsafe { &*(*context).host };
    let addresses = Addresses { context, captures };
    let body = |begin, end| {
        let _mode = host.mode();
        // SAFETY: the program passed a kernel that takes these arguments and may run on several
        // threads.
        unsafe { addresses.run(kernel, begin, end) }
    };
    host.parallel_for(count, grain, &body);
}

unsafe extern "C" fn custom_call(
    context: *const CallContext,
    call_site: i64,
    buffers: *const *mut u8,
) -> i32 {
    // SAFETY: as in `parallel_for`.
    let host = unsafe { &*(*context).host };
    let call = usize::try_from(call_site).ok();
    let Some(call) = call.and_then(|index| host.calls.get(index)) else {
        host.fail(Error::internal(format!("no custom call site {call_site}")));
        return 1;
    };
    if call.role.is_mark() {
        if let Some(recording) = &host.recording {
            recording.mark(&call.role);
        }
        return 0;
    }
    let recorded = host.recording.as_ref().zip(call.role.site());
    let recorded = recorded.map(|(recording, site)| recording.begin(site));
    let _mode = host.flush_subnormals.then(SubnormalMode::exact);
    let process = host.process.get_or_init(Process::alone);
    // No panic may leave an `extern "C"` function.
    let outcome = std::panic::catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the program passes one buffer per operand and result of the site, each of the
        // size of its shape, results unaliased.
        let (operands, results) = unsafe { views(&call.site, buffers) };
        let parallel_for = |count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)| {
            host.parallel_for(count, grain, body);
        };
        let mut arguments = CustomCall {
            site: &call.site,
            operands,
            results,
            parallel_for: &parallel_for,
            process,
            failure: None,
        };
        // A run that has failed takes part in no further communication.
        let outcome = if host.has_failed() {
            Err(Error::internal("a custom call is made after a failure"))
        } else {
            invoke(&call.handler, &mut arguments)
        };
        if outcome.is_err() {
            // The program may use them before it ends.
            for result in &mut arguments.results {
                result.bytes.fill(0);
            }
        }
        outcome
    }));
    let outcome = outcome.unwrap_or_else(|_| Err(Error::internal("a custom call panicked")));
    if let Some(recorded) = recorded {
        recorded.end(outcome.is_err());
    }
    match outcome {
        Ok(()) => 0,
        Err(error) => {
            host.fail(error);
            1
        }
    }
}

/// # Safety
/// `buffers` must hold an address for each operand and result of the site, with as many readable
/// bytes, or for results writable ones, as its shape takes, and no result may overlap another
/// buffer, as long as the views are used.
pub(super) unsafe fn views(
    site: &CustomCallSite,
    buffers: *const *mut u8,
) -> (Vec<View<'_>>, Vec<ViewMut<'_>>) {
    let operands = site.operands.iter().zip(&site.operand_layouts).enumerate();
    let operands = operands.map(|(index, (shape, layout))| {
        // SAFETY: the caller vouches for the addresses.
        let bytes = unsafe { std::slice::from_raw_parts(*buffers.add(index), shape.byte_size()) };
        View {
            shape,
            layout,
            bytes,
        }
    });
    let first = site.operands.len();
    let results = site.results.iter().zip(&site.result_layouts).enumerate();
    let results = results.map(|(index, (shape, layout))| {
        // SAFETY: the caller vouches for the addresses, and that nothing else
        // refers to these bytes.
        let bytes = unsafe {
            std::slice::from_raw_parts_mut(*buffers.add(first + index), shape.byte_size())
        };
        ViewMut {
            shape,
            layout,
            bytes,
        }
    });
    (operands.collect(), results.collect())
}
