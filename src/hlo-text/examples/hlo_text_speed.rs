//! The speed of reading and printing texts: `cargo run --release -p halo-hlo-text --example
//! hlo_text_speed`. On Linux it reports CPU time, independent of other load.

use std::{fmt::Write, time::Instant};

use halo_hlo_text::parse;

/// Bytes of text.
const SIZE: usize = 8 << 20;

fn main() {
    let texts = [
        ("instructions", instructions()),
        ("instructions with metadata", metadata()),
        ("one constant", constant()),
        ("one constant of small integers", integers()),
    ];
    // An argument selects one of them.
    let chosen = std::env::args().nth(1).unwrap_or_default();
    for (what, text) in texts {
        if what.contains(&chosen) {
            measure(what, &text);
        }
    }
}

fn measure(what: &str, text: &str) {
    let megabytes = text.len() as f64 / 1e6;
    let start = Clock::now();
    let module = match parse(text) {
        Ok(module) => module,
        Err(error) => return eprintln!("{error}"),
    };
    let read = start.elapsed();
    let start = Clock::now();
    let printed = module.to_string().len() as f64 / 1e6;
    let print = start.elapsed();
    println!(
        "{what}: {megabytes:.1} MB read in {read:.3} s ({:.0} MB/s), printed in {print:.3} s ({:.0} MB/s)",
        megabytes / read,
        printed / print
    );
}

fn instructions() -> String {
    let mut text = "HloModule m\n\nENTRY %main (p: f32[256,768]) -> f32[256,768] {\n  %x.0 = f32[256,768]{1,0} parameter(0)\n".to_owned();
    for number in 1.. {
        if text.len() > SIZE {
            break;
        }
        let (last, next) = (number - 1, number);
        let _ = match number % 3 {
            0 => writeln!(
                text,
                "  %x.{next} = f32[256,768]{{1,0}} add(%x.{last}, %x.0)"
            ),
            1 => writeln!(
                text,
                "  %x.{next} = f32[256,768]{{1,0}} transpose(f32[256,768]{{1,0}} %x.{last}), dimensions={{0,1}}"
            ),
            _ => writeln!(
                text,
                "  %x.{next} = f32[256,768]{{1,0}} fusion(%x.{last}, %x.0), kind=kLoop, calls=%f"
            ),
        };
    }
    text.push_str("}\n\n%f {\n  ROOT %x = f32[] parameter(0)\n}\n");
    text
}

fn metadata() -> String {
    let mut text =
        "HloModule m\n\nENTRY %main {\n  %x.0 = f32[256,768]{1,0} parameter(0)\n".to_owned();
    for number in 1.. {
        if text.len() > SIZE {
            break;
        }
        let last = number - 1;
        let _ = writeln!(
            text,
            "  %x.{number} = f32[256,768]{{1,0}} exponential(%x.{last}), sharding={{devices=[2,1]<=[2]}}, metadata={{op_name=\"jit(f)/layer_{number}/exp\" source_file=\"model.py\" source_line={number} source_end_line={number} source_column=1 source_end_column=20}}"
        );
    }
    text.push_str("}\n");
    text
}

fn constant() -> String {
    let mut elements = String::new();
    let mut count = 0;
    while elements.len() < SIZE {
        let _ = write!(elements, "{}, ", (count as f32).sin());
        count += 1;
    }
    let elements = elements.trim_end_matches(", ");
    format!("ENTRY main {{\n  c = f32[{count}] constant({{{elements}}})\n}}")
}

fn integers() -> String {
    let mut elements = String::new();
    let mut count = 0;
    while elements.len() < SIZE {
        let _ = write!(elements, "{{ {}, {} }}, ", count % 7, -(count % 100));
        count += 1;
    }
    let elements = elements.trim_end_matches(", ");
    format!("ENTRY main {{\n  c = s32[{count},2] constant({{ {elements} }})\n}}")
}

/// The time of this process on a processor, or else on the wall.
struct Clock {
    wall: Instant,
    processor: Option<u64>,
}

impl Clock {
    fn now() -> Self {
        Self {
            wall: Instant::now(),
            processor: processor_time(),
        }
    }

    /// In seconds.
    fn elapsed(&self) -> f64 {
        match (self.processor, processor_time()) {
            (Some(start), Some(end)) => (end - start) as f64 / 1e9,
            _ => self.wall.elapsed().as_secs_f64(),
        }
    }
}

/// In nanoseconds.
fn processor_time() -> Option<u64> {
    let times = std::fs::read_to_string("/proc/self/schedstat").ok()?;
    times.split(' ').next()?.parse().ok()
}
