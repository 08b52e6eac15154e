//! The page.

use super::{read, samples, write};
use crate::record::CompilationRecord;

fn page(record: &CompilationRecord, other: Option<&CompilationRecord>) -> String {
    let mut page = Vec::new();
    write(record, other, &mut page).unwrap();
    String::from_utf8(page).unwrap()
}

#[test]
fn a_page_has_all_sections() {
    let record = samples::program();
    let text = page(&record, None);
    for id in ["summary", "kernels", "passes", "decisions", "memory"] {
        assert!(text.contains(&format!("<section id=\"{id}\"")), "{id}");
        assert!(text.contains(&format!("href=\"#{id}\"")), "{id}");
    }
    assert!(!text.contains("id=\"comparison\""));
    assert!(text.contains("<polyline class=\"roof\""));
    assert_eq!(read(text.as_bytes()).unwrap().calls, record.calls);
    // Text from programs is escaped.
    assert!(text.contains("&#60;b&#62;slow&#60;/b&#62;") && !text.contains("<b>slow"));
    let compared = page(&record, Some(&record));
    assert!(compared.contains("<section id=\"comparison\""));
}

#[test]
fn a_record_of_an_error_is_a_page() {
    let record = CompilationRecord {
        program: "<script>alert(1)</script>".to_owned(),
        error: Some("a.mlir:1:1: error: no program".to_owned()),
        ..CompilationRecord::default()
    };
    let text = page(&record, None);
    assert!(text.contains("a.mlir:1:1: error: no program"));
    assert!(!text.contains("<script>alert") && !text.contains("id=\"memory\""));
}

#[test]
fn indices_of_a_record_may_be_out_of_range() {
    let mut record = samples::program();
    record.nodes.clear();
    record.functions.clear();
    record.lines.clear();
    record.kernels.clear();
    record.calls.truncate(1);
    let text = page(&record, Some(&samples::program()));
    assert!(text.contains("main_kernel_0"));
}
