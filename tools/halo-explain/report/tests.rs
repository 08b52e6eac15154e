//! Tests of the page as text; `tests/browser` looks at it in a browser.

use super::{
    ReadError,
    columns::COLUMNS,
    data::replaced,
    limits::Limits,
    read,
    rows::{self, Bound},
    samples, write, write_within,
};
use halo_runtime::compilation_record::{
    CallKind, CallTimes, CodeGeneration, CompilationRecord, Run, VERSION,
};

fn html(record: &CompilationRecord, other: Option<&CompilationRecord>) -> String {
    let mut html = Vec::new();
    write(record, other, &mut html).unwrap();
    String::from_utf8(html).unwrap()
}

/// The elements of a page: what stands between `<` and the next space or `>`.
fn elements(html: &str) -> Vec<&str> {
    let names = html.split('<').skip(1);
    names
        .map(|rest| rest.split([' ', '>', '\n', '/']).next().unwrap_or_default())
        .collect()
}

/// The page without its own style, scripts and data.
fn body(html: &str) -> String {
    let mut body = String::new();
    let mut rest = html;
    for (begin, end) in [("<style>", "</style>"), ("<script", "</script>")] {
        while let Some(start) = rest.find(begin) {
            body.push_str(&rest[..start]);
            let stop = rest[start..].find(end).unwrap();
            rest = &rest[start + stop + end.len()..];
        }
    }
    body + rest
}

#[test]
fn reports_are_read_back() {
    for record in [
        samples::program(60),
        samples::failed(24),
        samples::interpreted(24),
        samples::markup(),
    ] {
        let html = html(&record, None);
        // The last digit of a number may be another one in JSON.
        let json = serde_json::to_vec(&record).unwrap();
        let record: CompilationRecord = serde_json::from_slice(&json).unwrap();
        assert!(
            read(html.as_bytes()).unwrap() == record,
            "it is not the same"
        );
    }
}

