//! The contents of locations.

use crate::{
    handles::{Attribute, Location},
    validity,
};
use easy_ext::ext;
use melior::Context;
use mlir_sys::{
    MlirIdentifier, MlirLocation, mlirIdentifierStr, mlirLocationCallSiteGetCallee,
    mlirLocationCallSiteGetCaller, mlirLocationFileLineColRangeGetEndColumn,
    mlirLocationFileLineColRangeGetEndLine, mlirLocationFileLineColRangeGetFilename,
    mlirLocationFileLineColRangeGetStartColumn, mlirLocationFileLineColRangeGetStartLine,
    mlirLocationFusedGetLocations, mlirLocationFusedGetMetadata, mlirLocationFusedGetNumLocations,
    mlirLocationIsACallSite, mlirLocationIsAFileLineColRange, mlirLocationIsAFused,
    mlirLocationIsAName, mlirLocationNameGetChildLoc, mlirLocationNameGetName,
};
use std::borrow::Cow;

/// A location, one level of it. Bytes of a name that are not valid UTF-8 are
/// replaced.
#[derive(Clone, Debug)]
pub enum LocationKind<'c> {
    /// `"file":1:2 to 3:4`. Lines and columns count from 1; 0 is for unknown.
    File {
        name: Cow<'c, str>,
        line: i64,
        column: i64,
        end_line: i64,
        end_column: i64,
    },
    /// `"name"(child)`
    Name {
        name: Cow<'c, str>,
        child: Location<'c>,
    },
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

impl<'c> LocationKind<'c> {
    /// The locations nested in this one: the child of a name, callee and caller of a call, the
    /// parts of a fused location.
    pub fn parts(self) -> Vec<Location<'c>> {
        match self {
            Self::Name { child, .. } => vec![child],
            Self::CallSite { callee, caller } => vec![callee, caller],
            Self::Fused { parts, .. } => parts,
            Self::File { .. } | Self::Unknown => Vec::new(),
        }
    }
}

/// `fused<metadata>[...]`
///
/// # Panics
/// Panics if a part is of another context.
pub fn fused_location<'c>(
    context: &'c Context,
    parts: &[Location<'c>],
    metadata: Option<Attribute<'c>>,
) -> Location<'c> {
    for part in parts {
        validity::same_context(context, validity::context_of_location(*part));
    }
    if let Some(metadata) = metadata {
        validity::part_of(context, metadata);
    }
    Location::fused(
        context,
        parts,
        metadata.unwrap_or_else(super::untrusted::null_attribute),
    )
}

/// Methods of locations.
#[ext(LocationExt)]
pub impl<'c> Location<'c> {
    /// The contents of a location.
    fn kind(self) -> LocationKind<'c> {
        let raw = self.to_raw();
        // SAFETY: Each accessor is called only for a location of its kind; nested locations live as
        // long as the context.
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

    /// The location with each range of a file replaced by its begin.
    fn without_ranges(self, context: &'c Context) -> Location<'c> {
        without_ranges_below(context, self, MAX_DEPTH)
    }
}

/// The maximum depth of nested locations; frameworks nest some hundred.
const MAX_DEPTH: usize = 2000;

fn without_ranges_below<'c>(
    context: &'c Context,
    location: Location<'c>,
    depth: usize,
) -> Location<'c> {
    let Some(depth) = depth.checked_sub(1) else {
        return location;
    };
    let inner = |part: Location<'c>| without_ranges_below(context, part, depth);
    match location.kind() {
        LocationKind::File {
            name, line, column, ..
        } => Location::new(context, &name, line as usize, column as usize),
        LocationKind::Name { name, child } => Location::name(context, &name, inner(child)),
        LocationKind::CallSite { callee, caller } => {
            Location::call_site(inner(callee), inner(caller))
        }
        LocationKind::Fused { parts, metadata } => {
            let parts: Vec<Location> = parts.into_iter().map(inner).collect();
            fused_location(context, &parts, metadata)
        }
        LocationKind::Unknown => location,
    }
}

/// # Safety
///
/// The identifier's context must live as long as the result.
unsafe fn text<'c>(identifier: MlirIdentifier) -> Cow<'c, str> {
    // SAFETY: The caller guarantees it. An empty text may have no address.
    unsafe {
        let text = mlirIdentifierStr(identifier);
        match text.length {
            0 => Cow::Borrowed(""),
            length => String::from_utf8_lossy(std::slice::from_raw_parts(text.data.cast(), length)),
        }
    }
}
