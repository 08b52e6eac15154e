//! Cases by number: generated programs, and edits of a corpus.

use crate::{
    generate::{self, Mesh, Precision, dynamic::Sizes},
    pick::Pick,
};
use std::path::Path;

/// The expected outcome of a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A valid program with the same results on all backends.
    Valid,
    /// A valid program whose tensors are sharded along the axes of a mesh, with the same results
    /// when it is partitioned.
    Divided(Mesh),
    /// A valid program of dynamic shape, with the same results as on the interpreter in three runs
    /// of one code.
    AllShapes([Sizes; 3]),
    /// Arbitrary text; it must be rejected or run, without a crash.
    Hostile,
    /// A text that is converted to bytecode and then edited.
    Bytecode,
    /// A text that is converted to a portable artifact and then edited.
    Artifact,
}

/// One case.
pub struct Case {
    pub kind: Kind,
    pub code: Vec<u8>,
    /// The precision of the results of a valid program.
    pub results: Vec<Precision>,
    /// A program that returns the arguments of a partitioned one.
    pub arguments: Vec<u8>,
    /// The results of a partitioned program without a sharding.
    pub open_results: Vec<bool>,
    /// Random choices for the worker.
    pub pick: Pick,
}

/// The programs that edits start from.
pub struct Corpus {
    programs: Vec<Vec<u8>>,
    /// Generate only valid programs.
    valid: bool,
    /// Generate only valid programs that are partitioned.
    divided: bool,
    /// Generate only valid programs of dynamic shape.
    all_shapes: bool,
    /// The only kind of cases to generate, if not all.
    only: Option<Kind>,
}

/// Tokens of the parser.
pub const TOKENS: &[&str] = &[
    "stablehlo.",
    "chlo.",
    "check.",
    "tensor<",
    "?",
    "x",
    "f32",
    "i64",
    "i1",
    "ui8",
    "bf16",
    "complex<f32>",
    "!quant.uniform<i8:f32, 1.0:0>",
    "dense<",
    "array<i64: ",
    "-1",
    "0",
    "1",
    "9223372036854775807",
    "-9223372036854775808",
    "4294967296",
    "0x7FC00000",
    "0xFFFFFFFF",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "<",
    ">",
    ",",
    ":",
    "->",
    "=",
    "%0",
    "%arg0",
    "#stablehlo.bounds<",
    "!stablehlo.token",
    "tuple<",
    "^bb0",
    "\"",
    "dim = ",
    "dims = [",
    "func.return",
    "stablehlo.return",
    "index",
    "none",
    "#stablehlo.",
    "@f",
    "dense_resource<a>",
    "affine_map<",
];

impl Corpus {
    /// The parts of all `.mlir` files below a folder, for cases of one kind or of all.
    pub fn read(folder: &Path, only: Option<Kind>) -> Self {
        let mut programs = Vec::new();
        collect(folder, &mut programs);
        Self {
            programs,
            valid: false,
            divided: false,
            all_shapes: false,
            only,
        }
    }

    /// An empty corpus: every case is a valid program.
    pub fn valid() -> Self {
        Self {
            programs: Vec::new(),
            valid: true,
            divided: false,
            all_shapes: false,
            only: None,
        }
    }

    /// An empty corpus: every case is a partitioned program.
    pub fn divided() -> Self {
        Self {
            divided: true,
            ..Self::valid()
        }
    }

    /// An empty corpus: every case is a program of dynamic shape.
    pub fn all_shapes() -> Self {
        Self {
            all_shapes: true,
            ..Self::valid()
        }
    }

    /// All programs.
    pub fn programs(&self) -> &[Vec<u8>] {
        &self.programs
    }

    /// The case with a number.
    pub fn case(&self, number: u64) -> Case {
        let mut pick = Pick::new(number);
        if self.divided {
            let divided = generate::divided(&mut pick);
            return Case {
                kind: Kind::Divided(divided.mesh),
                code: divided.program.text.into_bytes(),
                results: divided.program.results,
                arguments: divided.arguments.into_bytes(),
                open_results: divided.open_results,
                pick,
            };
        }
        if self.all_shapes {
            let (program, sizes) = generate::dynamic::program(&mut pick);
            return Case {
                kind: Kind::AllShapes(sizes),
                code: program.text.into_bytes(),
                results: program.results,
                arguments: Vec::new(),
                open_results: Vec::new(),
                pick,
            };
        }
        if self.valid {
            let program = generate::program(&mut pick);
            return Case {
                kind: Kind::Valid,
                code: program.text.into_bytes(),
                results: program.results,
                arguments: Vec::new(),
                open_results: Vec::new(),
                pick,
            };
        }
        let generated = pick.once_in(3) || self.programs.is_empty();
        let (mut code, results) = if generated {
            let program = generate::program(&mut pick);
            (program.text.into_bytes(), program.results)
        } else {
            (pick.one(&self.programs).clone(), Vec::new())
        };
        let kind = match (generated, pick.below(8)) {
            _ if self.only.is_some() => self.only.unwrap_or(Kind::Hostile),
            (true, 0..=5) => Kind::Valid,
            (_, 7) => Kind::Bytecode,
            (_, 6) => Kind::Artifact,
            _ => Kind::Hostile,
        };
        if kind == Kind::Hostile {
            edit(&mut code, &mut pick, &self.programs, TOKENS);
        }
        Case {
            kind,
            code,
            results,
            arguments: Vec::new(),
            open_results: Vec::new(),
            pick,
        }
    }
}