#[test]
fn other_files_are_refused() {
    let refused = |file: &[u8]| read(file).unwrap_err().to_string();
    assert_eq!(refused(b""), "it is no report of halo-explain");
    assert_eq!(
        refused(b"<html>\xff</html>"),
        "it is no report of halo-explain"
    );
    let html = html(&samples::program(24), None);
    // Cut, changed, of another version, with numbers that name nothing.
    let start = html.find("data-record").unwrap();
    assert_eq!(
        refused(&html.as_bytes()[..start + 400]),
        "its data are damaged: it ends early"
    );
    let damaged = html.replacen("data-record\">", "data-record\">!", 1);
    assert!(matches!(
        read(damaged.as_bytes()),
        Err(ReadError::Damaged(_))
    ));
    let without = html.replacen("data-texts", "data-other", 1);
    assert_eq!(
        refused(without.as_bytes()),
        "it is no report of halo-explain"
    );
    let version = "it is of version 7 of the format, this halo-explain reads version 6";
    let other = CompilationRecord {
        version: 7,
        ..CompilationRecord::default()
    };
    let json = serde_json::to_vec(&other).unwrap();
    assert_eq!(
        refused(replaced(&html, "record", &json).as_bytes()),
        version
    );
    // Fields of other versions may be unknown here.
    let other = replaced(&html, "record", br#"{"version": 7, "what": {}}"#);
    assert_eq!(refused(other.as_bytes()), version);
    let mut wrong = CompilationRecord {
        version: VERSION,
        ..CompilationRecord::default()
    };
    wrong.calls.push(Default::default());
    wrong.calls[0].nodes.push(5);
    let mut wrong = replaced(&html, "record", &serde_json::to_vec(&wrong).unwrap());
    let texts =
        br#"{"source":"","lines":[],"functions":[],"origins":[],"node_sets":[],"kernels":[]}"#;
    wrong = replaced(&wrong, "texts", texts);
    assert_eq!(
        refused(wrong.as_bytes()),
        "its data are damaged: there is no node 5"
    );
}

#[test]
fn names_are_text_wherever_they_stand() {
    let html = html(&samples::markup(), Some(&samples::markup()));
    let plain = html_of_names(&samples::program(24));
    let found = body(&html);
    for name in elements(&found) {
        let name = name.trim_start_matches('/');
        assert!(plain.contains(name), "<{name}> is no element of a report");
    }
    assert!(
        !found.contains("onerror=alert(1)>\"'&<"),
        "a name is not escaped"
    );
    assert!(found.contains("&#60;img src=x onerror=alert(1)&#62;"));
    // Scripts are those of the page, with its number.
    let scripts = html.matches("<script nonce=\"").count();
    let data = html
        .matches("<script type=\"application/vnd.halo.report+json\"")
        .count();
    assert_eq!((scripts, data), (2, 5));
    assert_eq!(html.matches("<script").count(), 7);
}

/// All names of elements that a page of usual names has.
fn html_of_names(record: &CompilationRecord) -> String {
    let mut failed = record.clone();
    failed.error = Some("error".to_owned());
    let page = body(&html(&failed, Some(&failed)));
    elements(&page).join(" ")
}

#[test]
fn pages_load_nothing() {
    let html = html(&samples::program(60), None);
    assert!(html.contains("Content-Security-Policy\" content=\"default-src 'none';"));
    let page = body(&html);
    for loads in [
        "src=",
        "http:",
        "https:",
        "url(",
        "@import",
        "<link rel=\"stylesheet",
    ] {
        assert!(!page.contains(loads), "{loads}");
    }
    for loads in ["http:", "https:", "url(", "@import"] {
        assert!(!super::STYLE.contains(loads), "{loads}");
    }
    let script = super::SCRIPT.replace("http://www.w3.org/2000/svg", "");
    for loads in [
        "http",
        "fetch(",
        "XMLHttpRequest",
        "import(",
        "eval(",
        "innerHTML",
        "document.write",
    ] {
        assert!(!script.contains(loads), "{loads}");
    }
}

#[test]
fn numbers_are_those_of_profiles() {
    let mut record = samples::program(12);
    let run = record.run.as_mut().unwrap();
    run.runs = 10;
    run.seconds = 0.012;
    let site = &mut run.sites[0];
    (site.sum.count, site.sum.seconds, site.threads, site.bytes) =
        (10, 0.004_5, 2, Some(54_000_000));
    // The fastest runs: nothing that the mean has more is of the kernel.
    run.spread.least = 0.001;
    site.of_runs = [0.000_4, 0.004_1]
        .map(|seconds| CallTimes {
            count: 1,
            seconds,
            ..CallTimes::default()
        })
        .into();
    let rows = rows::rows(&record);
    let row = rows.iter().find(|row| row.name == "main_kernel_0").unwrap();
    let cells = row.cells(0.012);
    let text = |title: &str| {
        let column = COLUMNS.iter().position(|column| column.title == title);
        &cells[column.unwrap()].text[..]
    };
    let of_profile = [
        ("total ms", "4.500"),
        ("share", "37.5%"),
        ("calls", "10"),
        ("mean us", "450.00"),
        ("threads", "2"),
        ("MB", "5.40"),
        ("GB/s", "12.00"),
    ];
    // 8388608 flops of the product and 16384 of the addition, in 10 calls.
    let of_ops = [("MFLOP", "8.40"), ("GFLOP/s", "18.68")];
    // 54 MB take 3.857 ms at 14 GB/s; 84 MFLOP take 0.467 ms at 180 GFLOP/s.
    let of_machine = [
        ("limit", "memory"),
        // 0.386 of 0.4 ms.
        ("of limit", "96.4%"),
        ("limit us", "385.71"),
        // 0.014 of 1 ms.
        ("could save", "1.4%"),
    ];
    let all = of_profile.iter().chain(&of_ops).chain(&of_machine);
    for (title, expected) in all {
        assert_eq!(text(title), *expected, "{title}");
    }
    assert_eq!(row.bound, Some(Bound::Memory));
}

#[test]
fn calls_of_one_name_and_place_are_one_row() {
    let mut record = samples::not_run(24);
    record.calls[1].name = record.calls[0].name.clone();
    record.calls[1].location = record.calls[0].location.clone();
    record.calls[2].kind = CallKind::Function;
    record.calls[2].name = "fft".to_owned();
    record.calls[3].count = 5;
    let rows = rows::rows(&record);
    assert_eq!(rows.len(), 5);
    let row = |name: &str| rows.iter().find(|row| row.name == name).unwrap();
    assert_eq!(row("main_kernel_0").calls, [0, 1]);
    assert_eq!(row("main_kernel_0").count, 2);
    assert_eq!(row("@fft").calls, [2]);
    assert_eq!(
        (row("main_kernel_3").count, row("main_kernel_3").bytes),
        (5, Some(5 * 3 * 65_536))
    );
    assert!(
        rows.iter()
            .all(|row| row.seconds.is_none() && row.bound.is_none())
    );
}

#[test]
fn errors_lead_to_their_line() {
    let record = samples::failed(24);
    let page = html(&record, None);
    assert!(
        page.contains("<a href=\"#source/4\">line 4</a> <code>%2 = stablehlo.broadcast_in_dim")
    );
    assert!(page.contains("<a href=\"#ir/7\">halo-form-fusion-groups</a>"));
}

#[test]
fn records_with_nothing_in_them_have_reports() {
    let empty = CompilationRecord::default();
    assert!(html(&empty, Some(&empty)).contains("The backend makes no kernels"));
    // A run that no kernel was seen in.
    let mut record = samples::interpreted(12);
    record.run = Some(Run {
        runs: 3,
        seconds: 0.3,
        ..Run::default()
    });
    assert!(html(&record, None).contains("100.000 ms is the mean of 3 runs"));
}

#[test]
fn reports_are_small_and_say_what_they_leave_out() {
    assert!(html(&samples::program(500), None).len() < 1 << 20);
    let record = samples::program(60);
    let limits = Limits {
        uses: 100,
        ..Limits::default()
    };
    let mut page = Vec::new();
    write_within(&record, None, limits, &mut page).unwrap();
    let page = String::from_utf8(page).unwrap();
    assert!(page.contains("The IR is too large for a report"));
    // The line of a constant of a hundred megabytes.
    let mut record = samples::program(12);
    record.source = format!(
        "%0 = stablehlo.constant dense<[{}]>\n",
        "1.0, ".repeat(20 << 20)
    );
    let page = html(&record, None);
    assert!(page.contains("1 line of the program&#39;s text is cut after 4000 characters."));
    assert!(page.len() < 1 << 20);
}

#[test]
fn two_reports_are_told_apart_by_their_titles() {
    let mut record = samples::program(12);
    record.program = "/models/resnet18/model.mlir".to_owned();
    assert!(
        html(&record, None).contains("<title>resnet18/model.mlir on cpu: Halo's report</title>")
    );
}

#[test]
fn the_time_of_parts_that_were_compiled_together_is_divided() {
    let mut record = samples::program(24);
    let part = |name: &str, seconds: f64| CodeGeneration {
        name: name.to_owned(),
        seconds,
        ..CodeGeneration::default()
    };
    record.code_generation = vec![part("main_kernel_0, main_kernel_1, callers", 0.75)];
    for (kernel, length) in record.kernels.iter_mut().zip([100, 50, 200]) {
        kernel.assembly = "a".repeat(length);
        kernel.code_bytes = None;
    }
    let seconds = |record: &CompilationRecord, name: &str| {
        let rows = rows::rows(record);
        let row = rows.iter().find(|row| row.name == name);
        row.unwrap().compile_seconds
    };
    assert_eq!(seconds(&record, "main_kernel_0"), Some(0.5));
    assert_eq!(seconds(&record, "main_kernel_1"), Some(0.25));
    assert_eq!(seconds(&record, "main_kernel_2"), None);
    // As much code takes half of that without callers.
    record.code_generation.push(part("main_kernel_2", 0.5));
    assert_eq!(seconds(&record, "main_kernel_0"), Some(0.25));
    assert_eq!(seconds(&record, "main_kernel_1"), Some(0.125));
    assert_eq!(seconds(&record, "main_kernel_2"), Some(0.5));
}
