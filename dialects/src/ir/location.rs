//! What locations say.

use super::{Attribute, Location, Value};
use melior::{StringRef, ir::ValueLike};
use mlir_sys::{
    MlirIdentifier, MlirLocation, mlirIdentifierStr, mlirLocationCallSiteGetCallee,
    mlirLocationCallSiteGetCaller, mlirLocationFileLineColRangeGetEndColumn,
    mlirLocationFileLineColRangeGetEndLine, mlirLocationFileLineColRangeGetFilename,
    mlirLocationFileLineColRangeGetStartColumn, mlirLocationFileLineColRangeGetStartLine,
    mlirLocationFusedGetLocations, mlirLocationFusedGetMetadata, mlirLocationFusedGetNumLocations,
    mlirLocationIsACallSite, mlirLocationIsAFileLineColRange, mlirLocationIsAFused,
    mlirLocationIsAName, mlirLocationNameGetChildLoc, mlirLocationNameGetName,
    mlirValueGetLocation,
};

/// A location, one level of it.
#[derive(Clone, Debug)]
pub enum LocationKind<'c> {
    /// `"file":1:2 to 3:4`. Lines and columns count from 1; 0 is for unknown.
    File {
        name: &'c str,
        line: i64,
        column: i64,
        end_line: i64,
        end_column: i64,
    },
    /// `"name"(child)`
    Name { name: &'c str, child: Location<'c> },
    /// `callsite(callee at caller)`
    CallSite {
        callee: Location<'c>,
        caller: Location<'c>,
    },
    /// `fused<metadata>[...]`
    Fused {
        parts: Vec<Location<'c>>,
        metadata: Option<Attribute<'c>>,
    },
    /// `unknown`, and locations of other dialects.
    Unknown,
}

/// What a location says.
pub fn location_kind<'c>(location: Location<'c>) -> LocationKind<'c> {
    let raw = location.to_raw();
    // SAFETY: Each question is asked only of a location of its kind; what a
    // location consists of lives as long as its context.
    unsafe {
        let part = |raw: MlirLocation| Location::from_raw(raw);
        if mlirLocationIsAFileLineColRange(raw) {
            return LocationKind::File {
                name: text(mlirLocationFileLineColRangeGetFilename(raw)),
                line: mlirLocationFileLineColRangeGetStartLine(raw).into(),
                column: mlirLocationFileLineColRangeGetStartColumn(raw).into(),
                end_line: mlirLocationFileLineColRangeGetEndLine(raw).into(),
                end_column: mlirLocationFileLineColRangeGetEndColumn(raw).into(),
            };
        }
        if mlirLocationIsAName(raw) {
            return LocationKind::Name {
                name: text(mlirLocationNameGetName(raw)),
                child: part(mlirLocationNameGetChildLoc(raw)),
            };
        }
        if mlirLocationIsACallSite(raw) {
            return LocationKind::CallSite {
                callee: part(mlirLocationCallSiteGetCallee(raw)),
                caller: part(mlirLocationCallSiteGetCaller(raw)),
            };
        }
        if mlirLocationIsAFused(raw) {
            let count = mlirLocationFusedGetNumLocations(raw) as usize;
            let mut parts = vec![raw; count];
            mlirLocationFusedGetLocations(raw, parts.as_mut_ptr());
            let metadata = mlirLocationFusedGetMetadata(raw);
            return LocationKind::Fused {
                parts: parts.into_iter().map(part).collect(),
                metadata: (!metadata.ptr.is_null()).then(|| Attribute::from_raw(metadata)),
            };
        }
    }
    LocationKind::Unknown
}

/// Where a value comes from: the op that defines it, or what was said of an
/// argument.
pub fn location_of_value<'c>(value: Value<'c>) -> Location<'c> {
    // SAFETY: The value is alive, and its location lives as long as the context.
    unsafe { Location::from_raw(mlirValueGetLocation(value.to_raw())) }
}

/// # Safety
///
/// The identifier's context must live as long as the result.
unsafe fn text<'c>(identifier: MlirIdentifier) -> &'c str {
    // SAFETY: The caller sees to it.
    unsafe {
        let text = mlirIdentifierStr(identifier);
        StringRef::from_raw(text).as_str().unwrap_or_default()
    }
}