fn collect(folder: &Path, programs: &mut Vec<Vec<u8>>) {
    let Ok(entries) = folder.read_dir() else {
        return;
    };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            collect(&path, programs);
        } else if path.extension().is_some_and(|extension| extension == "mlir")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            let parts = text.split("// -----").filter(|part| part.contains("func"));
            programs.extend(parts.map(|part| part.as_bytes().to_vec()));
        }
    }
}

/// Edits a text at a few random positions; `tokens` are tokens of its parser.
pub fn edit(code: &mut Vec<u8>, pick: &mut Pick, others: &[Vec<u8>], tokens: &[&str]) {
    for _ in 0..=pick.below(4) {
        let at = pick.below(code.len() + 1);
        let length = pick.below(12).min(code.len() - at);
        match pick.below(8) {
            0 => drop(code.drain(at..at + length)),
            1 | 2 => {
                let token = pick.one(tokens).as_bytes().to_vec();
                code.splice(at..at + length, token);
            }
            3 => {
                let copy = code[at..at + length].to_vec();
                let to = pick.below(code.len() + 1);
                code.splice(to..to, copy);
            }
            4 => change_number(code, at, pick),
            5 => {
                if let Some(byte) = code.get_mut(at) {
                    *byte = pick.below(256) as u8;
                }
            }
            6 => swap_lines(code, pick),
            _ => {
                if !others.is_empty() {
                    let other = pick.one(others);
                    let lines: Vec<&[u8]> = other.split(|byte| *byte == b'\n').collect();
                    let line = [b"\n", *pick.one(&lines), b"\n"].concat();
                    let at = line_start(code, at);
                    code.splice(at..at, line);
                }
            }
        }
    }
}

/// Edits bytes at a few random positions, not before `start`.
pub fn edit_bytes(code: &mut Vec<u8>, pick: &mut Pick, start: usize) {
    const NUMBERS: [&[u8]; 6] = [
        &[0],
        &[0xff],
        // Numbers of eight and of two bytes, in bytecode's encoding.
        &[0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
        &[0xfe, 0xff],
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01],
    ];
    for _ in 0..=pick.below(5) {
        let Some(length) = code.len().checked_sub(start + 1) else {
            return;
        };
        let at = start + pick.below(length + 1);
        let size = pick.below(8).min(code.len() - at);
        match pick.below(9) {
            0..=2 => code[at] ^= 1 << pick.below(8),
            3 | 4 => code[at] = pick.below(256) as u8,
            5 => drop(code.drain(at..at + size)),
            6 => {
                let copy = code[at..at + size].to_vec();
                let to = start + pick.below(code.len() - start + 1);
                code.splice(to..to, copy);
            }
            7 => {
                let number = *pick.one(&NUMBERS);
                code.splice(at..at + size.min(number.len()), number.iter().copied());
            }
            // Keep most of the remaining bytes, so that the beginning is parsed.
            _ if pick.once_in(4) => code.truncate(at),
            _ => code[at] = code[at].wrapping_add(2),
        }
    }
}

fn line_start(code: &[u8], at: usize) -> usize {
    let before = code[..at].iter().rposition(|byte| *byte == b'\n');
    before.map_or(0, |position| position + 1)
}

/// Replaces the number after a position.
fn change_number(code: &mut Vec<u8>, at: usize, pick: &mut Pick) {
    let Some(start) = code[at..].iter().position(u8::is_ascii_digit) else {
        return;
    };
    let start = at + start;
    let digits = code[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let numbers = [
        "0",
        "1",
        "2",
        "3",
        "7",
        "65536",
        "2147483648",
        "9223372036854775807",
        "-1",
    ];
    let number = pick.one(&numbers).as_bytes().to_vec();
    code.splice(start..start + digits, number);
}

fn swap_lines(code: &mut Vec<u8>, pick: &mut Pick) {
    let mut lines: Vec<Vec<u8>> = code.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (pick.below(lines.len()), pick.below(lines.len()));
    lines.swap(a, b);
    *code = lines.join(&b'\n');
}
