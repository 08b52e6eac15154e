//! A fingerprint of the code loaded into this process.
//!
//! Compiled code depends on all of the compiler: Halo, MLIR, LLVM, the mathematical library that
//! folds constants, and the passes and dialects of plug-ins. Linkers store a hash of an executable
//! or a library in it, the build id, which the loader maps with the code. Reading the build ids of
//! all loaded objects takes some microseconds and detects any change of the code, by any compiler
//! or library. A file without a build id is identified by its path, size and time of modification.
//!
//! Uses `unsafe` to read the loader's list.

use std::fmt::Write;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// The code of this process, as bytes to be hashed, independent of the order in which libraries
/// were loaded.
pub fn identity() -> Vec<u8> {
    let mut objects = objects();
    objects.sort_unstable();
    objects.dedup();
    objects.join("\n").into_bytes()
}

/// A file without a build id.
fn describe_file(path: &Path) -> String {
    let mut text = path.display().to_string();
    if let Ok(found) = std::fs::metadata(path) {
        let (inode, size) = (found.ino(), found.size());
        let (seconds, nanoseconds) = (found.mtime(), found.mtime_nsec());
        // Writing to a string does not fail.
        let _ = write!(text, " {inode} {size} {seconds}.{nanoseconds}");
    }
    text
}

/// The executable and the libraries, each by its build id.
#[cfg(target_os = "linux")]
fn objects() -> Vec<String> {
    let mut objects: Vec<String> = Vec::new();
    // SAFETY: the callback gets the pointer to `objects`, which outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(add_object), (&raw mut objects).cast()) };
    objects
}

#[cfg(not(target_os = "linux"))]
fn objects() -> Vec<String> {
    let executable = std::env::current_exe();
    executable.iter().map(|path| describe_file(path)).collect()
}

#[cfg(target_os = "linux")]
unsafe extern "C" fn add_object(
    info: *mut libc::dl_phdr_info,
    _: libc::size_t,
    objects: *mut libc::c_void,
) -> libc::c_int {
    use std::ffi::{CStr, OsStr};
    use std::os::unix::ffi::OsStrExt;

    // SAFETY: `objects` points to the list, and the loader passes a description that is valid
    // during the call.
    let (objects, info) = unsafe { (&mut *objects.cast::<Vec<String>>(), &*info) };
    if let Some(id) = build_id(info) {
        objects.push(blake3::hash(id).to_hex().to_string());
        return 0;
    }
    let name = if info.dlpi_name.is_null() {
        c""
    } else {
        // SAFETY: the loader's names end with a zero.
        unsafe { CStr::from_ptr(info.dlpi_name) }
    };
    let path = match name.to_bytes() {
        b"" => Path::new("/proc/self/exe"),
        name => Path::new(OsStr::from_bytes(name)),
    };
    objects.push(describe_file(path));
    0
}

/// The build id of a loaded object, from its notes.
#[cfg(target_os = "linux")]
fn build_id(info: &libc::dl_phdr_info) -> Option<&[u8]> {
    if info.dlpi_phdr.is_null() {
        return None;
    }
    // SAFETY: the loader describes `dlpi_phnum` segments.
    let segments = unsafe { std::slice::from_raw_parts(info.dlpi_phdr, info.dlpi_phnum.into()) };
    segments
        .iter()
        .filter(|segment| segment.p_type == libc::PT_NOTE)
        .find_map(|segment| {
            let address = info.dlpi_addr.wrapping_add(segment.p_vaddr);
            let length = usize::try_from(segment.p_memsz).ok()?;
            let address = usize::try_from(address).ok().filter(|&start| start != 0)?;
            // SAFETY: the segment is mapped for reading as long as the object is loaded.
            let notes = unsafe { std::slice::from_raw_parts(address as *const u8, length) };
            id_among(notes, usize::try_from(segment.p_align).ok()?)
        })
}

/// The build id among notes, whose fields are padded to 4 or 8 bytes: lengths of the name and of
/// the value, a type, the name, the value.
#[cfg(any(target_os = "linux", test))]
fn id_among(mut notes: &[u8], alignment: usize) -> Option<&[u8]> {
    const BUILD_ID: u32 = 3;
    let padded = |length: usize| length.checked_next_multiple_of(alignment.clamp(4, 8));
    let word = |bytes: &[u8], number: usize| -> Option<u32> {
        let bytes = bytes.get(4 * number..)?.first_chunk()?;
        Some(u32::from_ne_bytes(*bytes))
    };
    loop {
        let name_length = usize::try_from(word(notes, 0)?).ok()?;
        let length = usize::try_from(word(notes, 1)?).ok()?;
        let kind = word(notes, 2)?;
        let name = notes.get(12..12usize.checked_add(name_length)?)?;
        let start = padded(12usize.checked_add(name_length)?)?;
        let value = notes.get(start..start.checked_add(length)?)?;
        if kind == BUILD_ID && name == b"GNU\0" && !value.is_empty() {
            return Some(value);
        }
        notes = notes.get(padded(start.checked_add(length)?)?..)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn note(name: &[u8], kind: u32, value: &[u8]) -> Vec<u8> {
        let mut note = Vec::new();
        note.extend((name.len() as u32).to_ne_bytes());
        note.extend((value.len() as u32).to_ne_bytes());
        note.extend(kind.to_ne_bytes());
        for part in [name, value] {
            note.extend(part);
            note.resize(note.len().next_multiple_of(4), 0);
        }
        note
    }

    #[test]
    fn the_build_id_is_found_among_notes() {
        let other = note(b"GNU\0", 1, b"12345");
        let foreign = note(b"Go\0", 3, b"an id of Go");
        let id = note(b"GNU\0", 3, b"id of 5");
        let notes = [&other[..], &foreign, &id].concat();
        assert_eq!(id_among(&notes, 4), Some(b"id of 5".as_slice()));
        assert_eq!(id_among(&notes[..notes.len() - 4], 4), None);
        assert_eq!(id_among(&[other, foreign].concat(), 4), None);
        assert_eq!(id_among(&[0xff; 40], 4), None);
        assert_eq!(id_among(&[], 4), None);
    }

    #[test]
    fn this_process_has_one_identity() {
        let first = identity();
        assert!(!first.is_empty());
        assert_eq!(first, identity());
    }
}
