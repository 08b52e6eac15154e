//! Plans in files.
//!
//! A file is [`MAGIC`], the version of the format, the number of bytes that follow the header and
//! their CRC-32, all little-endian, then the plan in the encoding of `postcard`. The checksum
//! detects damage, but does not authenticate the file.

use std::path::Path;

use super::Plan;
use crate::{Error, Result};

/// The magic number of a file with a plan.
pub const MAGIC: [u8; 8] = *b"HALOPLAN";

/// The version of the format, which is incremented with every incompatible change.
pub const VERSION: u32 = 3;

const HEADER: usize = 24;

impl Plan {
    /// Returns true if bytes have the header of a plan.
    pub fn is_plan(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// The plan as a file.
    ///
    /// # Errors
    /// Returns an internal error if the plan is rejected by [`validate`](Self::validate).
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        self.validate().map_err(|error| Error::internal(error.to_string()))?;
        let mut bytes = postcard::to_extend(self, vec![0; HEADER])
            .map_err(|error| Error::internal(format!("cannot write a plan: {error}")))?;
        seal(&mut bytes);
        Ok(bytes)
    }

    /// Recomputes the header of a file, for tests of the checks after the checksum.
    pub fn seal(bytes: &mut [u8]) {
        seal(bytes);
    }

    /// Reads a plan, and validates it.
    ///
    /// # Errors
    /// Returns an invalid-input error that describes the fault of the file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self> {
        let payload = open(bytes).map_err(Error::invalid)?;
        let plan =
            decode(payload).ok_or_else(|| Error::invalid("damaged plan: it cannot be decoded"))?;
        plan.validate()?;
        Ok(plan)
    }

    /// Reads a file.
    ///
    /// # Errors
    /// Returns an invalid-input error that names the file and describes its fault.
    pub fn read(path: &Path) -> Result<Self> {
        let fail = |error| Error::invalid_file(path.display().to_string(), error);
        let bytes = std::fs::read(path).map_err(|error| fail(error.to_string()))?;
        Self::from_bytes(&bytes).map_err(|error| fail(error.to_string()))
    }
}

/// Fills in the header before a payload.
fn seal(bytes: &mut [u8]) {
    let Some((header, payload)) = bytes.split_first_chunk_mut::<HEADER>() else {
        return;
    };
    let fields = [
        &MAGIC[..],
        &VERSION.to_le_bytes(),
        &(payload.len() as u64).to_le_bytes(),
        &crc32fast::hash(payload).to_le_bytes(),
    ];
    for (target, byte) in header.iter_mut().zip(fields.concat()) {
        *target = byte;
    }
}

/// The payload of a file whose header is right.
fn open(bytes: &[u8]) -> Result<&[u8], String> {
    let (magic, rest) = bytes.split_first_chunk().ok_or("not a plan")?;
    if *magic != MAGIC {
        return Err("not a plan".to_owned());
    }
    let (version, rest) = rest.split_first_chunk().ok_or("the plan ends early")?;
    let version = u32::from_le_bytes(*version);
    if version != VERSION {
        return Err(format!(
            "the plan is of version {version}, and this software reads version {VERSION}"
        ));
    }
    let (length, rest) = rest.split_first_chunk().ok_or("the plan ends early")?;
    let (checksum, payload) = rest.split_first_chunk().ok_or("the plan ends early")?;
    let length = u64::from_le_bytes(*length);
    if length != payload.len() as u64 {
        return Err(format!(
            "the plan is to be {length} bytes long, but the file has {}",
            payload.len()
        ));
    }
    if crc32fast::hash(payload) != u32::from_le_bytes(*checksum) {
        return Err("the plan is damaged: its checksum is another".to_owned());
    }
    Ok(payload)
}

fn decode(payload: &[u8]) -> Option<Plan> {
    match postcard::take_from_bytes(payload) {
        Ok((plan, [])) => Some(plan),
        _ => None,
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
