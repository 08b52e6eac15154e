//! The program as text, line by line, with the ops that each line was made of.
//!
//! MLIR prints a location behind each op, as the name of one that is defined at the end:
//!
//! ```mlir
//! module {
//!   func.func @main(%arg0: tensor<f32> loc("a.mlir":1:17)) -> tensor<f32> {
//!     %0 = stablehlo.add %arg0, %arg0 : tensor<f32> loc(#loc2)
//!     return %0 : tensor<f32> loc(#loc3)
//!   } loc(#loc1)
//! } loc(#loc)
//! #loc2 = loc("halo.op.0"(#loc4))
//! ```
//!
//! Here they are taken out of the text, and their stamps become the origins of the lines. A
//! line that opens a region has the location behind the end of the region.

use super::stamps::Stamp;
use halo_ir::{Operation, name_of};
use halo_runtime::{
    Error, Result,
    compilation_record::{CompilationRecord, FunctionText},
};
use melior::ir::operation::{OperationLike, OperationPrintingFlags};
use std::collections::{BTreeSet, HashMap};

/// Larger constants are printed as `dense_resource<__elided__>`.
const MOST_ELEMENTS: usize = 16;

/// The lines, origins and functions that a record has, by their contents.
#[derive(Default)]
pub struct Texts {
    lines: HashMap<String, u32>,
    origins: Sets,
    node_sets: Sets,
    functions: HashMap<FunctionKey, u32>,
}

/// The numbers of sets.
type Sets = HashMap<Vec<u32>, u32>;

/// Name, lines, origins and nodes.
type FunctionKey = (String, Vec<u32>, Vec<u32>, Vec<u32>);

/// What a line was made of, as numbers of sets of ops and of nodes.
type Origins = (u32, u32);

/// A line of the text without its locations.
struct Line {
    text: String,
    /// What stood in its last location.
    location: Option<String>,
}

impl Texts {
    /// The functions of a module, as numbers of those of a record, which gets the new ones.
    /// What is outside of functions is one without a name.
    ///
    /// # Errors
    /// Internal if the module cannot be printed.
    pub fn functions(
        &mut self,
        record: &mut CompilationRecord,
        module: Operation,
    ) -> Result<Vec<u32>> {
        let flags = OperationPrintingFlags::new()
            .enable_debug_info(true, false)
            .elide_large_elements_attributes(MOST_ELEMENTS);
        let text = module
            .to_string_with_flags(flags)
            .map_err(|error| Error::internal(format!("the program cannot be printed: {error}")))?;
        let mut locations = Locations::default();
        let mut lines = Vec::new();
        for line in text.lines() {
            match line.starts_with("#loc") {
                true => locations.define(line),
                false => lines.push(without_locations(line)),
            }
        }
        let origins = self.origins_of_lines(record, &lines, &mut locations);
        let mut parts: Vec<FunctionText> = Vec::new();
        let mut outside = FunctionText::default();
        let mut is_function = false;
        for (line, origins) in lines.iter().zip(origins) {
            if begins_op(&line.text) {
                let name = function_name(&line.text);
                is_function = name.is_some();
                parts.extend(name.map(|name| FunctionText {
                    name,
                    ..FunctionText::default()
                }));
            } else if !line.text.starts_with(' ') {
                is_function = false;
            }
            let number = self.line(record, &line.text);
            let part = match (is_function, parts.last_mut()) {
                (true, Some(part)) => part,
                _ => &mut outside,
            };
            part.lines.push(number);
            part.origins.push(origins.0);
            part.nodes.push(origins.1);
        }
        let all = [outside].into_iter().chain(parts);
        Ok(all.map(|part| self.function(record, part)).collect())
    }

    fn origins_of_lines(
        &mut self,
        record: &mut CompilationRecord,
        lines: &[Line],
        locations: &mut Locations,
    ) -> Vec<Origins> {
        let mut origins = vec![(0, 0); lines.len()];
        // The lines that have opened a region.
        let mut open: Vec<usize> = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let text = line.text.trim();
            let (closes, opens) = (text.starts_with('}'), text.ends_with('{'));
            let own = line.location.as_deref().map(|text| locations.stamps(text));
            let own = own.map_or((0, 0), |stamps| self.origins(record, &stamps));
            if !opens {
                origins[index] = own;
            }
            match (closes, opens) {
                (true, false) => {
                    if let Some(begin) = open.pop() {
                        origins[begin] = own;
                    }
                }
                (false, true) => open.push(index),
                _ => {}
            }
        }
        origins
    }

    fn line(&mut self, record: &mut CompilationRecord, text: &str) -> u32 {
        if let Some(number) = self.lines.get(text) {
            return *number;
        }
        let number = record.lines.len() as u32;
        record.lines.push(text.to_owned());
        self.lines.insert(text.to_owned(), number);
        number
    }

    /// The numbers of the sets of a location's stamps.
    fn origins(&mut self, record: &mut CompilationRecord, stamps: &Stamps) -> Origins {
        (
            set(&mut self.origins, &mut record.origins, &stamps.ops),
            set(&mut self.node_sets, &mut record.node_sets, &stamps.nodes),
        )
    }

    fn function(&mut self, record: &mut CompilationRecord, text: FunctionText) -> u32 {
        let key = (
            text.name.clone(),
            text.lines.clone(),
            text.origins.clone(),
            text.nodes.clone(),
        );
        *self.functions.entry(key).or_insert_with(|| {
            record.functions.push(text);
            (record.functions.len() - 1) as u32
        })
    }
}

