//! The passes and pipelines that MLIR has registered, upstream's included.

use crate::{diagnostics::append, driver::bytes};
use melior::StringRef;
use mlir_sys::MlirStringRef;
use std::ffi::c_void;

type GivePass = unsafe extern "C" fn(MlirStringRef, MlirStringRef, bool, *mut c_void);
type GiveFact = unsafe extern "C" fn(i32, MlirStringRef, *mut c_void);

unsafe extern "C" {
    fn haloForEachPass(give: GivePass, data: *mut c_void);
    fn haloDescribePass(name: MlirStringRef, give: GiveFact, data: *mut c_void) -> bool;
}

/// A pass or a pipeline of MLIR's registry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub argument: String,
    pub summary: String,
    pub is_pipeline: bool,
}

/// All passes and pipelines, by name. Only while the driver of an opt-like tool runs.
pub fn all_passes() -> Vec<Listed> {
    unsafe extern "C" fn give(
        argument: MlirStringRef,
        summary: MlirStringRef,
        is_pipeline: bool,
        data: *mut c_void,
    ) {
        // SAFETY: The texts live during the call, and the data is the list below.
        let (argument, summary, list) = unsafe {
            (
                bytes(argument),
                bytes(summary),
                &mut *data.cast::<Vec<Listed>>(),
            )
        };
        list.push(Listed {
            argument: String::from_utf8_lossy(argument).into_owned(),
            summary: String::from_utf8_lossy(summary).into_owned(),
            is_pipeline,
        });
    }
    let mut list: Vec<Listed> = Vec::new();
    // SAFETY: The callback gets the list that it expects.
    unsafe { haloForEachPass(give, (&raw mut list).cast()) }
    list
}

/// MLIR's description of a pass or a pipeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// Upstream's help, with the options on separate lines.
    pub help: String,
    /// The passes, with the default values of options; empty if there is none without
    /// options.
    pub pipeline: String,
    pub dialects: Vec<String>,
}

/// MLIR's description of a pass or a pipeline; `None` if the name is unknown.
pub fn describe_pass(name: &str) -> Option<Description> {
    unsafe extern "C" fn give(fact: i32, text: MlirStringRef, data: *mut c_void) {
        let mut owned: Vec<u8> = Vec::new();
        // SAFETY: The text lives during the call, the vector matches `append`, and the data is the
        // description below.
        let description = unsafe {
            append(text, (&raw mut owned).cast());
            &mut *data.cast::<Description>()
        };
        let text = String::from_utf8_lossy(&owned).into_owned();
        match fact {
            0 => description.help = text,
            1 => description.pipeline = text,
            _ => description.dialects.push(text),
        }
    }
    let mut description = Description::default();
    // SAFETY: The name lives during the call, and the callback gets the description that
    // it expects.
    let found = unsafe {
        haloDescribePass(
            StringRef::new(name).to_raw(),
            give,
            (&raw mut description).cast(),
        )
    };
    found.then_some(description)
}
