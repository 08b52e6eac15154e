//! Configurations that are written as dictionaries.

use crate::ir::Attribute;
use halo_dialects::limits;
use melior::Context;

/// A dictionary in MLIR's syntax, `{n = 1 : i32, tensor = dense<1> : tensor<i32>}`;
/// `None` where the text is none.
pub fn dictionary<'c>(context: &'c Context, text: &str) -> Option<Attribute<'c>> {
    if !text.trim_start().starts_with('{') || limits::check(text.as_bytes()).is_err() {
        return None;
    }
    // What is wrong with it is of no interest: it stays text then.
    let parse = || Attribute::parse(context, text);
    halo_dialects::diagnostics::with_diagnostics(context, parse).0
}