/// The number of a set among those that a record has, of which the first one is empty.
fn set(numbers: &mut Sets, sets: &mut Vec<Vec<u32>>, of: &BTreeSet<u32>) -> u32 {
    if sets.is_empty() {
        sets.push(Vec::new());
        numbers.insert(Vec::new(), 0);
    }
    let of: Vec<u32> = of.iter().copied().collect();
    if let Some(number) = numbers.get(&of) {
        return *number;
    }
    let number = sets.len() as u32;
    sets.push(of.clone());
    numbers.insert(of, number);
    number
}

/// Whether a line of a printed module begins an op of its body.
fn begins_op(line: &str) -> bool {
    let mut letters = line.strip_prefix("  ").unwrap_or_default().chars();
    letters.next().is_some_and(|letter| !" }^".contains(letter))
}

/// The name of the function that begins with a line, if one does.
fn function_name(line: &str) -> Option<String> {
    let line = line.trim_start();
    let rest = [
        "func.func ",
        "llvm.func ",
        "gpu.func ",
        "gpu.module ",
        "emitc.func ",
    ]
    .into_iter()
    .find_map(|kind| line.strip_prefix(kind))?;
    let (_, name) = rest.split_once('@')?;
    if let Some(quoted) = name.strip_prefix('"') {
        return quoted.split('"').next().map(str::to_owned);
    }
    let is_of_name = |letter: char| letter.is_alphanumeric() || "_$.-".contains(letter);
    let end = name
        .find(|letter| !is_of_name(letter))
        .unwrap_or(name.len());
    Some(name[..end].to_owned())
}

/// The parts of a text outside and inside of `loc(...)`.
fn without_locations(line: &str) -> Line {
    let mut text = String::with_capacity(line.len());
    let mut location = None;
    let mut rest = line;
    while let Some(start) = start_of_location(rest) {
        let inside = &rest[start + " loc(".len()..];
        let end = end_of_location(inside);
        text.push_str(&rest[..start]);
        location = Some(inside[..end].to_owned());
        rest = inside.get(end + 1..).unwrap_or_default();
    }
    text.push_str(rest);
    Line { text, location }
}

/// Where ` loc(` stands outside of quotes.
fn start_of_location(text: &str) -> Option<usize> {
    let mut quotes = Quotes::default();
    text.char_indices()
        .filter(|(_, letter)| !quotes.is_inside(*letter))
        .map(|(index, _)| index)
        .find(|index| text[*index..].starts_with(" loc("))
}

/// Where the parenthesis closes that was opened before.
fn end_of_location(text: &str) -> usize {
    let mut quotes = Quotes::default();
    let mut depth = 1_usize;
    for (index, letter) in text.char_indices() {
        if quotes.is_inside(letter) {
            continue;
        }
        match letter {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index;
        }
    }
    text.len()
}

/// What is between quotes.
#[derive(Default)]
struct Quotes {
    is_open: bool,
    is_escaped: bool,
}

impl Quotes {
    /// Whether the next letter is inside of quotes or is one.
    fn is_inside(&mut self, letter: char) -> bool {
        let was_open = self.is_open;
        if self.is_escaped {
            self.is_escaped = false;
        } else {
            match letter {
                '"' => self.is_open = !self.is_open,
                '\\' => self.is_escaped = was_open,
                _ => {}
            }
        }
        was_open || letter == '"'
    }
}

/// The locations that are defined at the end of a text.
#[derive(Default)]
struct Locations {
    /// By their names, such as `#loc7`.
    texts: HashMap<String, String>,
    stamps: HashMap<String, Stamps>,
}

/// The numbers that a location has.
#[derive(Clone, Debug, Default)]
struct Stamps {
    ops: BTreeSet<u32>,
    nodes: BTreeSet<u32>,
}

impl Stamps {
    fn extend(&mut self, others: &Self) {
        self.ops.extend(&others.ops);
        self.nodes.extend(&others.nodes);
    }
}

