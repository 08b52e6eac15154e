//! Reports of compilations: one page of HTML that opens in any browser, without a network,
//! and that one can read without knowing Halo.
//!
//! [`write()`] makes it of a [`CompilationRecord`]. The summary, the kernels, the roofline, the
//! memory plan, the decisions and the times are HTML and SVG, which need no script and can be
//! printed. The graph, the IR after each pass and the source are drawn by the scripts of the
//! page (`report/assets/`), from data that the page carries; [`read`] gets them out again, so
//! that a later compilation can be compared.
//!
//! Everything that comes from a program is text to the page: templates escape it, scripts
//! set it as text, and the page's policy lets no script run but its own, and nothing load.
//!
//! Charts are written by templates, not by a crate of charts: their elements are links with
//! titles, and their colors follow the theme of the reader.
//!
//! [`CompilationRecord`]: halo_runtime::compilation_record::CompilationRecord

mod report;

#[cfg(test)]
#[path = "tests/samples/mod.rs"]
mod samples;

pub use report::{ReadError, read, write};
