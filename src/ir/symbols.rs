//! Names for the symbols that passes create.

use crate::{Operation, attribute_of, collect_operations, string_value};
use melior::ir::operation::OperationLike;
use std::collections::{HashMap, HashSet};

/// The names of the symbols in an op, and of those that a pass adds.
#[derive(Clone, Debug, Default)]
pub struct SymbolNames {
    used: HashSet<String>,
    /// The next number to try, by prefix.
    next: HashMap<String, usize>,
}

impl SymbolNames {
    /// The names of all symbols in an op.
    pub fn of(operation: Operation) -> Self {
        let symbols = collect_operations(operation, |op| op.has_attribute("sym_name"));
        let names = symbols
            .into_iter()
            .filter_map(|op| attribute_of(op, "sym_name").and_then(string_value));
        Self {
            used: names.map(str::to_owned).collect(),
            next: HashMap::new(),
        }
    }

    /// Adds a name; returns whether it was unused.
    pub fn claim(&mut self, name: &str) -> bool {
        self.used.insert(name.to_owned())
    }

    /// Adds an unused name: `prefix` and a number.
    pub fn fresh(&mut self, prefix: &str) -> String {
        let next = self.next.entry(prefix.to_owned()).or_default();
        loop {
            let name = format!("{prefix}{next}");
            *next += 1;
            if self.used.insert(name.clone()) {
                return name;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fresh_names_are_numbered_and_unused() {
        let mut names = SymbolNames::default();
        assert!(names.claim("f_kernel_1"));
        assert!(!names.claim("f_kernel_1"));
        let fresh: Vec<String> = (0..3).map(|_| names.fresh("f_kernel_")).collect();
        assert_eq!(fresh, ["f_kernel_0", "f_kernel_2", "f_kernel_3"]);
        assert_eq!(names.fresh("g_kernel_"), "g_kernel_0");
        assert!(!names.claim("f_kernel_3"));
    }
}
