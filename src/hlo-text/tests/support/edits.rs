//! Texts with random edits, each by its number.

use halo_core::random::Generator;
use halo_hlo_text::{PrintOptions, parse};

/// The texts that edits begin with.
pub const CORPUS: &[&str] = &[
    include_str!("../data/async_ops.hlo"),
    include_str!("../data/attributes.hlo"),
    include_str!("../data/attributes.short.hlo"),
    include_str!("../data/control_flow.hlo"),
    include_str!("../data/literals.hlo"),
    include_str!("../data/parallelism.hlo"),
    include_str!("../data/proto.hlo"),
    include_str!("../data/proto.textproto"),
    include_str!("../data/shapes.hlo"),
];

/// Pieces of text that mean something to the parser.
const TOKENS: &[&str] = &[
    "HloModule ",
    "ENTRY ",
    "ROOT ",
    "%",
    "=",
    ",",
    ":",
    "->",
    "<=",
    "?",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "{{",
    "}}",
    "((((((((((",
    "{{{{{{{{{{",
    "\"",
    "'",
    "\\",
    "/*",
    "*/",
    "//",
    "#",
    "...",
    "0",
    "-1",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "99999999999999999999999999",
    "1e999",
    "0x1p9999",
    "nan",
    "-nan(0x1)",
    "inf",
    "-inf",
    "true",
    "f32[",
    "f32[]",
    "s4[99999999]",
    "pred[2]",
    "c64[1]{0}",
    "token[]",
    "opaque[]",
    "b(f32[2])",
    "{1,0:T(8,128)S(1)}",
    "f32[4294967296,4294967296]",
    "add(",
    "constant(",
    "parameter(0)",
    "tuple(",
    "fusion(",
    "negate-start(",
    ", to_apply={",
    ", calls=",
    ", window={size=",
    ", dim_labels=",
    ", sharding={",
    ", replica_groups=",
    "mesh['a'=2]",
    ", metadata={",
    ", backend_config={",
    ", literal=f32[] ",
    ", domain={",
    ", slice={[",
    ", padding=",
    ", new=",
    "FileNames\n",
    "StackFrames\n",
    "// -----\n",
    "hlo_module {",
    "name: ",
    "shape { ",
    "\u{feff}",
    "é",
    "\0",
];

/// The text of a number.
pub fn text(number: u64) -> String {
    let mut generator = Generator::new(number);
    let mut below = move |limit: usize| (generator.bits() % limit.max(1) as u64) as usize;
    let mut text = CORPUS[below(CORPUS.len())].as_bytes().to_vec();
    if below(8) == 0 {
        let start = below(text.len());
        text.drain(..start);
    }
    let edits = [1, 1, 1, 2, 3, 5];
    for _ in 0..edits[below(edits.len())] {
        let at = below(text.len() + 1);
        let length = below(16).min(text.len() - at);
        match below(8) {
            0 => drop(text.drain(at..at + length)),
            1 | 2 => {
                let token = TOKENS[below(TOKENS.len())].bytes();
                text.splice(at..at + length, token);
            }
            3 => {
                // The same again, many times.
                let piece = text[at..at + length].repeat(below(300));
                text.splice(at..at, piece);
            }
            4 => {
                if let Some(byte) = text.get_mut(at) {
                    *byte = below(256) as u8;
                }
            }
            5 => text.truncate(at),
            6 => {
                // A chunk from elsewhere.
                let other = CORPUS[below(CORPUS.len())].as_bytes();
                let from = below(other.len());
                let to = (from + below(200)).min(other.len());
                text.splice(at..at, other[from..to].iter().copied());
            }
            _ => {
                // Two chunks are swapped.
                let other = below(text.len() + 1);
                let length = length.min(text.len() - other);
                for offset in 0..length {
                    text.swap(at + offset, other + offset);
                }
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// Parses a text. Valid HLO is printed, and reads back as the same.
pub fn check(text: &str) {
    let module = match parse(text) {
        Ok(module) => module,
        Err(error) => {
            assert!(!error.message.is_empty() && error.line > 0 && error.column > 0);
            return;
        }
    };
    let printed = module.to_string();
    match parse(&printed) {
        Ok(again) => assert!(again == module, "this reads back as another:\n{printed}"),
        Err(error) => panic!("this does not read back: {error}\n{printed}"),
    }
    let short = module.print(&PrintOptions::short());
    if let Err(error) = parse(&short) {
        panic!("this does not read back: {error}\n{short}");
    }
}
