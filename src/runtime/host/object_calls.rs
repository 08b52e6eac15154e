//! Halo's functions for programs that an application links.
//!
//! The object code of a program with `fft`, factorizations or other functions of Halo calls them
//! through its context. An application that links `libhalo_runtime.a` delegates that to these
//! functions, which the program's header declares:
//!
//! ```c
//! halo_calls *calls = halo_calls_create(mlp_call_sites, sizeof mlp_call_sites);
//! halo_context context = halo_serial();
//! context.custom_call = halo_calls_run;
//! context.user = calls;
//! halo_status status = mlp_run(&arguments, arena, sizeof arena, &context);
//! halo_calls_destroy(calls);
//! ```

use std::ffi::c_char;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::abi::{CallContext, views};
use crate::communication::Process;
use crate::custom_call::{CustomCall, Handler, invoke};
use crate::{CustomCallRegistry, CustomCallSite, Error, Result};

/// The header of [`encode`]'s bytes, which names the version of Halo.
const HEADER: &[u8] = concat!("halo calls ", env!("CARGO_PKG_VERSION"), "\0").as_bytes();

/// The calls of a program as bytes.
///
/// # Errors
/// Returns an internal error if they cannot be encoded.
pub fn encode(sites: &[CustomCallSite]) -> Result<Vec<u8>> {
    postcard::to_extend(sites, HEADER.to_vec()).map_err(|error| Error::internal(error.to_string()))
}

/// The calls of a program with their functions.
pub struct ObjectCalls {
    calls: Vec<(CustomCallSite, Result<Handler>)>,
    /// The error of the last call that failed.
    failure: Mutex<String>,
}

impl ObjectCalls {
    /// Finds the functions of calls that were [encoded](encode).
    ///
    /// # Errors
    /// Returns an invalid-input error if the bytes do not encode calls, or are from another
    /// version.
    pub fn decode(bytes: &[u8], registry: &CustomCallRegistry) -> Result<Self> {
        let wrong = || Error::invalid("these are not the calls of a program of this version");
        let bytes = bytes.strip_prefix(HEADER).ok_or_else(wrong)?;
        let sites: Vec<CustomCallSite> = postcard::from_bytes(bytes).map_err(|_| wrong())?;
        let bind = |site: CustomCallSite| {
            let handler = registry.bind(&site);
            (site, handler)
        };
        Ok(Self {
            calls: sites.into_iter().map(bind).collect(),
            failure: Mutex::default(),
        })
    }

    /// Makes one call.
    ///
    /// # Errors
    /// Returns an error if the call does not exist, it names no function, or the function fails.
    ///
    /// # Safety
    /// `context` must be the context of a running program, and `buffers` must hold the addresses of
    /// the call's operands and then its results, as documented by [`CallContext::custom_call`].
    unsafe fn call(
        &self,
        context: *const CallContext,
        number: i64,
        buffers: *const *mut u8,
    ) -> Result<()> {
        let call = usize::try_from(number).ok();
        let Some((site, handler)) = call.and_then(|index| self.calls.get(index)) else {
            return Err(Error::invalid(format!("there is no call {number}")));
        };
        let handler = handler.as_ref().map_err(Clone::clone)?;
        // SAFETY: the caller vouches for the buffers.
        let (operands, results) = unsafe { views(site, buffers) };
        let loops = Loops {
            context,
            has_panicked: AtomicBool::new(false),
        };
        let parallel_for = |count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)| {
            loops.run(count, grain, body);
        };
        let mut arguments = CustomCall {
            site,
            operands,
            results,
            parallel_for: &parallel_for,
            process: &Process::alone(),
            failure: None,
        };
        invoke(handler, &mut arguments)?;
        if loops.has_panicked.load(Ordering::Relaxed) {
            Err(Error::internal("a loop of a custom call panicked"))
        } else {
            Ok(())
        }
    }
}

/// Runs loops of functions as the application runs the loops of programs.
struct Loops {
    context: *const CallContext,
    has_panicked: AtomicBool,
}

// SAFETY: The context may be used from any thread while its program runs.
unsafe impl Sync for Loops {}

/// Values that the kernel of a loop captures.
struct Captures<'a> {
    loops: &'a Loops,
    body: &'a (dyn Fn(i64, i64) + Sync),
}

impl Loops {
    fn run(&self, count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)) {
        let captures = Captures { loops: self, body };
        // SAFETY: The context belongs to a running program, and its function returns after the last
        // call of the kernel.
        unsafe {
            let parallel_for = (*self.context).parallel_for;
            parallel_for(
                self.context,
                run_body,
                count,
                grain,
                (&raw const captures).cast(),
            );
        }
    }
}

