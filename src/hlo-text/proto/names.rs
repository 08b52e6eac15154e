//! Names, and strings that may be absent.

use crate::validity;

/// The name of a module, a computation or an instruction.
pub(super) fn name(name: String) -> Result<String, String> {
    if validity::is_name(&name) {
        Ok(name)
    } else {
        Err(format!("'{}' is not a name", name.escape_debug()))
    }
}

/// A string; protocol buffers treat an empty one as absent.
pub(super) fn some_text(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}
