//! Reports of compilations: one page of HTML that opens in any browser, from a file.
//!
//! [`write()`] renders a [`CompilationRecord`] by templates (`templates/`), as text, tables and
//! SVG. The page has no scripts, and its policy blocks all loading. It contains the record without
//! texts, decisions and buffers, which [`read`] returns for a comparison.

mod cli;
mod driver;
mod report;

pub use driver::main;
pub use report::{ReadError, read, write};

use halo::compiler::record;
#[cfg(doc)]
use record::CompilationRecord;