unsafe extern "C" fn run_body(_: *const CallContext, begin: i64, end: i64, captures: *const u8) {
    // SAFETY: `Loops::run` passed them, and waits.
    let captures = unsafe { &*captures.cast::<Captures<'_>>() };
    let body = AssertUnwindSafe(|| (captures.body)(begin, end));
    // No panic may leave an `extern "C"` function.
    if std::panic::catch_unwind(body).is_err() {
        captures.loops.has_panicked.store(true, Ordering::Relaxed);
    }
}

/// The calls of a program, from the bytes in its header; null if these are invalid.
///
/// # Safety
/// `bytes` must point to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_calls_create(bytes: *const u8, size: usize) -> *mut ObjectCalls {
    if bytes.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: the caller vouches for them.
    let bytes = unsafe { std::slice::from_raw_parts(bytes, size) };
    let decode = || ObjectCalls::decode(bytes, &CustomCallRegistry::default());
    match std::panic::catch_unwind(decode) {
        Ok(Ok(calls)) => Box::into_raw(Box::new(calls)),
        Ok(Err(_)) | Err(_) => std::ptr::null_mut(),
    }
}

/// Makes one call, on any thread. Returns 0, or 1 on failure.
///
/// # Safety
/// `calls` must be null or from [`halo_calls_create`]; the other arguments must come from a running
/// program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_calls_invoke(
    calls: *const ObjectCalls,
    context: *const CallContext,
    call: i64,
    buffers: *const *mut u8,
) -> i32 {
    // SAFETY: the caller vouches for the pointer.
    let Some(calls) = (unsafe { calls.as_ref() }) else {
        return 1;
    };
    // SAFETY: the same.
    let run = AssertUnwindSafe(|| unsafe { calls.call(context, call, buffers) });
    let outcome = std::panic::catch_unwind(run);
    match outcome.unwrap_or_else(|_| Err(Error::internal("a custom call panicked"))) {
        Ok(()) => 0,
        Err(error) => {
            let mut failure = calls.failure.lock().unwrap_or_else(PoisonError::into_inner);
            *failure = error.to_string();
            1
        }
    }
}

/// [`halo_calls_invoke`] for a context whose `user` is the calls: its `custom_call`.
///
/// # Safety
/// As there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_calls_run(
    context: *const CallContext,
    call: i64,
    buffers: *const *mut u8,
) -> i32 {
    // SAFETY: the caller vouches for context and user.
    unsafe {
        let calls: *const ObjectCalls = (*context).user();
        halo_calls_invoke(calls, context, call, buffers)
    }
}

/// Writes the message of the last failed call, truncated to `size` bytes including a terminating
/// zero, and returns its length without truncation.
///
/// # Safety
/// `calls` must be null or from [`halo_calls_create`], and `text` null or have `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_calls_error(
    calls: *const ObjectCalls,
    text: *mut c_char,
    size: usize,
) -> usize {
    // SAFETY: the caller vouches for the pointer.
    let Some(calls) = (unsafe { calls.as_ref() }) else {
        return 0;
    };
    let failure = calls.failure.lock().unwrap_or_else(PoisonError::into_inner);
    if !text.is_null() && size > 0 {
        let count = failure.len().min(size - 1);
        // SAFETY: there is room for `size` bytes.
        unsafe {
            std::ptr::copy_nonoverlapping(failure.as_ptr(), text.cast::<u8>(), count);
            *text.add(count) = 0;
        }
    }
    failure.len()
}

/// Ends the use of calls.
///
/// # Safety
/// `calls` must be null or from [`halo_calls_create`], and not be used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn halo_calls_destroy(calls: *mut ObjectCalls) {
    if !calls.is_null() {
        // SAFETY: it was created from a box.
        drop(unsafe { Box::from_raw(calls) });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_those_that_were_encoded() {
        let site = CustomCallSite::new("app.none", Vec::new(), Vec::new());
        let bytes = encode(std::slice::from_ref(&site)).unwrap();
        let calls = ObjectCalls::decode(&bytes, &CustomCallRegistry::default()).unwrap();
        assert_eq!(calls.calls[0].0, site);
        for wrong in [
            &bytes[1..],
            &bytes[..bytes.len() - 1],
            b"halo calls 0.0.0\0",
        ] {
            // SAFETY: The pointer and the size are a slice's.
            let none = unsafe { halo_calls_create(wrong.as_ptr(), wrong.len()) };
            assert!(none.is_null());
        }
    }

    #[test]
    fn failures_have_texts() {
        let site = CustomCallSite::new("app.none", Vec::new(), Vec::new());
        let bytes = encode(&[site]).unwrap();
        // SAFETY: The pointers satisfy the requirements of the functions.
        unsafe {
            let calls = halo_calls_create(bytes.as_ptr(), bytes.len());
            let (context, buffers) = (std::ptr::null(), std::ptr::null());
            assert_eq!(halo_calls_invoke(calls, context, 0, buffers), 1);
            let mut text = [0_u8; 12];
            let length = halo_calls_error(calls, text.as_mut_ptr().cast(), text.len());
            assert_eq!(&text, b"no custom c\0");
            assert_eq!(length, "no custom call @app.none is registered".len());
            assert_eq!(halo_calls_invoke(calls, context, 1, buffers), 1);
            assert_eq!(
                halo_calls_error(calls, std::ptr::null_mut(), 0),
                "there is no call 1".len()
            );
            halo_calls_destroy(calls);
            assert_eq!(halo_calls_invoke(std::ptr::null(), context, 0, buffers), 1);
        }
    }
}
