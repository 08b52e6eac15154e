//! Prints the probabilities of ten classes for each image of a folder, with the loops of the
//! program on two threads.
//!
//! ```sh
//! cargo run --release -- ../../mlp
//! ```

/// What `build.rs` has made of `mlp.mlir`.
mod mlp {
    include!(concat!(env!("OUT_DIR"), "/mlp.rs"));
}

use mlp::{Aligned, Arena, Arguments, Element, Runtime};
use std::path::Path;
use std::{error::Error, io, process::ExitCode, thread};

/// The elements of a `.npy` file of `f32`.
fn read<T: Element<Number = f32>>(folder: &Path, name: &str) -> io::Result<Box<Aligned<T>>> {
    let wrong = || io::Error::other(format!("{name}.npy has another size"));
    let bytes = std::fs::read(folder.join(format!("{name}.npy")))?;
    let start = bytes.get(8..10).ok_or_else(wrong)?;
    let start = 10 + usize::from(u16::from_le_bytes([start[0], start[1]]));
    let (numbers, rest) = bytes.get(start..).ok_or_else(wrong)?.as_chunks::<4>();
    let numbers: Vec<f32> = numbers.iter().copied().map(f32::from_le_bytes).collect();
    let values = Aligned::copy_of(&numbers).filter(|_| rest.is_empty());
    values.ok_or_else(wrong)
}

/// Runs the first half of a loop on another thread.
fn on_two_threads(count: i64, grain: i64, body: &(dyn Fn(i64, i64) + Sync)) {
    let grains = count / grain;
    let half = grains / 2 * grain;
    thread::scope(|scope| {
        if half > 0 {
            scope.spawn(|| body(0, half));
        }
        body(half, count);
    });
}

fn classify(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut probabilities = Aligned([[0.0; 10]; 4]);
    let arguments = Arguments {
        images: &*read(folder, "images")?,
        hidden_weights: &*read(folder, "hidden_weights")?,
        hidden_bias: &*read(folder, "hidden_bias")?,
        output_weights: &*read(folder, "output_weights")?,
        output_bias: &*read(folder, "output_bias")?,
        probabilities: &mut probabilities,
    };
    let runtime = Runtime {
        parallel_for: Some(&on_two_threads),
        ..Runtime::default()
    };
    mlp::run(arguments, &mut Arena::zeroed(), &runtime)?;
    for image in *probabilities {
        println!("{}", image.map(|value| format!("{value:.6}")).join(" "));
    }
    Ok(())
}

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1) else {
        eprintln!("usage: classify FOLDER");
        return ExitCode::FAILURE;
    };
    match classify(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
