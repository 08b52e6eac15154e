//! `halo-explain`: compiles a program and writes a report of what was done and why, one page
//! that opens in any browser without a network.

use halo::{Plugin, runtime::compilation_record::CompilationRecord};
use halo_explain::{read, write};
#[cfg(feature = "shared")]
use halo_shared as _;
use halo_tools::explain::Report;
use std::{
    io::{self, Write},
    process::ExitCode,
};

/// The page of this crate.
struct Page;

impl Report for Page {
    fn write(
        &self,
        record: &CompilationRecord,
        other: Option<&CompilationRecord>,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write(record, other, out)
    }

    fn read(&self, report: &[u8]) -> Result<CompilationRecord, String> {
        read(report).map_err(|error| error.to_string())
    }
}

fn main() -> ExitCode {
    halo_allocator::replace_malloc();
    halo::explain::main("halo-explain", Plugin::default(), &Page)
}
