//! Profiles of invented slices.

use super::recorder::Recorded;
use super::*;
use halo_backend::CompileEvent;
use halo_runtime::run_observer::{Part, Site, Slice, Work};
use serde_json::Value;
use std::{
    thread,
    time::{Duration, Instant},
};

const NAME: &str = "a \"<b>\"\n\u{1b}[1m.mlir";

fn site(work: Work, name: &str, location: &str) -> Arc<Site> {
    Arc::new(Site {
        work,
        name: name.to_owned(),
        location: location.to_owned(),
        callers: Vec::new(),
        sources: vec!["p.mlir:1:1".to_owned()],
        bytes: Some(4_000_000),
    })
}

/// A slice of a site, `start` and `end` in milliseconds.
fn tell(recorder: &Recorder, site: &Arc<Site>, part: Part, (start, end): (u64, u64)) {
    let origin = Instant::now();
    let at = |time| origin + Duration::from_millis(time);
    RunObserver::observe(
        recorder,
        &Slice {
            site,
            part,
            start: at(start),
            end: at(end),
            has_failed: false,
        },
    );
}

fn trace(recorded: &Recorded, about: &About<'_>) -> Value {
    let sources = Sources::new("p.mlir", b"stablehlo.add \"x\"");
    let mut file = Vec::new();
    trace::write(recorded, &sources, about, &mut file).unwrap();
    serde_json::from_slice(&file).unwrap()
}

fn events<'a>(trace: &'a Value, category: &str) -> Vec<&'a Value> {
    let events = trace["traceEvents"].as_array().unwrap();
    let of_category = events.iter().filter(|event| event["cat"] == category);
    of_category.collect()
}

/// A run of a kernel with a task on another thread, and a function.
fn recorded() -> Recorded {
    let recorder = Recorder::default();
    let dot = site(Work::Kernel, "dot<&>", NAME);
    let fft = site(Work::CustomCall, "halo.fft", "a.mlir:2:3");
    recorder
        .run("run (not counted)", false, || {
            tell(&recorder, &dot, Part::Whole, (0, 50));
            Ok::<_, ()>(())
        })
        .unwrap();
    recorder
        .run("run", true, || {
            thread::scope(|scope| {
                scope.spawn(|| {
                    tell(&recorder, &dot, Part::Task { begin: 4, end: 8 }, (1, 3));
                });
            });
            tell(&recorder, &dot, Part::Task { begin: 0, end: 4 }, (1, 2));
            tell(&recorder, &dot, Part::Wait, (2, 3));
            tell(&recorder, &dot, Part::Whole, (0, 4));
            tell(&recorder, &dot, Part::Whole, (4, 8));
            tell(&recorder, &fft, Part::Whole, (8, 9));
            thread::sleep(Duration::from_millis(20));
            Ok::<_, ()>(())
        })
        .unwrap();
    recorder.recorded()
}

#[test]
fn names_of_any_kind_are_escaped() {
    let about = About {
        program: NAME,
        error: Some("\"</script>\""),
        ..About::default()
    };
    let trace = trace(&recorded(), &about);
    assert_eq!(trace["otherData"]["program"], NAME);
    assert_eq!(trace["otherData"]["error"], "\"</script>\"");
    let kernels = events(&trace, "kernel");
    assert_eq!(kernels.len(), 3);
    for kernel in kernels {
        assert_eq!(kernel["name"], "dot<&>");
        assert_eq!(kernel["args"]["location"], NAME);
        assert_eq!(kernel["args"]["bytes"], 4_000_000);
        assert_eq!(kernel["args"]["ops"], "add");
    }
}

