//! Protocol buffers in binary.

use prost::{Message, encoding::decode_varint};

use super::module;
use super::schema::{HloModuleProto, HloProto, HloSnapshot};
use crate::{HloModule, ParseError};

/// Which message a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageKind {
    Module,
    Proto,
    Snapshot,
}

/// Returns true if bytes are a message of modules: its first field is of type bytes, and it is not
/// text.
pub(super) fn is_binary(bytes: &[u8]) -> bool {
    let head = bytes.get(..bytes.len().min(4096)).unwrap_or_default();
    let is_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c);
    // A text may begin with a line break, which is the key of field 1, too.
    let is_cut = |error: std::str::Utf8Error| error.error_len().is_none();
    let is_text =
        head.iter().all(is_text) && std::str::from_utf8(head).map_or_else(is_cut, |_| true);
    bytes.first() == Some(&0x0a) && bytes.len() > 1 && !is_text
}

/// Returns true if a file is a snapshot.
pub(super) fn is_snapshot(bytes: &[u8]) -> bool {
    message_kind(bytes) == MessageKind::Snapshot
}

/// Parses any of the messages, as the one that may contain the others.
pub(super) fn read(bytes: &[u8]) -> Result<HloSnapshot, ParseError> {
    let snapshot = match message_kind(bytes) {
        MessageKind::Module => HloModuleProto::decode(bytes).map(HloSnapshot::from),
        MessageKind::Proto => HloProto::decode(bytes).map(HloSnapshot::from),
        MessageKind::Snapshot => HloSnapshot::decode(bytes),
    };
    snapshot.map_err(|error| ParseError::in_binary(error.to_string()))
}

impl From<HloModuleProto> for HloSnapshot {
    fn from(module: HloModuleProto) -> Self {
        Self::from(HloProto {
            hlo_module: Some(module),
        })
    }
}

impl From<HloProto> for HloSnapshot {
    fn from(hlo: HloProto) -> Self {
        Self {
            hlo: Some(hlo),
            ..Self::default()
        }
    }
}

/// The module of a message. An error names the computation and the instruction.
pub(super) fn module(hlo: Option<HloProto>) -> Result<HloModule, ParseError> {
    let Some(proto) = hlo.and_then(|hlo| hlo.hlo_module) else {
        return Err(ParseError::in_binary("the message contains no module"));
    };
    module::read(proto).map_err(|failure| ParseError::in_binary(failure.to_string()))
}

/// Determined by the nesting depth of the module's name, which is its first field.
fn message_kind(bytes: &[u8]) -> MessageKind {
    let Some(inner) = first_field(bytes) else {
        return MessageKind::Module;
    };
    let Some(innermost) = first_field(inner) else {
        return MessageKind::Module;
    };
    match first_field(innermost) {
        Some(_) => MessageKind::Snapshot,
        None => MessageKind::Proto,
    }
}

/// The value of field 1, if it comes first and its bytes can be a message: the name of a module
/// cannot, unless it begins with a line break.
fn first_field(bytes: &[u8]) -> Option<&[u8]> {
    let mut rest = bytes.strip_prefix(&[0x0a])?;
    let length = usize::try_from(decode_varint(&mut rest).ok()?).ok()?;
    Some(rest.get(..length).unwrap_or(rest))
}
