//! The check of a record that was read from a file: every number names something that exists.

use halo_runtime::compilation_record::{CompilationRecord, FunctionText};

/// How deep nodes in regions of nodes may be, as the parsers of MLIR limit it.
const DEEPEST: usize = 1000;

/// Checks all numbers of a record.
///
/// # Errors
/// The first number that names nothing.
pub fn check(record: &CompilationRecord) -> Result<(), String> {
    let Counts {
        ops,
        nodes,
        calls,
        steps,
        functions,
    } = Counts::of(record);
    for op in record.origins.iter().flatten() {
        named("op", *op, ops)?;
    }
    for node in record.node_sets.iter().flatten() {
        named("node", *node, nodes)?;
    }
    for (number, node) in record.nodes.iter().enumerate() {
        for operand in node
            .operands
            .iter()
            .filter_map(|operand| u32::try_from(*operand).ok())
        {
            named("node", operand, nodes)?;
        }
        all("op", &node.origins, ops)?;
        all("op", &node.callers, ops)?;
        all("call", &node.calls, calls)?;
        all("node", node.parent.as_slice(), nodes)?;
        let parents = std::iter::successors(Some(number as u32), |node| {
            record.nodes.get(*node as usize)?.parent
        });
        if parents.take(DEEPEST + 1).count() > DEEPEST {
            return Err(format!("node {number} is nested too deep"));
        }
    }
    for step in &record.steps {
        all("function", &step.functions, functions)?;
    }
    let kernels = record.kernels.iter().map(|kernel| &kernel.text);
    for function in record.functions.iter().chain(kernels) {
        check_text(record, function)?;
    }
    for call in &record.calls {
        all("kernel", call.kernel.as_slice(), record.kernels.len())?;
        all("node", &call.nodes, nodes)?;
        let buffers = record.arena.as_ref().map_or(0, |arena| arena.buffers.len());
        for buffer in &call.buffers {
            all("buffer", buffer.arena.as_slice(), buffers)?;
        }
    }
    for buffer in record.arena.iter().flat_map(|arena| &arena.buffers) {
        all("node", &buffer.nodes, nodes)?;
    }
    for remark in &record.remarks {
        named("step", remark.step, steps)?;
        all("op", &remark.origins, ops)?;
        all("node", &remark.nodes, nodes)?;
        for note in &remark.notes {
            all("node", &note.nodes, nodes)?;
        }
    }
    for site in record.run.iter().flat_map(|run| &run.sites) {
        all("call", &site.calls, calls)?;
    }
    Ok(())
}

struct Counts {
    ops: usize,
    nodes: usize,
    calls: usize,
    steps: usize,
    functions: usize,
}

impl Counts {
    fn of(record: &CompilationRecord) -> Self {
        Self {
            ops: record.ops.len(),
            nodes: record.nodes.len(),
            calls: record.calls.len(),
            steps: record.steps.len(),
            functions: record.functions.len(),
        }
    }
}

fn check_text(record: &CompilationRecord, function: &FunctionText) -> Result<(), String> {
    all("line", &function.lines, record.lines.len())?;
    all("set of ops", &function.origins, record.origins.len())?;
    all("set of nodes", &function.nodes, record.node_sets.len())?;
    let lengths = [function.origins.len(), function.nodes.len()];
    match lengths == [function.lines.len(); 2] {
        true => Ok(()),
        false => Err("lines of a function without origins".to_owned()),
    }
}

fn all(what: &str, numbers: &[u32], count: usize) -> Result<(), String> {
    numbers
        .iter()
        .try_for_each(|number| named(what, *number, count))
}

fn named(what: &str, number: u32, count: usize) -> Result<(), String> {
    match (number as usize) < count {
        true => Ok(()),
        false => Err(format!("there is no {what} {number}")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    #[test]
    fn every_number_is_checked() {
        let record = samples::program(24);
        assert_eq!(check(&record), Ok(()));
        type Damage = fn(&mut CompilationRecord);
        let damages: [(&str, Damage); 17] = [
            ("no op 99", |record| record.origins[1] = vec![99]),
            ("no node 99", |record| record.node_sets[1] = vec![99]),
            ("no op 99", |record| record.nodes[3].callers = vec![99]),
            ("no set of nodes 99", |record| {
                record.functions[0].nodes[0] = 99
            }),
            ("no node 99", |record| record.remarks[0].nodes = vec![99]),
            ("no node 99", |record| {
                record.remarks[0].notes[0].nodes = vec![99]
            }),
            ("no op 99", |record| record.nodes[3].origins = vec![99]),
            ("no node 99", |record| record.nodes[3].operands = vec![99]),
            ("no node 99", |record| record.nodes[3].parent = Some(99)),
            ("nested", |record| record.nodes[3].parent = Some(3)),
            ("no call 99", |record| record.nodes[3].calls = vec![99]),
            ("no function 99", |record| {
                record.steps[1].functions = vec![99]
            }),
            ("no line 9999", |record| record.functions[0].lines[0] = 9999),
            ("origins", |record| record.kernels[0].text.origins.clear()),
            ("no kernel 99", |record| record.calls[0].kernel = Some(99)),
            ("no step 99", |record| record.remarks[0].step = 99),
            ("no buffer 99", |record| {
                record.calls[0].buffers[0].arena = Some(99)
            }),
        ];
        for (expected, damage) in damages {
            let mut record = record.clone();
            damage(&mut record);
            let error = check(&record).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