#[test]
fn every_slice_is_on_the_track_of_its_thread() {
    // As in the tool, whose thread has no name.
    let recorded = std::thread::spawn(recorded).join().unwrap();
    let trace = trace(&recorded, &About::default());
    let tasks = events(&trace, "task");
    assert_eq!(tasks.len(), 2);
    assert_ne!(tasks[0]["tid"], tasks[1]["tid"]);
    assert_eq!(tasks[0]["args"]["end"], 4);
    assert_eq!(events(&trace, "wait").len(), 1);
    assert_eq!(events(&trace, "call")[0]["name"], "halo.fft");
    let runs = events(&trace, "run");
    let names: Vec<&str> = runs.iter().map(|run| run["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["run (not counted)", "run"]);
    let all = trace["traceEvents"].as_array().unwrap();
    let names = all.iter().filter(|event| event["name"] == "thread_name");
    let names: Vec<&str> = names.map(|event| event["args"]["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["main", "thread 1"]);
}

#[test]
fn what_fails_in_the_middle_is_there_up_to_that() {
    let recorder = Recorder::default();
    let observe = |event| CompileObserver::observe(&recorder, &event);
    observe(CompileEvent::CompilationStarted);
    observe(CompileEvent::PhaseStarted { name: "hlo" });
    observe(CompileEvent::PhaseFinished {
        name: "hlo/inserted",
        time: Duration::ZERO,
    });
    observe(CompileEvent::PhaseFinished {
        name: "hlo",
        time: Duration::ZERO,
    });
    observe(CompileEvent::PhaseStarted { name: "linalg" });
    observe(CompileEvent::CompilationFinished);
    let failed = recorder.run("run", true, || Err::<(), _>("it fails"));
    assert_eq!(failed, Err("it fails"));
    let trace = trace(&recorder.recorded(), &About::default());
    let steps = |category| -> Vec<(String, bool)> {
        let events = events(&trace, category).into_iter();
        events
            .map(|event| {
                let name = event["name"].as_str().unwrap().to_owned();
                (name, event["args"]["failed"] == true)
            })
            .collect()
    };
    let mut compilation = steps("compile");
    compilation.sort();
    let expected = [
        ("compilation", false),
        ("hlo", false),
        ("hlo/inserted", false),
        ("linalg", true),
    ];
    assert_eq!(
        compilation,
        expected.map(|(name, failed)| (name.to_owned(), failed))
    );
    assert_eq!(steps("run"), [("run".to_owned(), true)]);
}

fn summary(width: Option<u16>) -> String {
    let sources = Sources::new("p.mlir", b"stablehlo.add");
    summary::text(&recorded(), &sources, width)
}

#[test]
fn the_table_is_of_the_runs_that_count_and_adds_up() {
    let text = summary(None);
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[0][..4], ["total", "ms", "share", "count"]);
    let dot = &rows[1];
    assert_eq!(
        (dot[0], dot[2], dot[3], dot[4]),
        ("8.000", "2", "4000.00", "2")
    );
    // Two times 4 MB in 8 ms.
    assert_eq!((dot[5], dot[6], dot[7]), ("4.00", "1.00", "dot<&>"));
    assert_eq!(dot.last(), Some(&"add"));
    assert_eq!((rows[2][0], rows[2][7]), ("1.000", "@halo.fft"));
    let total = |row: &[&str]| row[0].parse::<f64>().unwrap();
    let (rest, all) = (&rows[3], &rows[4]);
    assert_eq!((rest[2], all[4]), ("(not", "(all"));
    let sum = total(dot) + total(&rows[2]) + total(rest);
    assert!((sum - total(all)).abs() < 0.01, "{text}");
    assert!(text.ends_with('\n') && text.contains("waiting for other threads: 1.000 ms"));
    // Escape sequences of names do not reach a terminal.
    assert!(!text.contains('\u{1b}'));
}

#[test]
fn sums_of_a_place_are_kept_for_each_run() {
    let recorder = Recorder::default();
    let dot = site(Work::Kernel, "dot", "a.mlir:1:1");
    let add = site(Work::Kernel, "add", "a.mlir:2:1");
    for run in 0..3 {
        recorder
            .run("run", true, || {
                tell(&recorder, &dot, Part::Task { begin: 0, end: 4 }, (0, 3));
                tell(&recorder, &dot, Part::Wait, (2, 3));
                tell(&recorder, &dot, Part::Whole, (0, 4 + run));
                if run == 1 {
                    tell(&recorder, &add, Part::Whole, (0, 7));
                }
                Ok::<_, ()>(())
            })
            .unwrap();
    }
    let totals = recorder.recorded().totals;
    let places = totals.by_place();
    let of_runs = |name: &str| {
        let place = places.iter().find(|place| place.site.name == name).unwrap();
        let times = place.of_runs.iter().map(Duration::as_millis);
        assert_eq!(place.of_runs.iter().sum::<Duration>(), place.time);
        (place.count, times.collect::<Vec<u128>>())
    };
    assert_eq!(of_runs("dot"), (3, vec![4, 5, 6]));
    assert_eq!(of_runs("add"), (1, vec![0, 7, 0]));
    assert_eq!(totals.waits, Duration::from_millis(3));
    assert_eq!(totals.of_runs.len(), 3);
}

#[test]
fn the_table_fits_terminals() {
    for width in [40, 60, 80, 100, 150, 300] {
        let text = summary(Some(width));
        let longest = text.lines().map(|line| line.chars().count()).max();
        let table = text.lines().filter(|line| !line.starts_with("within"));
        assert!(
            table.clone().all(|line| line.chars().count() <= usize::from(width)),
            "{width} {longest:?}\n{text}"
        );
        assert!(table.clone().any(|line| line.contains("dot<&>")));
    }
}

#[test]
fn without_runs_there_is_no_table_and_without_kernels_a_word_about_it() {
    let sources = Sources::new("", b"");
    let recorder = Recorder::default();
    assert_eq!(summary::text(&recorder.recorded(), &sources, None), "");
    recorder.run("run", true, || Ok::<_, ()>(())).unwrap();
    let text = summary::text(&recorder.recorded(), &sources, None);
    assert!(
        text.ends_with("the backend shows no kernels of this program\n"),
        "{text}"
    );
}

#[test]
fn outputs_are_files_or_the_word() {
    assert_eq!(output("summary"), Ok(Output::Summary));
    assert_eq!(output("./summary"), Ok(Output::Trace("./summary".into())));
    assert!(output("").is_err());
    assert!(output("-").is_err());
}
