//! The header of a `.npy` file: a magic, a version, and the text of a Python
//! dictionary of three entries.

use std::io::Read;

const MAGIC: &[u8; 6] = b"\x93NUMPY";

/// The largest accepted header; numpy's limit is far below.
const MAX_HEADER: usize = 1 << 20;

/// The kind of numbers in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bool,
    Signed,
    Unsigned,
    Float,
    Complex,
    /// Raw bytes.
    Void,
}

#[derive(Debug, PartialEq)]
pub(super) struct Header {
    pub descr: String,
    pub kind: Kind,
    pub item_size: usize,
    pub big_endian: bool,
    pub fortran_order: bool,
    pub shape: Vec<usize>,
}

impl Header {
    pub fn read(source: &mut impl Read) -> Result<Self, String> {
        let mut start = [0; 8];
        source
            .read_exact(&mut start)
            .map_err(|_| "not an .npy file: too short".to_owned())?;
        if start[..6] != *MAGIC {
            return Err("not an .npy file".to_owned());
        }
        let ends = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::UnexpectedEof => "the file ends within its header".to_owned(),
            _ => error.to_string(),
        };
        let length = match start[6] {
            1 => {
                let mut length = [0; 2];
                source.read_exact(&mut length).map_err(ends)?;
                u16::from_le_bytes(length).into()
            }
            2 | 3 => {
                let mut length = [0; 4];
                source.read_exact(&mut length).map_err(ends)?;
                u32::from_le_bytes(length) as usize
            }
            version => return Err(format!("unknown .npy format version {version}")),
        };
        if length > MAX_HEADER {
            return Err(format!("a header of {length} bytes is too long"));
        }
        let mut text = vec![0; length];
        source.read_exact(&mut text).map_err(ends)?;
        Self::parse(&String::from_utf8_lossy(&text))
    }

    pub fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text };
        let mut descr = None;
        let mut fortran_order = None;
        let mut shape = None;
        parser.expect("{")?;
        while !parser.accept("}") {
            let key = parser.string()?;
            parser.expect(":")?;
            match key.as_str() {
                "descr" => descr = Some(parser.descr()?),
                "fortran_order" => fortran_order = Some(parser.boolean()?),
                "shape" => shape = Some(parser.shape()?),
                _ => return Err(format!("unknown entry '{key}' in the header")),
            }
            if !parser.accept(",") {
                parser.expect("}")?;
                break;
            }
        }
        let missing = |name| move || format!("the header has no '{name}'");
        let descr = descr.ok_or_else(missing("descr"))?;
        let (kind, item_size, big_endian) =
            parse_descr(&descr).ok_or_else(|| format!("no element type for descr '{descr}'"))?;
        Ok(Self {
            descr,
            kind,
            item_size,
            big_endian,
            fortran_order: fortran_order.ok_or_else(missing("fortran_order"))?,
            shape: shape.ok_or_else(missing("shape"))?,
        })
    }
}

/// Parses `<f4`: byte order, kind, bytes per element.
fn parse_descr(descr: &str) -> Option<(Kind, usize, bool)> {
    let (order, rest) = match descr.chars().next()? {
        order @ ('<' | '>' | '|' | '=') => (order, &descr[1..]),
        _ => ('=', descr),
    };
    let kind = match rest.chars().next()? {
        'b' => Kind::Bool,
        'i' => Kind::Signed,
        'u' => Kind::Unsigned,
        'f' => Kind::Float,
        'c' => Kind::Complex,
        'V' => Kind::Void,
        _ => return None,
    };
    let item_size = rest[1..].parse().ok()?;
    Some((kind, item_size, order == '>'))
}

/// Just enough of Python's literals.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn accept(&mut self, token: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.accept(token) {
            Ok(())
        } else {
            Err(format!("malformed header: '{token}' expected"))
        }
    }

    fn string(&mut self) -> Result<String, String> {
        for quote in ["'", "\""] {
            if self.accept(quote) {
                let (text, rest) =
                    self.rest.split_once(quote).ok_or("malformed header: a string does not end")?;
                self.rest = rest;
                return Ok(text.to_owned());
            }
        }
        Err("malformed header: a string expected".to_owned())
    }

    fn descr(&mut self) -> Result<String, String> {
        if self.rest.trim_start().starts_with('[') {
            return Err("an array of records cannot be a tensor".to_owned());
        }
        self.string()
    }

    fn boolean(&mut self) -> Result<bool, String> {
        if self.accept("True") {
            return Ok(true);
        }
        self.expect("False")?;
        Ok(false)
    }

    fn shape(&mut self) -> Result<Vec<usize>, String> {
        let mut shape = Vec::new();
        self.expect("(")?;
        while !self.accept(")") {
            self.rest = self.rest.trim_start();
            let digits = self.rest.bytes().take_while(u8::is_ascii_digit).count();
            let (number, rest) = self.rest.split_at(digits);
            // Python 2 wrote `3L`.
            self.rest = rest.strip_prefix('L').unwrap_or(rest);
            shape.push(
                number
                    .parse()
                    .map_err(|_| "malformed header: a dimension expected".to_owned())?,
            );
            if !self.accept(",") {
                self.expect(")")?;
                break;
            }
        }
        Ok(shape)
    }
}

/// The header, in the oldest version that supports it; its length is a multiple of 64, as in numpy.
pub(super) fn encode(descr: &str, dims: &[usize]) -> Vec<u8> {
    let shape = match dims {
        [dim] => format!("({dim},)"),
        dims => {
            let dims: Vec<String> = dims.iter().map(ToString::to_string).collect();
            format!("({})", dims.join(", "))
        }
    };
    let dictionary = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let padded = |start: usize| (start + dictionary.len() + 1).next_multiple_of(64) - start;
    let mut header = MAGIC.to_vec();
    let length = match u16::try_from(padded(10)) {
        Ok(length) => {
            header.extend([1, 0]);
            header.extend(length.to_le_bytes());
            usize::from(length)
        }
        Err(_) => {
            let length = padded(12);
            header.extend([2, 0]);
            header.extend((length as u32).to_le_bytes());
            length
        }
    };
    header.extend(dictionary.as_bytes());
    header.extend(std::iter::repeat_n(b' ', length - dictionary.len() - 1));
    header.push(b'\n');
    header
}
