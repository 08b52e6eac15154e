//! Constants in a file: valid ones are shared by two threads, and others are rejected.

mod table {
    include!(env!("TABLE"));
}

use std::path::Path;
use table::{Aligned, Arena, Arguments, Constants, ConstantsError, Runtime};

/// The values are integers, so that sums are exact.
fn expected(row: usize, column: usize) -> f32 {
    let products = (0..64_i32).map(|k| {
        let weight = (3 * k + 5 * column as i32) % 17 - 8;
        (row as i32 + k) % 5 * weight
    });
    (products.sum::<i32>() + (row as i32 * 64 + column as i32) % 13) as f32
}

fn run(constants: &Constants<'_>) {
    let x = std::array::from_fn(|row| std::array::from_fn(|k| ((row + k) % 5) as f32));
    let x = Aligned::<[[f32; 64]; 16]>(x);
    let mut output = Aligned([[0.0; 64]; 16]);
    let arguments = Arguments {
        x: &x,
        output: &mut output,
    };
    table::run(
        arguments,
        constants,
        &mut Arena::zeroed(),
        &Runtime::default(),
    )
    .unwrap();
    for (row, values) in output.iter().enumerate() {
        for (column, value) in values.iter().enumerate() {
            assert_eq!(*value, expected(row, column), "{row} {column}");
        }
    }
}

fn main() {
    let folder = std::env::args().nth(1).unwrap();
    let path = |name: &str| Path::new(&folder).join(name);
    let constants = Constants::open(path("table.weights")).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| run(&constants));
        run(&constants);
    });
    drop(constants);
    run(&Constants::open_lazily(path("table.weights")).unwrap());

    let refused = |name: &str| Constants::open(path(name)).err().unwrap();
    assert!(matches!(refused("none.weights"), ConstantsError::File(_)));
    assert!(matches!(refused("empty.weights"), ConstantsError::TooShort));
    assert!(matches!(refused("short.weights"), ConstantsError::TooShort));
    assert!(matches!(refused("magic.weights"), ConstantsError::Wrong));
    assert!(matches!(refused("other.weights"), ConstantsError::Wrong));
    assert!(matches!(refused("damaged.weights"), ConstantsError::Damaged));
    assert!(Constants::open_lazily(path("damaged.weights")).is_ok());
    println!("{}", refused("other.weights"));

    let mut memory = Box::new(Aligned([0; table::CONSTANTS_SIZE + 64]));
    let bytes = std::fs::read(path("table.weights")).unwrap();
    memory[..bytes.len()].copy_from_slice(&bytes);
    run(&Constants::of(&memory[..]).unwrap());
    let refused = |bytes: &[u8]| Constants::of(bytes).err().unwrap();
    assert!(matches!(refused(&memory[4..]), ConstantsError::Misaligned));
    let short = &memory[..table::CONSTANTS_SIZE - 1];
    assert!(matches!(refused(short), ConstantsError::TooShort));
}
