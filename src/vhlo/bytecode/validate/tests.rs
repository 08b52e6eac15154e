//! Files made by hand, each with one fault that MLIR's reader does not check.

use super::super::emitter::Emitter;
use super::validate;
use crate::bytecode::format::{MAGIC, mask, section};

/// The strings of every file: a dialect, an op, a key.
const STRINGS: [&str; 3] = ["builtin", "op", "key"];

/// The bytes that a function writes.
fn bytes(write: impl FnOnce(&mut Emitter)) -> Vec<u8> {
    let mut emitter = Emitter::default();
    write(&mut emitter);
    emitter.bytes
}

/// An entry or an op that consists of numbers.
fn numbers(numbers: &[u64]) -> Vec<u8> {
    bytes(|entry| numbers.iter().for_each(|number| entry.number(*number)))
}

/// The modifications of a file by a test.
struct File {
    attributes: Vec<Vec<u8>>,
    types: Vec<Vec<u8>>,
    /// The size field of the attribute group.
    group: u64,
    /// The length of the first string, including its terminating zero.
    string: u64,
    operations: Vec<u8>,
}

impl File {
    /// A file with the location `unknown`, the type `i32` and no op.
    fn new() -> Self {
        Self {
            attributes: vec![numbers(&[15])],
            types: vec![numbers(&[0, 32 << 2])],
            group: 0,
            string: STRINGS[0].len() as u64 + 1,
            operations: numbers(&[0]),
        }
    }

    fn attribute(mut self, entry: Vec<u8>) -> Self {
        self.attributes.push(entry);
        self
    }

    fn ty(mut self, entry: Vec<u8>) -> Self {
        self.types.push(entry);
        self
    }

    /// Adds one region of one block, whose ops have these bytes.
    fn region(mut self, values: u64, count: u64, operations: &[u8]) -> Self {
        self.operations = bytes(|ir| {
            ir.number(1 << 1);
            ir.number(0);
            ir.byte(mask::REGIONS);
            ir.number(0);
            ir.number(1 << 1);
            ir.number(1);
            ir.number(values);
            ir.number(count << 1);
            ir.raw(operations);
        });
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let strings = bytes(|content| {
            content.number(STRINGS.len() as u64);
            for text in STRINGS.iter().skip(1).rev() {
                content.number(text.len() as u64 + 1);
            }
            content.number(self.string);
            STRINGS.iter().for_each(|text| {
                content.raw(text.as_bytes());
                content.byte(0);
            });
        });
        // One dialect, and one unregistered op.
        let dialects = numbers(&[1, 0, 1, 0, 1, 1 << 1]);
        let offsets = bytes(|content| {
            content.number(self.attributes.len() as u64);
            content.number(self.types.len() as u64);
            for (entries, more) in [(&self.attributes, self.group), (&self.types, 0)] {
                content.number(0);
                content.number(entries.len() as u64 + more);
                entries.iter().for_each(|entry| content.flagged(entry.len() as u64, true));
            }
        });
        let entries = [self.attributes.concat(), self.types.concat()].concat();
        bytes(|file| {
            file.raw(MAGIC);
            file.number(6);
            file.raw(b"test\0");
            for (number, content) in [
                (section::STRINGS, &strings),
                (section::DIALECTS, &dialects),
                (section::OFFSETS, &offsets),
                (section::ATTRIBUTES, &entries),
                (section::IR, &self.operations),
                (section::PROPERTIES, &numbers(&[0])),
            ] {
                file.aligned_section(number, content, 1);
            }
        })
    }

    fn check(&self) -> Result<(), String> {
        validate(&self.bytes()).map_err(|error| error.to_string())
    }

    #[track_caller]
    fn refused(&self, message: &str) {
        let error = self.check().expect_err("a fault");
        assert!(error.contains(message), "{error}");
    }
}

/// `tensor<2xi32>`, and elements of it.
fn elements(data: &[u8]) -> File {
    let tensor = bytes(|entry| {
        entry.number(13);
        entry.signed_list(&[2]);
        entry.number(0);
    });
    let elements = bytes(|entry| {
        entry.number(18);
        entry.number(1);
        entry.blob(data);
    });
    File::new().ty(tensor).attribute(elements)
}

/// An op with one result, and one that uses it twice, with a use-list order.
fn uses(order: &[u64]) -> File {
    let operations = bytes(|ir| {
        ir.number(0);
        ir.byte(mask::RESULTS | mask::USE_LIST_ORDERS);
        for number in [0, 1, 0] {
            ir.number(number);
        }
        order.iter().for_each(|number| ir.number(*number));
        ir.number(0);
        ir.byte(mask::OPERANDS);
        for number in [0, 2, 0, 0] {
            ir.number(number);
        }
    });
    File::new().region(1, 2, &operations)
}

