//! Makes a report of a record in JSON: `render RECORD.json REPORT.html [OTHER.html]`; of
//! samples where the record is `sample:KIND:OPS`.

#[path = "../tests/samples/mod.rs"]
mod samples;

use halo_runtime::compilation_record::CompilationRecord;
use std::{error::Error, fs, time::Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (from, to, other) = match &arguments[..] {
        [from, to] => (from, to, None),
        [from, to, other] => (from, to, Some(other)),
        _ => return Err("render RECORD.json REPORT.html [OTHER.html]".into()),
    };
    let record = match from.strip_prefix("sample:") {
        Some(sample) => sample_of(sample)?,
        None => serde_json::from_slice(&fs::read(from)?)?,
    };
    let other = other.map(|other| Ok::<_, Box<dyn Error>>(halo_explain::read(&fs::read(other)?)?));
    let start = Instant::now();
    let mut html = Vec::new();
    halo_explain::write(&record, other.transpose()?.as_ref(), &mut html)?;
    println!("{to}: {} bytes in {:?}", html.len(), start.elapsed());
    fs::write(to, html)?;
    Ok(())
}

fn sample_of(name: &str) -> Result<CompilationRecord, Box<dyn Error>> {
    let (kind, ops) = name.split_once(':').unwrap_or((name, "60"));
    let ops = ops.parse()?;
    Ok(match kind {
        "program" => samples::program(ops),
        "long" => samples::program_of_passes(ops, 8),
        "not-run" => samples::not_run(ops),
        "failed" => samples::failed(ops),
        "interpreted" => samples::interpreted(ops),
        "gpu" => samples::gpu(ops),
        "long-names" => samples::long_names(),
        "markup" => samples::markup(),
        _ => return Err(format!("there is no sample '{kind}'").into()),
    })
}
