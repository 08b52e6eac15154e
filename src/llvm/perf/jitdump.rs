//! `jit-PID.dump`, in which a process stores its functions with their code and lines, for `perf
//! inject --jit`.
//!
//! The format is specified in `tools/perf/Documentation/jitdump-specification.txt` in Linux's
//! sources: a header, and records with timestamps of the clock that `perf record --clockid=mono`
//! uses. A record of lines comes before the record of its function. `perf record` detects the file
//! when its first page is mapped as code.
//!
//! Uses `unsafe` to map a page, and to read the code of functions.

use super::{Function, VARIABLE, create, lines};
use halo_runtime::Error;
use rustix::{
    mm::{MapFlags, ProtFlags},
    process::getpid,
    thread::gettid,
    time::{ClockId, clock_gettime},
};
use std::{
    collections::HashMap,
    fs::File,
    io::{self, Write},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// The file of this process, once created, and the number of its functions.
static DUMP: Mutex<Option<(File, u64)>> = Mutex::new(None);

const MAGIC: u32 = 0x4A69_5444;
const VERSION: u32 = 1;
const HEADER_BYTES: u32 = 40;
/// The size of the common header of all records.
const RECORD_BYTES: usize = 16;
const CODE_LOAD: u32 = 0;
const CODE_DEBUG_INFO: u32 = 2;

/// Adds the functions of an object to the file of this process.
///
/// # Errors
/// Returns an execution error if it cannot be written, an internal error if the object's lines
/// cannot be read.
///
/// # Safety
///
/// The code of the functions must be in this process.
pub unsafe fn add(object: &[u8], functions: &[Function]) -> Result<(), Error> {
    let sections: HashMap<usize, u64> = functions
        .iter()
        .map(|function| {
            (
                function.section,
                function.address.wrapping_sub(function.offset),
            )
        })
        .collect();
    let rows = lines::rows(object, &sections)?;
    let mut dump = DUMP.lock().unwrap_or_else(PoisonError::into_inner);
    let path = path();
    let written = (|| {
        let (file, count) = match &mut *dump {
            Some(dump) => dump,
            None => dump.insert((start(&path)?, 0)),
        };
        for function in functions.iter().filter(|function| function.size > 0) {
            let end = function.address.wrapping_add(function.size);
            let first = rows.partition_point(|row| row.address < function.address);
            let last = rows.partition_point(|row| row.address < end);
            // SAFETY: The caller guarantees that the code exists.
            let code = unsafe { code(function) };
            let mut records = debug_info(function, &rows[first..last], now());
            records.extend(code_load(function, code, *count, now()));
            file.write_all(&records)?;
            *count += 1;
        }
        Ok::<_, io::Error>(())
    })();
    written.map_err(|error| {
        Error::execution(format!(
            "{VARIABLE}=jitdump: cannot write {}: {error}",
            path.display()
        ))
    })
}

/// The file that `perf inject` looks for.
fn path() -> PathBuf {
    PathBuf::from(format!("jit-{}.dump", std::process::id()))
}

/// Creates the file, and makes it visible to `perf record`.
fn start(path: &std::path::Path) -> io::Result<File> {
    let mut file = create(path)?;
    file.write_all(&header(now()))?;
    // SAFETY: The page is new, and never read. It stays mapped until the process ends.
    unsafe {
        rustix::mm::mmap(
            std::ptr::null_mut(),
            HEADER_BYTES as usize,
            ProtFlags::READ | ProtFlags::EXEC,
            MapFlags::PRIVATE,
            &file,
            0,
        )?;
    }
    Ok(file)
}

/// # Safety
///
/// The code of the function must be in this process.
unsafe fn code(function: &Function) -> &[u8] {
    let (Ok(address), Ok(size)) = (
        usize::try_from(function.address),
        usize::try_from(function.size),
    ) else {
        return &[];
    };
    // SAFETY: The caller guarantees it.
    unsafe { std::slice::from_raw_parts(std::ptr::with_exposed_provenance(address), size) }
}

fn now() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    (now.tv_sec as u64) * 1_000_000_000 + now.tv_nsec as u64
}

/// The machine of this process, by ELF's numbers.
const fn machine() -> u32 {
    if cfg!(target_arch = "x86_64") {
        object::elf::EM_X86_64.0 as u32
    } else if cfg!(target_arch = "aarch64") {
        object::elf::EM_AARCH64.0 as u32
    } else if cfg!(target_arch = "riscv64") {
        object::elf::EM_RISCV.0 as u32
    } else {
        object::elf::EM_NONE.0 as u32
    }
}

pub(super) fn header(time: u64) -> Vec<u8> {
    let process = getpid().as_raw_pid() as u32;
    let words = [MAGIC, VERSION, HEADER_BYTES, machine(), 0, process];
    let mut bytes = words.map(u32::to_ne_bytes).concat();
    // No flags.
    bytes.extend([time, 0].map(u64::to_ne_bytes).concat());
    bytes
}

fn record(kind: u32, time: u64, body: &[u8]) -> Vec<u8> {
    let size = u32::try_from(RECORD_BYTES + body.len()).unwrap_or(u32::MAX);
    let mut bytes = [kind, size].map(u32::to_ne_bytes).concat();
    bytes.extend(time.to_ne_bytes());
    bytes.extend(body);
    bytes
}

/// The record of a function's lines; `None` without lines. `perf inject` ends the table at its last
/// row, so there is one after the end of the code.
pub(super) fn debug_info(function: &Function, rows: &[lines::Row], time: u64) -> Vec<u8> {
    let mut rows = rows.to_vec();
    rows.dedup_by(|next, row| (&next.file, next.line) == (&row.file, row.line));
    let Some(last) = rows.last() else {
        return Vec::new();
    };
    rows.push(lines::Row {
        address: function.address.wrapping_add(function.size),
        ..last.clone()
    });
    let count = rows.len() as u64;
    let mut body = [function.address, count].map(u64::to_ne_bytes).concat();
    for row in rows {
        body.extend(row.address.to_ne_bytes());
        // The second word is the discriminator.
        body.extend([row.line, 0].map(u32::to_ne_bytes).concat());
        body.extend(row.file.bytes().filter(|byte| *byte != 0));
        body.push(0);
    }
    record(CODE_DEBUG_INFO, time, &body)
}

/// The record of a function and its code.
pub(super) fn code_load(function: &Function, code: &[u8], number: u64, time: u64) -> Vec<u8> {
    let process = getpid().as_raw_pid() as u32;
    let thread = gettid().as_raw_pid() as u32;
    let mut body = [process, thread].map(u32::to_ne_bytes).concat();
    let address = function.address;
    let numbers = [address, address, code.len() as u64, number];
    body.extend(numbers.map(u64::to_ne_bytes).concat());
    body.extend(function.name.bytes().filter(|byte| *byte != 0));
    body.push(0);
    body.extend(code);
    record(CODE_LOAD, time, &body)
}
