//! The report of events with invented times.

use super::*;

fn millis(count: u64) -> Duration {
    Duration::from_millis(count)
}

/// Two phases of a compilation of 20 ms, with kernels on two threads, and a nested compilation.
fn state() -> State {
    let begin = Instant::now();
    let here = thread::current().id();
    let other = thread::spawn(|| thread::current().id()).join().unwrap();
    let mut state = State::default();
    let mut at =
        |time, thread, event: CompileEvent<'_>| state.note(&event, begin + millis(time), thread);
    at(0, here, CompileEvent::CompilationStarted);
    let hlo = CompileEvent::PhaseFinished {
        name: "hlo",
        time: millis(3),
    };
    at(3, here, hlo);
    at(4, here, CompileEvent::CompilationStarted);
    at(6, here, CompileEvent::CompilationFinished);
    at(6, here, CompileEvent::KernelsFound { count: 12 });
    for number in 0..12 {
        let thread = if number % 4 == 3 { other } else { here };
        let name = format!("kernel_{number}");
        let kernel = CompileEvent::KernelFinished {
            name: &name,
            time: millis(number + 1),
        };
        at(10, thread, kernel);
    }
    for (entry, hit) in [
        (CacheEntry::Program, false),
        (CacheEntry::Kernel, true),
        (CacheEntry::Kernel, false),
    ] {
        at(11, here, CompileEvent::CacheLookup { entry, hit });
    }
    at(20, here, CompileEvent::CompilationFinished);
    state
}

fn report() -> Report {
    Timing(Mutex::new(state())).report()
}

#[test]
fn a_table_shows_phases_threads_kernels_and_the_cache() {
    let expected = "    3.000 ms  hlo
   20.000 ms  total
kernels: 12, threads: 2
   54.000 ms  thread 0, 9 kernels
   24.000 ms  thread 1, 3 kernels
   12.000 ms  kernel_11 (thread 1)
   11.000 ms  kernel_10 (thread 0)
   10.000 ms  kernel_9 (thread 0)
    9.000 ms  kernel_8 (thread 0)
    8.000 ms  kernel_7 (thread 1)
    7.000 ms  kernel_6 (thread 0)
    6.000 ms  kernel_5 (thread 0)
    5.000 ms  kernel_4 (thread 0)
    4.000 ms  kernel_3 (thread 1)
    3.000 ms  kernel_2 (thread 0)
    3.000 ms  2 other kernels
cache: 0 of 1 programs found
cache: 1 of 2 kernels found
";
    assert_eq!(report().text(TimingFormat::Text), expected);
}

#[test]
fn json_is_one_object_on_one_line() {
    let text = report().text(TimingFormat::Json);
    assert_eq!(text.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        json["phases"],
        serde_json::json!([{"name": "hlo", "ms": 3.0}])
    );
    assert_eq!(json["kernels"].as_array().unwrap().len(), 12);
    assert_eq!(
        json["kernels"][0],
        serde_json::json!({"name": "kernel_11", "ms": 12.0, "thread": 1})
    );
    assert_eq!(
        json["cache"],
        serde_json::json!({
            "programs": {"hits": 0, "misses": 1},
            "kernels": {"hits": 1, "misses": 1},
        })
    );
    assert_eq!(json["total_ms"], 20.0);
    assert_eq!(json.as_object().unwrap().len(), 4);
}

#[test]
fn names_are_escaped() {
    let mut state = State::default();
    let name = "a\"\n\u{7f}ü";
    let event = CompileEvent::PhaseFinished {
        name,
        time: millis(1),
    };
    state.note(&event, Instant::now(), thread::current().id());
    let text = Timing(Mutex::new(state)).report().text(TimingFormat::Json);
    assert_eq!(text.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["phases"][0]["name"], name);
}
