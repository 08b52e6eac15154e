//! Reports in a real browser. Without one the tests pass and say so, except where
//! `HALO_TEST_BROWSER=1` asks for one. Pictures for the eye go to `report` in the folder of
//! temporary files of the target.

mod devtools;
#[path = "../samples/mod.rs"]
mod samples;

use devtools::Browser;
use halo_runtime::compilation_record::{CompilationRecord, SourceOp};
use serde_json::json;
use std::{
    env, fs,
    path::{Path, PathBuf},
    time::Duration,
};

const TABS: [&str; 10] = [
    "#summary",
    "#graph",
    "#kernels",
    "#roofline",
    "#memory",
    "#ir",
    "#source",
    "#decisions",
    "#compile-time",
    "#words",
];

/// What a report may take to be ready. On a busy machine it is opened again.
const READY: Duration = Duration::from_secs(2);
const TIMES: usize = 4;
/// The same for one of thousands of ops, beside other tests on a busy machine. It takes half a
/// second on a quiet one.
const READY_IF_LARGE: Duration = Duration::from_secs(8);
/// A large program has more ops than these.
const LARGE: usize = 1000;

fn browser() -> Option<Browser> {
    let Some(program) = devtools::find() else {
        let must = env::var("HALO_TEST_BROWSER").is_ok_and(|value| value == "1");
        assert!(
            !must,
            "there is no browser: install chromium or set HALO_BROWSER"
        );
        println!("skipped: there is no browser");
        return None;
    };
    Some(Browser::start(&program))
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report");
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn report(name: &str, record: &CompilationRecord) -> PathBuf {
    comparison(name, record, None)
}

fn comparison(
    name: &str,
    record: &CompilationRecord,
    other: Option<&CompilationRecord>,
) -> PathBuf {
    let path = folder().join(format!("{name}.html"));
    let mut html = Vec::new();
    halo_explain::write(record, other, &mut html).unwrap();
    fs::write(&path, html).unwrap();
    path
}

/// Shows every part at both widths, and takes pictures.
fn show_all(browser: &mut Browser, name: &str, record: &CompilationRecord) {
    let path = report(name, record);
    let ready = match record.nodes.len() > LARGE {
        true => READY_IF_LARGE,
        false => READY,
    };
    for (width, height, is_dark) in [(1440, 900, false), (400, 800, true), (360, 740, true)] {
        browser.resize(width, height, is_dark);
        let times = (0..TIMES).map(|_| browser.open(&path));
        let quick = times.take_while(|time| *time >= ready).count() < TIMES;
        assert!(quick, "{name} is not ready after {ready:?}");
        let mut parts: Vec<&str> = TABS.into();
        if !record.calls.is_empty() {
            parts.extend(["#kernel/0", "#graph/n1", "#memory/1"]);
        }
        if !record.ops.is_empty() {
            parts.extend(["#ir/op/1", "#source/3"]);
        }
        if name == "shared-kernel" {
            parts.push("#kernel/sites/0");
        }
        for part in parts {
            browser.go(part);
            let failed = browser.count("main > section:not([hidden]) > p.error");
            assert_eq!(
                failed,
                0,
                "{name} {part}: {}",
                browser.text("main > section:not([hidden])")
            );
            let wide = browser.too_wide();
            assert!(wide.is_empty(), "{name} {part} at {width}: {wide}");
            let part = part.trim_start_matches('#').replace('/', "-");
            browser.picture(&folder().join(format!("{name}-{width}-{part}.png")));
        }
    }
    assert!(
        browser.complaints.is_empty(),
        "{name}: {:#?}",
        browser.complaints
    );
}

#[test]
fn reports_of_all_kinds_open_and_show_all_parts() {
    let Some(mut browser) = browser() else { return };
    let records = [
        ("small", samples::program(5)),
        ("middle", samples::program(100)),
        ("large", samples::program(5000)),
        ("shared-kernel", samples::shared_kernel(60)),
        ("failed", samples::failed(60)),
        ("interpreted", samples::interpreted(60)),
        ("not-run", samples::not_run(60)),
        ("gpu", samples::gpu(60)),
        ("long-names", samples::long_names()),
        ("empty", CompilationRecord::default()),
    ];
    for (name, record) in records {
        show_all(&mut browser, name, &record);
    }
}

#[test]
fn markup_in_names_stays_text() {
    let Some(mut browser) = browser() else { return };
    let record = samples::markup();
    show_all(&mut browser, "markup", &record);
    browser.go("#kernel/0");
    assert!(
        browser
            .text("#kernel-view .name")
            .starts_with(samples::MARKUP)
    );
    assert!(samples::MARKUP.ends_with(browser.text("h1").trim_end_matches(".mlir")));
    assert_eq!(browser.count("img, main b, iframe"), 0);
    // The policy of the page lets nothing else run, even if there were an element.
    browser.evaluate(
        "(() => { const it = document.createElement('script'); it.textContent = 'window.ran = 1'; \
         document.body.append(it); })()",
    );
    assert_eq!(browser.evaluate("typeof window.ran"), json!("undefined"));
}

#[test]
fn tables_are_sorted_and_filtered() {
    let Some(mut browser) = browser() else { return };
    browser.open(&report("tables", &samples::program(100)));
    browser.go("#kernels");
    let first = "#kernel-table tbody:not([hidden]) tr:not([hidden]) th a";
    assert_eq!(browser.text(first), "main_kernel_9");
    // By name upwards, and downwards.
    browser.click("#kernel-table thead th:first-child button");
    assert_eq!(browser.text(first), "main_kernel_0");
    browser.click("#kernel-table thead th:first-child button");
    assert_eq!(browser.text(first), "main_kernel_24");
    browser.fill("#kernels .controls input", "reduce kernel_23");
    let one = "document.querySelectorAll('#kernel-table tbody:not([hidden])').length === 1";
    browser.wait(one);
    assert_eq!(browser.text(first), "main_kernel_23");
    // What is cheap is added when asked, and sorted with the others.
    browser.open(&report("many-kernels", &samples::program(3000)));
    browser.go("#kernels");
    assert_eq!(browser.count("#kernel-table tbody tr"), 500);
    browser.click("#more-kernels button");
    browser.wait("document.querySelectorAll('#kernel-table tbody tr').length === 750");
    browser.click("#kernel-table thead th:first-child button");
    browser.click("#kernel-table thead th:first-child button");
    assert_eq!(browser.text(first), "main_kernel_749");
    browser.open(&report("tables", &samples::program(100)));
    browser.go("#decisions");
    browser.fill("#remarks-filter input", "line 39");
    browser.wait("document.querySelectorAll('#remarks .places li:not([hidden])').length === 1");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn narrow_pages_show_all_tabs_and_the_limits() {
    let Some(mut browser) = browser() else { return };
    for (width, is_dark) in [(400, false), (400, true), (1440, false)] {
        browser.resize(width, 900, is_dark);
        browser.open(&report("narrow", &samples::program(100)));
        let inside = |of: &str| {
            format!(
                "[...document.querySelectorAll('{of}')].every((it) => {{ \
                 const box = it.getBoundingClientRect(); \
                 return box.width > 0 && box.left >= 0 && box.right <= innerWidth; }})"
            )
        };
        assert_eq!(browser.evaluate(&inside("header nav a")), json!(true));
        // Tables of bars are read without scrolling sideways.
        for part in ["summary", "compile-time"] {
            browser.go(&format!("#{part}"));
            let cells = inside(&format!("#{part} > .bars tbody tr > *"));
            assert_eq!(browser.evaluate(&cells), json!(true), "{part} at {width}");
        }
        browser.go("#kernels");
        let title = "[...document.querySelectorAll('#kernel-table thead th')]\
                     .find((it) => it.textContent === 'of limit').getBoundingClientRect().right";
        let right = browser.evaluate(title).as_f64().unwrap();
        assert!(right <= f64::from(width), "{right} at {width}");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn small_pages_have_cards_and_units() {
    let Some(mut browser) = browser() else { return };
    browser.resize(1440, 900, false);
    browser.open(&report("cards", &samples::program(100)));
    browser.go("#kernels");
    assert_eq!(browser.count(".cards"), 0);
    browser.resize(400, 800, false);
    browser.go("#kernels");
    assert_eq!(browser.count("#kernels .cards"), 1);
    // What matters less is there when it is asked for.
    let card = "#kernel-table tbody tr";
    assert!(!browser.text(card).contains("compile ms"));
    let label = "getComputedStyle(document.querySelector('#kernel-table td:nth-child(2)'), '::before').content";
    assert_eq!(browser.evaluate(label), json!("\"total ms\""));
    let shown = "document.querySelector('#kernel-table td.minor').offsetWidth > 0";
    assert_eq!(browser.evaluate(shown), json!(false));
    browser.click("#kernel-table .all-figures");
    assert_eq!(browser.evaluate(shown), json!(true));
    browser.go("#memory");
    assert_eq!(browser.count("#memory .cards"), 1);
    browser.go("#compile-time");
    let times = "[...document.querySelectorAll('#compile-time > .bars td.number:not(:last-child)')]\
                 .every((it) => it.innerText.endsWith(' ms'))";
    assert_eq!(browser.evaluate(times), json!(true));
    browser.resize(1440, 900, false);
    browser.go("#kernels");
    assert_eq!(browser.count("#kernels .cards"), 0);
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// A table that is too wide has fewer columns before its rows become cards.
#[test]
fn tables_leave_out_columns_where_there_is_no_space() {
    let Some(mut browser) = browser() else { return };
    browser.open(&report("columns", &samples::program(100)));
    for (width, is_tight, has_less) in [
        (1440, false, false),
        (1250, true, false),
        (1000, true, true),
    ] {
        browser.resize(width, 900, false);
        browser.go("#kernels");
        assert_eq!(browser.count("#kernels .cards"), 0, "{width}");
        assert_eq!(
            browser.count("#kernel-table.tight"),
            u64::from(is_tight),
            "{width}"
        );
        assert_eq!(
            browser.count("#kernels .all-columns"),
            u64::from(has_less),
            "{width}"
        );
    }
    let shown = "document.querySelector('#kernel-table th.minor').offsetWidth > 0";
    assert_eq!(browser.evaluate(shown), json!(false));
    browser.click("#kernels .all-columns button");
    assert_eq!(browser.evaluate(shown), json!(true));
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// A narrow page opens the graph with all of its boxes between its sides.
#[test]
fn graphs_open_as_wide_as_the_page() {
    let Some(mut browser) = browser() else { return };
    browser.resize(400, 800, false);
    browser.open(&report("narrow-graph", &samples::program(60)));
    browser.go("#graph");
    let cut = "(() => { const page = document.querySelector('#graph-view svg').getBoundingClientRect(); \
               return [...document.querySelectorAll('#graph-view svg rect')].map((it) => it.getBoundingClientRect()) \
               .filter((it) => it.width > 0 && (it.left < page.left || it.right > page.right)).length; })()";
    assert_eq!(browser.evaluate(cut), json!(0));
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn words_tell_what_they_mean_where_they_are_tapped() {
    let Some(mut browser) = browser() else { return };
    for width in [1440, 400] {
        browser.resize(width, 900, false);
        browser.open(&report("words", &samples::program(100)));
        for (part, word) in [
            ("summary", "kernel"),
            ("kernels", "call-site"),
            ("roofline", "limit"),
            ("memory", "arena"),
            ("decisions", "pass"),
            ("compile-time", "phase"),
            ("ir/op/5", "op"),
            ("kernel/0", "iteration"),
        ] {
            browser.go(&format!("#{part}"));
            let section = part.split('/').next().unwrap();
            let found = format!("#{section} .word[data-word=\"word-{word}\"]");
            // Once in each part.
            assert_eq!(browser.count(&found), 1, "{part} {word}");
            let box_ = browser.evaluate(&format!(
                "(() => {{ const it = document.querySelector('{found}'); \
                 it.scrollIntoView({{block: 'center'}}); const at = it.getBoundingClientRect(); \
                 return [at.left + at.width / 2, at.top + at.height / 2]; }})()"
            ));
            let point = json!([{"x": box_[0], "y": box_[1]}]);
            browser.call(
                "Input.dispatchTouchEvent",
                json!({"type": "touchStart", "touchPoints": point}),
            );
            browser.call(
                "Input.dispatchTouchEvent",
                json!({"type": "touchEnd", "touchPoints": []}),
            );
            browser.wait("!document.getElementById('meaning').hidden");
            let meaning = browser.text("#meaning");
            let entry = format!("document.querySelector('#word-{word} + dd').textContent");
            let expected = browser.evaluate(&entry);
            assert!(meaning.contains(expected.as_str().unwrap()), "{meaning}");
            let inside = "(() => { const at = document.getElementById('meaning').getBoundingClientRect(); \
                          return at.left >= 0 && at.right <= document.documentElement.clientWidth && at.top >= 0 && at.bottom <= innerHeight; })()";
            assert_eq!(browser.evaluate(inside), json!(true), "{part} {word}");
            let wide = browser.too_wide();
            assert!(wide.is_empty(), "{wide}");
        }
        browser.picture(&folder().join(format!("word-{width}.png")));
        browser.click("#meaning a");
        browser.wait("document.querySelectorAll('#words dt.chosen').length === 1");
        assert_eq!(browser.text("#words dt.chosen"), "iteration");
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// A kernel that is called at several places has a page with all of them.
#[test]
fn kernels_have_a_page_with_all_call_sites() {
    let Some(mut browser) = browser() else { return };
    browser.resize(1440, 900, false);
    browser.open(&report("call-sites", &samples::shared_kernel(60)));
    for (part, link) in [
        ("#summary", ".slowest .big a"),
        ("#kernels", "#kernel-table tr.sum th a:not(.word)"),
    ] {
        browser.go(part);
        browser.click(link);
        browser.wait("document.documentElement.dataset.drawn === '#kernel/sites/0'");
        let title = browser.text("#kernel-view h3.name");
        assert!(title.starts_with("main_kernel_0 2 call sites, "), "{title}");
        let sites = "#kernel-view table tbody tr";
        assert_eq!(browser.count(sites), 2);
        assert_eq!(browser.count("#kernel-view .kernel-code"), 1);
    }
    // There and back.
    browser.click("#kernel-view tbody tr:last-child th a");
    browser.wait("/^#kernel.[0-9]+$/.test(document.documentElement.dataset.drawn)");
    let text = browser.text("#kernel-view");
    assert!(text.contains("one of 2 call sites of the kernel"), "{text}");
    assert!(text.contains("for the first call site, line 2."), "{text}");
    browser.click("#kernel-view a[href='#kernel/sites/0']");
    browser.wait("document.documentElement.dataset.drawn === '#kernel/sites/0'");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// What stands beside the name of a kernel that computes nothing is a word of the glossary.
#[test]
fn what_kernels_do_is_explained_where_it_stands() {
    let Some(mut browser) = browser() else { return };
    browser.open(&report("call-sites", &samples::shared_kernel(60)));
    let row = "#kernel-table tr:has(.work)";
    browser.go("#kernels");
    assert_eq!(
        browser.text(&format!("{row} .work .word")),
        "packs an operand"
    );
    let number = browser.evaluate(&format!("document.querySelector('{row}').dataset.row"));
    browser.go(&format!("#kernel/{}", number.as_str().unwrap()));
    let word = browser.text("#kernel-view .work .word");
    assert_eq!(word, "packs an operand");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn charts_name_what_matters_and_no_name_is_over_another_one() {
    let Some(mut browser) = browser() else { return };
    for (name, record) in [
        ("charts", samples::program(60)),
        ("charts-long", samples::long_names()),
    ] {
        for (width, class, count) in [(1440, "wide", 8), (400, "narrow", 4)] {
            browser.resize(width, 900, false);
            browser.open(&report(name, &record));
            browser.go("#roofline");
            let chart = format!("#roofline .chart.{class}");
            assert_eq!(browser.count(&format!("{chart} .label")), count);
            let apart = format!(
                "(() => {{ const all = [...document.querySelectorAll('{chart} text:not(.tick)')]\
                 .map((it) => it.getBoundingClientRect()).filter((it) => it.width > 2 * it.height); \
                 return all.every((one, number) => all.slice(number + 1).every((other) => \
                 one.right <= other.left + 1 || other.right <= one.left + 1 || one.bottom <= other.top + 4 || other.bottom <= one.top + 4)); }})()"
            );
            assert_eq!(browser.evaluate(&apart), json!(true), "{name} at {width}");
            // No line is drawn over a text.
            let over = format!(
                "(() => {{ const texts = [...document.querySelectorAll('{chart} .roof-text, {chart} .label')]; \
                 return [...document.querySelectorAll('{chart} .leader, {chart} .roof, {chart} .ceiling')].some((line) => \
                 texts.some((text) => text.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING)); }})()"
            );
            assert_eq!(browser.evaluate(&over), json!(false), "{name} at {width}");
            browser.go("#memory");
            let peak = "document.querySelector('#memory-view .at-peak-name title').textContent";
            let peak = browser.evaluate(peak);
            assert_eq!(peak, json!(record.calls[2].name));
            // Names in boxes are there in full or not at all.
            let cut = "[...document.querySelectorAll('#memory-view .in-box')].some((it) => it.textContent.includes('…'))";
            assert_eq!(browser.evaluate(cut), json!(false));
        }
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn the_summary_has_the_lines_of_the_slowest_kernel() {
    let Some(mut browser) = browser() else { return };
    browser.resize(400, 800, false);
    browser.open(&report("slowest", &samples::program(100)));
    let made_of = browser.text(".slowest .made-of");
    assert!(made_of.contains("line 39 dot_general"), "{made_of}");
    assert!(made_of.contains("%37 = stablehlo.dot_general"), "{made_of}");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// A kernel of thousands of call sites is a sum with some of them, and has the others when asked.
#[test]
fn kernels_of_many_call_sites_do_not_slow_the_page() {
    let Some(mut browser) = browser() else { return };
    let mut record = samples::program(3000);
    let run = record.run.as_mut().unwrap();
    for (call, site) in record.calls.iter_mut().zip(&mut run.sites) {
        if call.kernel.is_some_and(|kernel| kernel % 3 == 0) {
            call.name = "main_kernel_0".to_owned();
            call.kernel = Some(0);
            site.name.clone_from(&call.name);
        }
    }
    browser.resize(1440, 900, false);
    browser.open(&report("many-sites", &record));
    browser.go("#kernels");
    let sites = "#kernel-table tr.site";
    assert_eq!(browser.count(sites), 40);
    assert!(
        browser
            .text("#kernel-table tr.sum")
            .contains("sum of 250 call sites")
    );
    browser.click("#more-kernels button");
    browser.wait(&format!(
        "document.querySelectorAll('{sites}').length === 250"
    ));
    assert_eq!(
        browser.count(&format!("{sites}:not([hidden])")),
        0,
        "they are folded, as the others"
    );
    browser.click("#kernel-table .unfold");
    assert_eq!(browser.count(&format!("{sites}:not([hidden])")), 250);
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn call_sites_are_folded_below_their_kernel_and_share_its_time() {
    let Some(mut browser) = browser() else { return };
    let mut record = samples::program(60);
    // Three layers have one kernel for their products.
    let name = record.calls[0].name.clone();
    for call in [3, 6] {
        record.calls[call].name.clone_from(&name);
        record.calls[call].kernel = Some(0);
        record.run.as_mut().unwrap().sites[call]
            .name
            .clone_from(&name);
    }
    // And one call site makes two calls.
    let (location, other) = (
        record.calls[1].location.clone(),
        record.calls[1].name.clone(),
    );
    record.calls[4].location = location;
    record.calls[4].name = other;
    let run = record.run.as_mut().unwrap();
    run.sites[1].calls.push(4);
    run.sites.remove(4);
    browser.resize(1440, 900, false);
    browser.open(&report("sites", &record));
    browser.go("#kernels");
    let shown = "#kernel-table tbody:has(.sum) tr.site:not([hidden])";
    assert_eq!(browser.count("#kernel-table tr.sum"), 1);
    assert!(
        browser
            .text("#kernel-table tr.sum")
            .contains("sum of 3 call sites")
    );
    assert_eq!(browser.count(shown), 0);
    browser.click("#kernel-table .unfold");
    assert_eq!(browser.count(shown), 3);
    browser.click("#kernel-table tr.site a");
    browser
        .wait("document.getElementById('kernel-view').textContent.includes('one of 3 call sites')");
    // Boxes of one row of the table have parts of its time, which add up to no more than all.
    browser.go("#graph");
    browser.click("#graph-view .controls button:nth-child(2)");
    browser.wait("document.querySelectorAll('#graph-view .unit > .small').length > 8");
    let sum = "[...document.querySelectorAll('#graph-view .unit > .small')]\
               .map((it) => Number((/^(?:about )?([0-9.]+)%/.exec(it.textContent) ?? [0, 0])[1]))\
               .reduce((sum, it) => sum + it, 0)";
    let sum = browser.evaluate(sum).as_f64().unwrap();
    assert!((90.0..101.0).contains(&sum), "{sum}");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn the_graph_folds_and_finds() {
    let Some(mut browser) = browser() else { return };
    browser.resize(1440, 900, false);
    browser.open(&report("graph", &samples::program(100)));
    browser.go("#graph");
    // All are folded: kernels and no ops.
    assert_eq!(browser.count("#graph-view .op"), 0);
    assert!(browser.count("#graph-view .unit") > 4);
    browser.click("#graph-view .unit [aria-expanded]");
    browser.wait("document.querySelectorAll('#graph-view .op:not(.argument)').length === 4");
    // It reads both arguments of the entry.
    assert_eq!(browser.count("#graph-view .op.argument"), 2);
    browser.click("#graph-view .controls button:nth-child(1)");
    browser.wait("document.querySelectorAll('#graph-view .op').length > 8");
    browser.click("#graph-view .controls button:nth-child(2)");
    browser.wait("document.querySelectorAll('#graph-view .op').length === 0");
    browser.fill("#graph-view input", "logistic");
    browser
        .wait("document.querySelector('#graph-view [role=status]').textContent === '1 of 8 hits'");
    // What is found is unfolded, in the middle, and told beside the graph.
    browser.wait("document.querySelectorAll('#graph-view .op.chosen').length === 1");
    assert!(browser.text("#graph-view .side h3").contains("logistic"));
    // An argument is found by its name, and a reduction by what it applies.
    browser.fill("#graph-view input", "%arg1");
    browser.wait("document.querySelector('#graph-view .side h3').textContent === '%arg1'");
    browser.fill("#graph-view input", "reduce add");
    browser.wait("document.querySelector('#graph-view .side h3').textContent === 'reduce add'");
    browser.go("#graph/k0");
    assert_eq!(browser.text("#graph-view .side h3"), "main_kernel_9");
    assert_eq!(browser.count("#graph-view .unit.chosen"), 1);
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn the_search_finds_kernels_ops_passes_and_lines() {
    let Some(mut browser) = browser() else { return };
    browser.open(&report("search", &samples::program(100)));
    for (text, link) in [
        ("main_kernel_7", "#kernel/"),
        ("dot_general", "#kernel/"),
        ("fusion-groups", "#ir/"),
        ("%41", "#source/43"),
    ] {
        browser.fill("#search", text);
        browser.wait(&format!(
            "!document.getElementById('found').hidden && \
             [...document.querySelectorAll('#found a')].some((it) => it.getAttribute('href').startsWith('{link}'))"
        ));
    }
    browser.fill("#search", "no such thing");
    browser.wait("document.getElementById('found').textContent.startsWith('Nothing')");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn passes_show_differences_and_trails() {
    let Some(mut browser) = browser() else { return };
    browser.resize(1440, 900, false);
    browser.open(&report("passes", &samples::program(100)));
    // The second pass drops one multiplication, and its readers read something else.
    browser.go("#ir/2");
    assert_eq!(browser.count("#ir-view .line.gone"), 1);
    assert_eq!(browser.count("#ir-view .line.came"), 0);
    assert!(browser.count("#ir-view .line.other") >= 1);
    let lines = browser.count("#ir-view .line");
    browser.click("#ir-view .fold-line");
    assert!(browser.count("#ir-view .line") > lines);
    browser.go("#ir/op/5");
    let trail = browser.text("#ir-view .trail");
    assert!(trail.contains("no line is made of it any more"), "{trail}");
    assert!(trail.contains("main_kernel_1"), "{trail}");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn memory_and_source_are_looked_into() {
    let Some(mut browser) = browser() else { return };
    browser.resize(1440, 900, false);
    let mut record = samples::program(1000);
    // The fourth op is of a function, which the last line calls.
    record.nodes[3].callers = vec![record.ops.len() as u32];
    record.ops.push(SourceOp {
        name: "func.call".to_owned(),
        location: "program.mlir:1002:3".to_owned(),
        line: 1002,
    });
    browser.open(&report("memory", &record));
    browser.go("#memory");
    let all = browser.count("#memory-view [data-buffer]");
    assert_eq!(all, 250);
    browser.click("#memory-view .controls button:nth-child(4)");
    assert!(browser.count("#memory-view [data-buffer]") < all / 4);
    browser.go("#memory/2");
    let text = browser.text("#buffer-view");
    assert!(text.contains("main_kernel_2"), "{text}");
    assert!(text.contains("It holds the result of"), "{text}");
    browser.go("#source/3");
    assert_eq!(browser.count("#source-view .line.chosen"), 1);
    assert!(browser.text("#source-view .side").contains("main_kernel_0"));
    browser.go("#source/1002");
    let text = browser.text("#source-view .side");
    assert!(
        text.contains("Its function has its ops in main_kernel_0"),
        "{text}"
    );
    // A line that computes the same as another one has its kernel and its time.
    let mut record = samples::program(24);
    let (equal, first) = (record.ops.len() as u32, record.steps[0].functions[0]);
    let mut text = record.functions[first as usize].clone();
    let add = text.origins.iter().position(|set| *set == 4).unwrap();
    text.lines.insert(add + 1, text.lines[add]);
    text.origins.insert(add + 1, record.origins.len() as u32);
    text.nodes.insert(add + 1, 0);
    record.origins.push(vec![equal]);
    record.ops.push(SourceOp {
        line: 8,
        ..record.ops[3].clone()
    });
    record.steps[0].functions[0] = record.functions.len() as u32;
    record.functions.push(text);
    browser.open(&report("equal", &record));
    browser.go("#source/8");
    let text = browser.text("#source-view .side");
    assert!(
        text.contains("Equal to add of line 5, computed in main_kernel_0 ("),
        "{text}"
    );
    let time = browser.text("#source-view .line.chosen .heat-tag");
    assert!(time.starts_with("of "), "{time}");
    // Calls of a kernel with several call sites have their lines.
    browser.open(&report("call-sites", &samples::shared_kernel(60)));
    browser.go("#memory/0");
    let text = browser.text("#buffer-view");
    assert!(text.contains("main_kernel_0 (line 2) to main_"), "{text}");
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

/// On small pages what became of a line stands in sight below the list; the map of the graph cuts no
/// box at its lower edge; types of buffers are in one line.
#[test]
fn answers_are_in_sight_and_nothing_is_cut() {
    let Some(mut browser) = browser() else { return };
    let path = report("sight", &samples::program(1000));
    browser.resize(400, 800, false);
    browser.open(&path);
    browser.go("#source/500");
    let text = browser.text("#source-view .side h3");
    assert!(!text.is_empty());
    let bottom = "document.querySelector('#source-view .side h3').getBoundingClientRect().bottom";
    let in_sight = browser.evaluate(&format!("{bottom} <= innerHeight"));
    assert_eq!(in_sight, json!(true));
    browser.resize(1440, 900, false);
    browser.open(&path);
    browser.go("#graph");
    browser.wait("document.querySelectorAll('#graph .unit').length > 4");
    let cut = "(() => { const { bottom } = document.querySelector('#graph .map').getBoundingClientRect(); \
               return [...document.querySelectorAll('#graph .unit > rect:first-of-type')] \
               .map((it) => it.getBoundingClientRect()) \
               .filter((it) => it.top < bottom - 1 && it.bottom > bottom + 1).length; })()";
    assert_eq!(browser.evaluate(cut), json!(0));
    browser.go("#memory");
    let lines = "Math.max(...[...document.querySelectorAll('#memory .type code')].map((it) => it.getClientRects().length))";
    assert_eq!(browser.evaluate(lines), json!(1));
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn two_compilations_are_compared() {
    let Some(mut browser) = browser() else { return };
    let (old, new) = (samples::program(60), samples::program(72));
    let path = comparison("compared", &new, Some(&old));
    for (width, is_dark) in [(1440, false), (360, true)] {
        browser.resize(width, 900, is_dark);
        browser.open(&path);
        browser.go("#comparison");
        let text = browser.text("#comparison");
        for expected in [
            "The two differ in their programs",
            "main_kernel_17",
            "lines gone",
        ] {
            assert!(text.contains(expected), "{expected}");
        }
        browser.evaluate("document.querySelector('#comparison details').open = true; 0");
        let wide = browser.too_wide();
        assert!(wide.is_empty(), "{wide}");
        browser.picture(&folder().join(format!("compared-{width}.png")));
    }
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}

#[test]
fn without_scripts_and_printed_the_answers_are_there() {
    let Some(mut browser) = browser() else { return };
    let path = report("still", &samples::program(100));
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": true}),
    );
    browser.load(&path);
    browser.resize(1440, 900, false);
    let text = browser.text("main");
    for expected in [
        "Scripts are off",
        "main_kernel_9",
        "Who holds the peak",
        "By phase",
        "is not fused",
    ] {
        assert!(text.contains(expected), "{expected}");
    }
    assert_eq!(browser.count("#roofline svg .point"), 50);
    browser.picture(&folder().join("still.png"));
    browser.call(
        "Emulation.setScriptExecutionDisabled",
        json!({"value": false}),
    );
    browser.open(&path);
    browser.go("#graph");
    let bytes = browser.print(&folder().join("printed.pdf"));
    assert!(bytes > 10_000, "{bytes}");
    browser.call("Emulation.setEmulatedMedia", json!({"media": "print"}));
    let shown = browser.evaluate(
        "[...document.querySelectorAll('main > section')].filter((it) => it.offsetHeight > 0).map((it) => it.id).join()",
    );
    assert_eq!(shown, json!("summary,kernels,roofline,memory,words"));
    assert!(browser.complaints.is_empty(), "{:#?}", browser.complaints);
}