#[test]
fn what_is_right_is_accepted() {
    assert_eq!(File::new().check(), Ok(()));
    assert_eq!(elements(&[0; 8]).check(), Ok(()));
    // One for all.
    assert_eq!(elements(&[0; 4]).check(), Ok(()));
    assert_eq!(uses(&[2 << 1, 1, 0]).check(), Ok(()));
    assert_eq!(uses(&[4 << 1 | 1, 0, 1, 1, 0]).check(), Ok(()));
}

#[test]
fn tables_are_as_large_as_they_say() {
    let mut file = File::new();
    file.group = 5;
    file.refused("6 attributes do not fit into 4 bytes");
    let mut file = File::new();
    file.string = 0;
    file.refused("a string needs a zero at its end");
}

#[test]
fn nothing_contains_itself() {
    // An array of itself, and a tuple.
    File::new().attribute(numbers(&[0, 1, 1])).refused("contains itself");
    File::new().ty(numbers(&[15, 1, 1])).refused("contains itself");
}

#[test]
fn elements_are_as_many_as_their_type_says() {
    elements(&[0; 7]).refused("7 bytes for 2 elements");
    elements(&[0; 12]).refused("12 bytes for 2 elements");
    // `array<i32>` of three elements in four bytes.
    let array = bytes(|entry| {
        for number in [17, 0, 3] {
            entry.number(number);
        }
        entry.blob(&[0; 4]);
    });
    File::new().attribute(array).refused("4 bytes for 3 elements");
}

#[test]
fn numbers_fit_their_type() {
    let integer = |value| {
        bytes(|entry| {
            entry.number(8);
            entry.number(0);
            entry.signed(value);
        })
    };
    assert_eq!(File::new().attribute(integer(0xffff_ffff)).check(), Ok(()));
    File::new().attribute(integer(1 << 32)).refused("a number of more than 32 bits");
    File::new().attribute(integer(-1)).refused("a number of more than 32 bits");
}

#[test]
fn types_keep_the_rules_of_their_verifiers() {
    let shaped = |code, sizes: &[i64], element| {
        bytes(|entry| {
            entry.number(code);
            entry.signed_list(sizes);
            entry.number(element);
        })
    };
    let with = |entry| File::new().ty(entry);
    assert_eq!(with(shaped(13, &[0, i64::MIN], 0)).check(), Ok(()));
    with(shaped(13, &[-1], 0)).refused("a dimension of -1");
    with(shaped(19, &[0], 0)).refused("a vector with a dimension of 0");
    let tensor = with(shaped(13, &[2], 0));
    tensor.ty(shaped(13, &[2], 1)).refused("a tensor of an invalid element type");
    with(numbers(&[0, 32 << 2 | 3])).refused("there is no integer");
    with(numbers(&[9, 1])).refused("contains itself");
    with(numbers(&[12])).ty(numbers(&[9, 1])).refused("a complex type");
    with(numbers(&[99])).refused("type 99 of dialect 'builtin' is not known");
}

#[test]
fn keys_are_names_and_there_once() {
    let key = numbers(&[2, 2]);
    let once = File::new().attribute(key.clone()).attribute(numbers(&[1, 1, 1, 0]));
    assert_eq!(once.check(), Ok(()));
    let twice = File::new().attribute(key).attribute(numbers(&[1, 2, 1, 0, 1, 0]));
    twice.refused("two values for one key");
    File::new()
        .attribute(numbers(&[1, 1, 0, 0]))
        .refused("a key that is not a name");
}

#[test]
fn orders_of_uses_are_permutations() {
    uses(&[2 << 1, 1, 1]).refused("not a permutation");
    uses(&[2 << 1, 0, 7]).refused("not a permutation");
    uses(&[1 << 1, 0]).refused("not a permutation");
    uses(&[2 << 1 | 1, 9, 0]).refused("not a permutation");
    uses(&[3 << 1 | 1, 0, 1, 1]).refused("not a permutation");
    uses(&[100 << 1]).refused("100 uses do not fit");
}

#[test]
fn regions_hold_what_they_say() {
    let value = bytes(|ir| {
        ir.number(0);
        ir.byte(mask::RESULTS);
        for number in [0, 1, 0] {
            ir.number(number);
        }
    });
    assert_eq!(File::new().region(1, 1, &value).check(), Ok(()));
    let two = [value.clone(), value.clone()].concat();
    File::new().region(1, 2, &two).refused("more values than the region");
    File::new().region(1 << 40, 1, &value).refused("values do not fit");
    File::new().region(1, 2, &value).refused("expected the name of an op");
}

/// Changing any byte results in success or an error, without large allocations.
#[test]
fn any_bytes_are_survived() {
    let original = uses(&[2 << 1, 1, 0]).attribute(numbers(&[2, 2])).bytes();
    for at in 0..original.len() {
        for byte in [0, 1, 2, 3, 4, 0x11, 0x7f, 0x80, 0xfe, 0xff] {
            let mut bytes = original.clone();
            bytes[at] = byte;
            _ = validate(&bytes);
        }
        _ = validate(&original[..at]);
    }
}
