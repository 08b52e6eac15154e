//! The data of a report: JSON that is compressed and written as text into elements `script`
//! that browsers do not run.
//!
//! A page that holds its data as HTML opens slowly. Here the browser reads what a part of the
//! page needs when that is shown, by the standard `DecompressionStream`. Base64 has no
//! character that HTML knows, so no text of a program can end the element.
//!
//! The record of the compilation is there without the texts (`record`), and the texts
//! (`texts`); both together are read back for comparisons. The rest is derived.

use super::validate;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use halo_runtime::compilation_record::{CompilationRecord, FunctionText, VERSION};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::io::{self, Read, Write};

/// What is before the data of a part.
const BEGIN: &str = "<script type=\"application/vnd.halo.report+json\" id=\"data-";
const END: &str = "</script>";
/// How much time is spent on making the data small: more makes them hardly smaller.
const LEVEL: u32 = 4;
/// The most that a part may have, in bytes of JSON, since a few bytes can be made to be many.
const MOST_BYTES: u64 = 1 << 30;

/// Why a file is no report that can be compared.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("it is no report of halo-explain")]
    NoReport,
    #[error("its data are damaged: {0}")]
    Damaged(String),
    #[error("it is of version {0} of the format, this halo-explain reads version {VERSION}")]
    OtherVersion(u32),
}

/// The texts of a record.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
struct Texts {
    source: String,
    lines: Vec<String>,
    functions: Vec<FunctionText>,
    origins: Vec<Vec<u32>>,
    node_sets: Vec<Vec<u32>>,
    /// IR and assembly of the kernels.
    kernels: Vec<(FunctionText, String)>,
}

/// A part of the data as an element of HTML.
pub fn element(name: &str, data: &impl Serialize) -> io::Result<String> {
    // In one piece: the encoder is slow with one number after the other.
    let json = serde_json::to_vec(data)?;
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(LEVEL));
    encoder.write_all(&json)?;
    let compressed = encoder.finish()?;
    let text = STANDARD.encode(compressed);
    Ok(format!("{BEGIN}{name}\">{text}{END}\n"))
}

/// The record as two elements of HTML.
pub fn record_elements(record: &CompilationRecord) -> io::Result<String> {
    let mut record = record.clone();
    let texts = Texts {
        source: std::mem::take(&mut record.source),
        lines: std::mem::take(&mut record.lines),
        functions: std::mem::take(&mut record.functions),
        origins: std::mem::take(&mut record.origins),
        node_sets: std::mem::take(&mut record.node_sets),
        kernels: record
            .kernels
            .iter_mut()
            .map(|kernel| {
                (
                    std::mem::take(&mut kernel.text),
                    std::mem::take(&mut kernel.assembly),
                )
            })
            .collect(),
    };
    Ok(element("record", &record)? + &element("texts", &texts)?)
}

/// Reads the record that a report was made of.
///
/// # Errors
/// If the file is no report, one of another version, or damaged: nothing in it is trusted.
pub fn read(html: &[u8]) -> Result<CompilationRecord, ReadError> {
    let mut record: CompilationRecord = part(html, "record")?;
    if record.version != VERSION {
        return Err(ReadError::OtherVersion(record.version));
    }
    let texts: Texts = part(html, "texts")?;
    if texts.kernels.len() != record.kernels.len() {
        return Err(ReadError::Damaged("kernels without texts".to_owned()));
    }
    record.source = texts.source;
    record.lines = texts.lines;
    record.functions = texts.functions;
    record.origins = texts.origins;
    record.node_sets = texts.node_sets;
    for (kernel, (text, assembly)) in record.kernels.iter_mut().zip(texts.kernels) {
        kernel.text = text;
        kernel.assembly = assembly;
    }
    validate::check(&record).map_err(ReadError::Damaged)?;
    Ok(record)
}

fn part<T: DeserializeOwned>(html: &[u8], name: &str) -> Result<T, ReadError> {
    let begin = format!("{BEGIN}{name}\">");
    let start = find(html, begin.as_bytes()).ok_or(ReadError::NoReport)? + begin.len();
    let text = &html[start..];
    let end = find(text, END.as_bytes()).ok_or_else(|| damaged("it ends early"))?;
    let compressed = STANDARD.decode(&text[..end]).map_err(damaged)?;
    let mut json = Vec::new();
    let mut decoder = DeflateDecoder::new(&compressed[..]).take(MOST_BYTES + 1);
    decoder.read_to_end(&mut json).map_err(damaged)?;
    if json.len() as u64 > MOST_BYTES {
        return Err(damaged("it is too large"));
    }
    // The version is first: fields of other versions may be others.
    #[derive(Deserialize)]
    struct Version {
        version: Option<u32>,
    }
    serde_json::from_slice(&json).map_err(|error| {
        let version = serde_json::from_slice::<Version>(&json).ok();
        match version.and_then(|found| found.version) {
            Some(version) if version != VERSION => ReadError::OtherVersion(version),
            _ => damaged(error),
        }
    })
}

fn damaged(reason: impl ToString) -> ReadError {
    ReadError::Damaged(reason.to_string())
}

fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    text.windows(wanted.len())
        .position(|window| window == wanted)
}

/// For tests: writes the JSON of a part in place of that of a report.
#[cfg(test)]
pub fn replaced(html: &str, name: &str, json: &[u8]) -> String {
    let begin = format!("{BEGIN}{name}\">");
    let start = html.find(&begin).unwrap() + begin.len();
    let end = start + html[start..].find(END).unwrap();
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(json).unwrap();
    let text = STANDARD.encode(encoder.finish().unwrap());
    format!("{}{text}{}", &html[..start], &html[end..])
}
