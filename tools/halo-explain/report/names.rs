//! What ops and places are called: by name and line, and, where an op is of a function that was
//! inlined, by the line of its call, since each call has ops of its own.

use super::format;
use halo_runtime::compilation_record::{
    CallPurpose, CompilationRecord, Node, NodeNumber, OpNumber,
};
use std::collections::HashMap;

/// A node by name and place, such as `maximum (line 372, called at line 334)`. The name is the one
/// that the program has there.
pub fn node(record: &CompilationRecord, number: NodeNumber) -> String {
    let Some(node) = record.nodes.get(number as usize) else {
        return String::new();
    };
    let ops = node.origins.iter();
    let mut ops = ops.filter_map(|op| record.ops.get(*op as usize));
    match ops.find(|op| op.line > 0) {
        None => title(&node.name, &node.applied),
        Some(op) => format!(
            "{} (line {}{})",
            title(&op.name, &node.applied),
            op.line,
            called(record, node)
        ),
    }
}

/// The ops that a node was made of, with their lines, such as `maximum (372, called at line 334)`.
pub fn ops(record: &CompilationRecord, number: NodeNumber) -> Vec<String> {
    let Some(node) = record.nodes.get(number as usize) else {
        return Vec::new();
    };
    let origins = node.origins.iter();
    let ops = origins.filter_map(|op| record.ops.get(*op as usize));
    let names = ops.map(|op| match op.line {
        0 => format::short(&op.name).to_owned(),
        line => format!(
            "{} ({line}{})",
            format::short(&op.name),
            called(record, node)
        ),
    });
    names.collect()
}

/// The name of an op with what it applies to elements, such as `reduce add`.
pub fn title(name: &str, applied: &str) -> String {
    let name = format::short(name);
    match applied.is_empty() {
        true => name.to_owned(),
        false => format!("{name} {applied}"),
    }
}

/// What a kernel does if it computes nothing, beside its name; empty if it computes.
pub fn work(purpose: CallPurpose) -> &'static str {
    match purpose {
        CallPurpose::Compute => "",
        CallPurpose::Pack => "packs an operand",
        CallPurpose::Move => "moves elements",
        CallPurpose::Fill => "fills a buffer",
    }
}

/// What a kernel does with its ops, such as `packs an operand of dot_general (line 3)`.
pub fn work_for(purpose: CallPurpose, ops: &str) -> String {
    match (purpose, work(purpose)) {
        (CallPurpose::Compute, _) => format!("computes {ops}"),
        (CallPurpose::Pack, work) => format!("{work} of {ops}"),
        (_, work) => format!("{work} for {ops}"),
    }
}

/// The line of a node in the program; 0 if it is unknown.
pub fn line(record: &CompilationRecord, node: &Node) -> u32 {
    let mut lines = node.origins.iter().filter_map(|op| line_of(record, *op));
    lines.next().unwrap_or(0)
}

/// Where the function of a node was called, such as `, called at line 334`; empty for a node of
/// the entry.
pub fn called(record: &CompilationRecord, node: &Node) -> String {
    let lines = node.callers.iter().filter_map(|op| line_of(record, *op));
    lines
        .map(|line| format!(", called at line {line}"))
        .collect()
}

/// The calls by name, with their places where several are of one name, such as
/// `main_kernel_6 (line 26)` or `main_kernel_7 (line 354, called at line 41)`.
pub fn calls(record: &CompilationRecord) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for call in &record.calls {
        *counts.entry(&call.name).or_default() += 1;
    }
    let lines: HashMap<&str, u32> = (record.ops.iter().rev())
        .map(|op| (&op.location[..], op.line))
        .collect();
    let place = |location: &String| match lines.get(&location[..]) {
        Some(line) if *line > 0 => format!("line {line}"),
        _ => format::place(&record.program, location),
    };
    let calls = record.calls.iter().map(|call| {
        let name = format::plain(&call.name);
        if counts[&call.name[..]] < 2 || call.location.is_empty() {
            return name;
        }
        let callers = call.callers.iter();
        let callers = callers.map(|caller| format!(", called at {}", place(caller)));
        format!(
            "{name} ({}{})",
            place(&call.location),
            callers.collect::<String>()
        )
    });
    calls.collect()
}

fn line_of(record: &CompilationRecord, op: OpNumber) -> Option<u32> {
    let op = record.ops.get(op as usize)?;
    (op.line > 0).then_some(op.line)
}

/// A place without the folder of the program, and where the function that it is in was called.
pub fn place(program: &str, location: &str, callers: &[String]) -> String {
    let own = format::place(program, location);
    let file = own.rsplitn(3, ':').nth(2).unwrap_or_default().to_owned();
    let callers = callers.iter().map(|caller| {
        let caller = format::place(program, caller);
        let rest = caller
            .strip_prefix(&file)
            .and_then(|it| it.strip_prefix(':'));
        format!(", called at {}", rest.unwrap_or(&caller))
    });
    [own.clone()].into_iter().chain(callers).collect()
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn ops_of_functions_have_the_lines_of_their_calls() {
        let mut record = samples::program(12);
        assert_eq!(node(&record, 3), "add (line 5)");
        assert_eq!(ops(&record, 3), ["add (5)"]);
        record.nodes[3].callers = vec![6, 9];
        record.nodes[3].applied = "maximum".to_owned();
        assert_eq!(
            node(&record, 3),
            "add maximum (line 5, called at line 8, called at line 11)"
        );
        assert_eq!(
            ops(&record, 3),
            ["add (5, called at line 8, called at line 11)"]
        );
        record.ops[3].line = 0;
        assert_eq!(node(&record, 3), "add maximum");
    }

    #[test]
    fn calls_of_one_kernel_have_their_places() {
        let mut record = samples::shared_kernel(60);
        record.calls[3].callers = vec![record.ops[20].location.clone()];
        let calls = calls(&record);
        assert_eq!(
            (&calls[0][..], &calls[1][..], &calls[3][..]),
            (
                "main_kernel_0 (line 2)",
                "main_kernel_1",
                "main_kernel_0 (line 14, called at line 22)"
            )
        );
    }

    #[test]
    fn work_is_told_in_the_same_words_with_ops_and_without() {
        assert_eq!(work(CallPurpose::Compute), "");
        assert_eq!(work_for(CallPurpose::Compute, "add"), "computes add");
        for (purpose, text) in [
            (CallPurpose::Pack, "packs an operand of add"),
            (CallPurpose::Move, "moves elements for add"),
            (CallPurpose::Fill, "fills a buffer for add"),
        ] {
            assert_eq!(work_for(purpose, "add"), text);
            assert!(text.starts_with(work(purpose)));
        }
    }

    #[test]
    fn places_have_the_file_once() {
        let callers = ["/a/p.mlir:3:4".to_owned(), "q.mlir:5:6".to_owned()];
        assert_eq!(
            place("/a/p.mlir", "/a/p.mlir:1:2", &callers),
            "p.mlir:1:2, called at 3:4, called at q.mlir:5:6"
        );
        assert_eq!(place("p.mlir", "", &[]), "");
    }
}
