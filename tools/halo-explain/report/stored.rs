//! The record in a page, without the parts that comparisons do not read: texts, decisions and
//! buffers.

use crate::record::{CompilationRecord, VERSION};
use std::io;
use thiserror::Error;

const BEGIN: &str = "<script type=\"application/json\" id=\"record\">";
const END: &str = "</script>";

/// A file that is not a report of this version.
#[derive(Debug, Error)]
pub enum ReadError {
    #[error("expected a report of halo-explain, found no record in it")]
    NoRecord,
    #[error("the record of the report cannot be read: {0}")]
    Invalid(#[from] serde_json::Error),
    #[error("expected a record of version {VERSION}, got version {0}")]
    Version(u64),
}

/// The record of a report in HTML or JSON.
///
/// # Errors
/// Returns an error if the file is not a report, or of another version.
pub fn read(report: &[u8]) -> Result<CompilationRecord, ReadError> {
    let text = String::from_utf8_lossy(report);
    let json = if text.trim_start().starts_with('{') {
        &text
    } else {
        let (_, rest) = text.split_once(BEGIN).ok_or(ReadError::NoRecord)?;
        let (json, _) = rest.split_once(END).ok_or(ReadError::NoRecord)?;
        json
    };
    let value: serde_json::Value = serde_json::from_str(json)?;
    let version = value.get("version").and_then(serde_json::Value::as_u64);
    let version = version.ok_or(ReadError::NoRecord)?;
    if version != u64::from(VERSION) {
        return Err(ReadError::Version(version));
    }
    Ok(serde_json::from_value(value)?)
}

/// The record as the text of an element.
///
/// # Errors
/// Returns the errors of serde.
pub fn element_text(record: &CompilationRecord) -> io::Result<String> {
    let mut record = record.clone();
    record.functions.clear();
    record.lines.clear();
    record.joins.clear();
    record.remarks.clear();
    if let Some(arena) = &mut record.arena {
        arena.buffers.clear();
    }
    for step in &mut record.steps {
        step.functions.clear();
    }
    let json = serde_json::to_string(&record)?;
    Ok(json.replace('<', "\\u003c"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_from_pages_and_from_json() {
        let record = CompilationRecord {
            version: VERSION,
            program: "</script><script>".to_owned(),
            ..CompilationRecord::default()
        };
        let text = element_text(&record).unwrap();
        assert!(!text.contains('<'));
        let page = format!("<html>{BEGIN}{text}{END}</html>");
        assert_eq!(read(page.as_bytes()).unwrap(), record);
        assert_eq!(read(text.as_bytes()).unwrap(), record);
    }

    #[test]
    fn other_files_are_refused() {
        let error = |text: &str| read(text.as_bytes()).unwrap_err().to_string();
        let none = "expected a report of halo-explain, found no record in it";
        assert_eq!(error("module {}"), none);
        assert_eq!(error("{}"), none);
        assert_eq!(
            error("{\"version\": 6}"),
            "expected a record of version 7, got version 6"
        );
        assert!(error("{\"version\"").starts_with("the record of the report cannot be read: "));
    }
}
