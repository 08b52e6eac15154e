//! The extension for profilers, such as `jax.profiler.trace`: compilations, runs and their kernels
//! on each thread.
//!
//! Kernels are visible in code that was compiled with measurements. A program that runs during a
//! session is therefore compiled a second time, once; other runs are as fast as without profilers.

mod xspace;

use std::ffi::c_int;
use std::ptr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, SystemTime};

use halo_drivers::Recorder;
use prost::Message;

use crate::c_api::{
    self, ExtensionBase, ExtensionType, ProfilerApi, ProfilerCollectDataArgs, ProfilerCreateArgs,
    ProfilerDestroyArgs, ProfilerErrorDestroyArgs, ProfilerErrorGetCodeArgs,
    ProfilerErrorMessageArgs, ProfilerExtension, ProfilerStartArgs, ProfilerStopArgs, Struct,
};
use crate::call::serve;
use crate::extension::base;
use crate::handle::{self, Handle};
use crate::status::{self, Result, Status};

/// The recording of the session in progress.
static CURRENT: RwLock<Option<Arc<Recorder>>> = RwLock::new(None);

/// The recording of the session in progress, if there is one.
pub fn current() -> Option<Arc<Recorder>> {
    CURRENT.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// One session.
#[derive(Default)]
struct Profiler {
    recording: Mutex<Option<Recording>>,
    /// The profile after the session.
    profile: OnceLock<Vec<u8>>,
}

struct Recording {
    recorder: Arc<Recorder>,
    /// The time since 1970 at its begin.
    start: Duration,
}

impl Handle for Profiler {
    type Opaque = c_api::Profiler;
}

impl Profiler {
    fn recording(&self) -> MutexGuard<'_, Option<Recording>> {
        self.recording.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// # Errors
    /// Returns a failed-precondition error while another session is in progress.
    fn start(&self) -> Result<()> {
        let mut current = CURRENT.write().unwrap_or_else(PoisonError::into_inner);
        if current.is_some() {
            let message = "another profiler is recording";
            return Err(Status::new(c_api::ErrorCode::FAILED_PRECONDITION, message));
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let recorder = Arc::<Recorder>::default();
        *current = Some(Arc::clone(&recorder));
        *self.recording() = Some(Recording {
            recorder,
            start: now.unwrap_or_default(),
        });
        Ok(())
    }

    /// Ends the recording, if this session has one.
    fn stop(&self) {
        let Some(recording) = self.recording().take() else {
            return;
        };
        *CURRENT.write().unwrap_or_else(PoisonError::into_inner) = None;
        let space = xspace::of(&recording.recorder.recorded(), recording.start);
        // A session that was started again has the profile of its first recording.
        let _ = self.profile.set(space.encode_to_vec());
    }
}

impl Drop for Profiler {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An error has PJRT's type.
unsafe extern "C" fn error_destroy(arguments: *mut ProfilerErrorDestroyArgs) {
    // SAFETY: the caller passes valid arguments with a valid error, or null.
    unsafe {
        if let Some(arguments) = arguments.as_ref() {
            handle::destroy::<status::Error>(arguments.error.cast());
        }
    }
}

unsafe extern "C" fn error_message(arguments: *mut ProfilerErrorMessageArgs) {
    // SAFETY: the caller passes valid arguments with a valid error.
    unsafe {
        if let Some(arguments) = arguments.as_mut()
            && let Ok(error) = handle::borrow::<status::Error>(arguments.error.cast())
        {
            let size = &mut arguments.message_size;
            handle::set_text(&error.status.message, &mut arguments.message, size);
        }
    }
}

unsafe fn error_code(arguments: &mut ProfilerErrorGetCodeArgs) -> Result<()> {
    // SAFETY: the caller passes a valid error.
    let error: &status::Error = unsafe { handle::borrow(arguments.error.cast()) }?;
    arguments.code = error.status.code.0 as c_int;
    Ok(())
}

unsafe fn create(arguments: &mut ProfilerCreateArgs) -> Result<()> {
    arguments.profiler = handle::into_raw(Profiler::default());
    Ok(())
}

unsafe fn destroy(arguments: &mut ProfilerDestroyArgs) -> Result<()> {
    // SAFETY: the caller passes a valid profiler, or null.
    unsafe { handle::destroy::<Profiler>(arguments.profiler) };
    Ok(())
}

unsafe fn start(arguments: &mut ProfilerStartArgs) -> Result<()> {
    // SAFETY: the caller passes a valid profiler.
    unsafe { handle::borrow::<Profiler>(arguments.profiler) }?.start()
}

unsafe fn stop(arguments: &mut ProfilerStopArgs) -> Result<()> {
    // SAFETY: the caller passes a valid profiler.
    unsafe { handle::borrow::<Profiler>(arguments.profiler) }?.stop();
    Ok(())
}

/// Callers pass a buffer after querying its size, or read the profile where it is.
unsafe fn collect_data(arguments: &mut ProfilerCollectDataArgs) -> Result<()> {
    // SAFETY: the caller passes a valid profiler.
    let profiler: &Profiler = unsafe { handle::borrow(arguments.profiler) }?;
    let profile = profiler.profile.get().map_or(&[][..], Vec::as_slice);
    arguments.buffer_size_in_bytes = profile.len();
    if arguments.buffer.is_null() {
        arguments.buffer = profile.as_ptr().cast_mut();
    } else {
        // SAFETY: the caller's buffer has the size that the first call returned.
        unsafe { ptr::copy_nonoverlapping(profile.as_ptr(), arguments.buffer, profile.len()) };
    }
    Ok(())
}

/// Functions of the profiler's interface, whose errors have PJRT's type.
macro_rules! functions {
    ($($field:ident($arguments:ident) = $function:path,)*) => {
        ProfilerApi {
            // The functions after the last one are for results in several parts.
            struct_size: std::mem::offset_of!(ProfilerApi, consume),
            priv_: ptr::null_mut(),
            error_destroy: Some(error_destroy),
            error_message: Some(error_message),
            consume: None,
            consume_result_destroy: None,
            serialize: None,
            $($field: Some({
                unsafe extern "C" fn $field(
                    arguments: *mut c_api::$arguments,
                ) -> *mut c_api::ProfilerError {
                    // SAFETY: C passes arguments that satisfy the function's requirements. XLA
                    // does not set their size; there is one version of them.
                    unsafe {
                        if let Some(arguments) = arguments.as_mut() {
                            arguments.struct_size = c_api::$arguments::SIZE;
                        }
                        serve(arguments, $function).cast()
                    }
                }
                $field
            }),)*
        }
    };
}

struct Functions(ProfilerApi);

// SAFETY: the table is immutable, and its only pointer is null.
unsafe impl Sync for Functions {}

static FUNCTIONS: Functions = Functions(functions! {
    error_get_code(ProfilerErrorGetCodeArgs) = self::error_code,
    create(ProfilerCreateArgs) = self::create,
    destroy(ProfilerDestroyArgs) = self::destroy,
    start(ProfilerStartArgs) = self::start,
    stop(ProfilerStopArgs) = self::stop,
    collect_data(ProfilerCollectDataArgs) = self::collect_data,
});

/// `PJRT_Profiler_Extension`, before others of the list.
pub const fn extension(next: *const ExtensionBase) -> ProfilerExtension {
    ProfilerExtension {
        base: base::<ProfilerExtension>(ExtensionType::PROFILER, next),
        profiler_api: (&raw const FUNCTIONS.0).cast_mut(),
        traceme_context_id: 0,
    }
}
