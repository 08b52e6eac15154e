//! LLVM's tables of processors and their features.

use mlir_sys::MlirStringRef;
use std::{collections::BTreeMap, ffi::c_void};

unsafe extern "C" {
    fn haloDescribeSubtarget(
        triple: MlirStringRef,
        cpu: MlirStringRef,
        features: MlirStringRef,
        processor: extern "C" fn(MlirStringRef, *mut c_void),
        feature: extern "C" fn(MlirStringRef, bool, *mut c_void),
        data: *mut c_void,
    ) -> bool;
}

/// The processors of a target, and the features of one of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Subtarget {
    /// The names of the target's processors.
    pub processors: Vec<String>,
    /// Each feature of the target, and whether the processor has it. Tuning features are not
    /// enabled.
    pub features: BTreeMap<String, bool>,
}

impl Subtarget {
    /// Returns true if the processor has a feature.
    pub fn has(&self, feature: &str) -> bool {
        self.features.get(feature) == Some(&true)
    }
}

/// Describes a processor of a target with features added and removed, as in `+avx2,-avx512f`;
/// `None` if LLVM was not initialized for such a target. LLVM prints a warning for an unknown
/// processor or feature: first list the supported ones with an empty name.
pub fn describe_subtarget(triple: &str, cpu: &str, features: &str) -> Option<Subtarget> {
    let mut subtarget = Subtarget::default();
    let data: *mut Subtarget = &raw mut subtarget;
    // SAFETY: The strings and `subtarget` outlive the call, and the callbacks get the pointer to
    // `subtarget`.
    let known = unsafe {
        haloDescribeSubtarget(
            string_ref(triple),
            string_ref(cpu),
            string_ref(features),
            add_processor,
            add_feature,
            data.cast(),
        )
    };
    known.then_some(subtarget)
}

fn string_ref(text: &str) -> MlirStringRef {
    MlirStringRef {
        data: text.as_ptr().cast(),
        length: text.len(),
    }
}

/// A copy of a string of LLVM's tables.
fn text_of(string: MlirStringRef) -> String {
    // SAFETY: The callbacks are given strings that are valid for the call.
    let bytes = unsafe { std::slice::from_raw_parts(string.data.cast(), string.length) };
    String::from_utf8_lossy(bytes).into_owned()
}

extern "C" fn add_processor(name: MlirStringRef, data: *mut c_void) {
    // SAFETY: `data` is the pointer that `describe_subtarget` gave.
    let subtarget = unsafe { &mut *data.cast::<Subtarget>() };
    subtarget.processors.push(text_of(name));
}

extern "C" fn add_feature(name: MlirStringRef, enabled: bool, data: *mut c_void) {
    // SAFETY: As in `add_processor`.
    let subtarget = unsafe { &mut *data.cast::<Subtarget>() };
    subtarget.features.insert(text_of(name), enabled);
}
