//! The page.

mod comparison;
mod decisions;
mod format;
mod kernels;
mod memory;
mod passes;
mod roofline;
mod stored;
mod summary;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use stored::{ReadError, read};

use crate::record::CompilationRecord;
use askama::Template;
use comparison::Comparison;
use decisions::Decisions;
use kernels::Row;
use memory::Memory;
use passes::Passes;
use roofline::Roofline;
use std::io::{self, BufWriter, Write};
use summary::Summary;

#[derive(Template)]
#[template(path = "page.html")]
struct Page<'a> {
    /// The file name of the program.
    name: String,
    style: &'static str,
    error: Option<&'a str>,
    /// Whether the program ran.
    has_run: bool,
    summary: Summary,
    comparison: Option<Comparison>,
    kernels: &'a [Row<'a>],
    roofline: Option<Roofline>,
    passes: Passes<'a>,
    decisions: Decisions<'a>,
    memory: Option<Memory>,
    /// The record as JSON that is safe in an element.
    stored: String,
}

/// Writes the report of a compilation, and its comparison with another one.
///
/// # Errors
/// Returns the errors of the stream.
pub fn write(
    record: &CompilationRecord,
    other: Option<&CompilationRecord>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let kernels = kernels::rows(record);
    let page = Page {
        name: format::plain(format::file_name(&record.program)),
        style: halo_drivers::PAGE_STYLE,
        error: record.error.as_deref(),
        has_run: record.run.is_some(),
        summary: Summary::new(record),
        comparison: other.map(|other| Comparison::new(other, record)),
        roofline: Roofline::new(record, &kernels),
        passes: Passes::new(record),
        decisions: Decisions::new(record),
        memory: Memory::new(record),
        stored: stored::element_text(record)?,
        kernels: &kernels,
    };
    page.write_into(&mut BufWriter::new(out))
}