impl Locations {
    /// Reads `#loc7 = loc(...)`.
    fn define(&mut self, line: &str) {
        if let Some((name, text)) = line.split_once(" = loc(") {
            let text = &text[..end_of_location(text)];
            self.texts.insert(name.to_owned(), text.to_owned());
        }
    }

    /// The stamps that a location has. Of a call site, they are the callee's.
    fn stamps(&mut self, text: &str) -> Stamps {
        let mut found = Stamps::default();
        let mut rest = text;
        while let Some(start) = rest.find(['#', '"']) {
            let before = &rest[..start];
            if is_caller(before) {
                // The caller of a call site ends with its parenthesis.
                let skipped = end_of_location(&rest[start..]);
                rest = &rest[(start + skipped).min(rest.len())..];
                continue;
            }
            let part = &rest[start..];
            if let Some(quoted) = part.strip_prefix('"') {
                let end = quoted.find('"').unwrap_or(quoted.len());
                found.ops.extend(Stamp::Op.number(&quoted[..end]));
                found.nodes.extend(Stamp::Node.number(&quoted[..end]));
                rest = quoted.get(end + 1..).unwrap_or_default();
            } else {
                let end = part[1..].find(|letter: char| !letter.is_alphanumeric());
                let (name, behind) = part.split_at(end.map_or(part.len(), |end| end + 1));
                found.extend(&self.of_name(name));
                rest = behind;
            }
        }
        found
    }

    fn of_name(&mut self, name: &str) -> Stamps {
        if let Some(stamps) = self.stamps.get(name) {
            return stamps.clone();
        }
        // Taken out, so that none is read in itself.
        let stamps = match self.texts.remove(name) {
            Some(text) => self.stamps(&text),
            None => Stamps::default(),
        };
        self.stamps.insert(name.to_owned(), stamps.clone());
        stamps
    }
}

/// Whether what follows is the caller of a call site.
fn is_caller(before: &str) -> bool {
    before.ends_with(" at ")
}

/// How many ops a module has.
pub fn op_count(module: Operation) -> u32 {
    let ops = halo_ir::collect_operations(module, |op| name_of(op) != "builtin.module");
    u32::try_from(ops.len()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_are_taken_out_of_lines() {
        let line = without_locations("  %0 = f.g %a {s = \" loc(\\\"\"} : f32 loc(#loc3)");
        assert_eq!(line.text, "  %0 = f.g %a {s = \" loc(\\\"\"} : f32");
        assert_eq!(line.location.as_deref(), Some("#loc3"));
        let line =
            without_locations("  func.func @f(%a: f32 loc(\"x(\":1:2), %b: f32 loc(unknown)) {");
        assert_eq!(line.text, "  func.func @f(%a: f32, %b: f32) {");
    }

    #[test]
    fn stamps_are_those_of_callees_and_of_all_that_was_fused() {
        let mut locations = Locations::default();
        for line in [
            "#loc1 = loc(\"halo.op.1\"(\"a.mlir\":1:2))",
            "#loc2 = loc(\"halo.node.9\"(#loc1))",
            "#loc3 = loc(\"halo.op.3\"(#loc4))",
            "#loc4 = loc(\"halo.op\"(unknown))",
            "#loc5 = loc(callsite(#loc1 at #loc3))",
            "#loc6 = loc(fused<\"x\">[#loc3, #loc5, #loc2])",
            "#loc7 = loc(callsite(callsite(#loc3 at #loc1) at #loc6))",
        ] {
            locations.define(line);
        }
        let nodes = locations.stamps("#loc6").nodes;
        assert_eq!(nodes.into_iter().collect::<Vec<_>>(), [9]);
        let mut stamps = |text: &str| locations.stamps(text).ops.into_iter().collect::<Vec<_>>();
        assert_eq!(stamps("#loc5"), [1]);
        assert_eq!(stamps("#loc6"), [1, 3]);
        assert_eq!(stamps("#loc7"), [3]);
        assert_eq!(stamps("fused[#loc7, \"halo.op.12\"(unknown)]"), [3, 12]);
        assert_eq!(stamps("unknown"), []);
    }

    #[test]
    fn functions_have_the_names_of_their_symbols() {
        assert_eq!(
            function_name("  func.func private @a_1(%x: f32)").unwrap(),
            "a_1"
        );
        assert_eq!(function_name("  func.func @\"a b\"()").unwrap(), "a b");
        assert_eq!(function_name("  memref.global @a : memref<f32>"), None);
        assert!(begins_op("  func.func @a() {"));
        assert!(!begins_op("  }"));
        assert!(!begins_op("  ^bb1:"));
        assert!(!begins_op("    return"));
    }
}
