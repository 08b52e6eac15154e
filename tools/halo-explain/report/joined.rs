//! Which ops were joined into each kernel, by which pass, for a reader.
//!
//! A pass joins single ops, or sets that a pass before it has joined. All of them are told, a set
//! in brackets: `dot_general (91), [add (94), tanh (104)]` is a product that a set was joined
//! with.

use super::{
    format,
    fusion::{self, Fusion, Join},
    names,
};
use halo_runtime::compilation_record::{CompilationRecord, NodeNumber};
use std::collections::BTreeSet;

/// What was joined in a kernel.
pub struct Joined {
    pub call: usize,
    /// The passes in their order, each with the ops that it joined; several groups of them are
    /// divided by semicolons.
    pub passes: Vec<(String, String)>,
    /// How many ops the kernel was made of.
    pub ops: usize,
}

/// What was joined in each kernel that was made of several ops.
pub fn joined(record: &CompilationRecord, fusion: &Fusion) -> Vec<Joined> {
    let calls = fusion.joins().iter().enumerate();
    let joined = calls.filter_map(|(call, joins)| {
        let mut passes: Vec<(usize, Vec<Sets>)> = Vec::new();
        for join in joins {
            if passes.last().is_none_or(|(step, _)| *step != join.step) {
                passes.push((join.step, Vec::new()));
            }
            if let Some((_, groups)) = passes.last_mut() {
                add_to(groups, join);
            }
        }
        let passes = passes.into_iter().map(|(step, mut groups)| {
            groups.sort_unstable();
            let step = record.steps.get(step);
            let pass = step.map_or("", |step| format::pass(&step.pass));
            let groups = groups.iter().map(|sets| text(record, sets));
            let groups: Vec<String> = groups.collect();
            (fusion::name_of_pass(pass).to_owned(), groups.join("; "))
        });
        let passes: Vec<(String, String)> = passes.collect();
        let ops = fusion::ops_of(record, &record.calls[call].nodes).len();
        (!passes.is_empty()).then_some(Joined { call, passes, ops })
    });
    joined.collect()
}

/// The sets of ops that a pass made one, as they were before it.
type Sets = Vec<Vec<NodeNumber>>;

/// Adds a join to the groups of its pass. A set that the pass has made itself is what it was
/// before.
fn add_to(groups: &mut Vec<Sets>, join: &Join) {
    let mut sets: Sets = Vec::new();
    for set in &join.sets {
        let is_of_it = |group: &Sets| group.iter().flatten().any(|node| set.contains(node));
        let (own, others) = std::mem::take(groups).into_iter().partition(is_of_it);
        *groups = others;
        let own: Vec<Sets> = own;
        match own.is_empty() {
            true => sets.push(set.clone()),
            false => sets.extend(own.into_iter().flatten()),
        }
    }
    sets.sort_unstable();
    groups.push(sets);
}

/// Sets of ops, of which those of several are in brackets.
fn text(record: &CompilationRecord, sets: &Sets) -> String {
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let texts = sets.iter().filter_map(|set| {
        let names = set.iter().flat_map(|node| names::ops(record, *node));
        let names: Vec<String> = names.filter(|name| seen.insert(name.clone())).collect();
        match (names.len(), names.join(", ")) {
            (0, _) => None,
            (1, name) => Some(name),
            (_, names) => Some(format!("[{names}]")),
        }
    });
    texts.collect::<Vec<String>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::super::samples;
    use super::*;

    fn join(sets: &[&[u32]]) -> Join {
        Join {
            step: 0,
            sets: sets.iter().map(|set| set.to_vec()).collect(),
        }
    }

    #[test]
    fn groups_of_a_pass_are_divided() {
        let mut groups = Vec::new();
        for sets in [
            &[&[0][..], &[1]][..],
            &[&[2], &[3]],
            // A set that was one before the pass, and one that the pass has made.
            &[&[4, 5], &[6]],
            &[&[0, 1], &[7]],
        ] {
            add_to(&mut groups, &join(sets));
        }
        let mut groups: Vec<Sets> = groups;
        groups.sort_unstable();
        assert_eq!(
            groups,
            [
                vec![vec![0], vec![1], vec![7]],
                vec![vec![2], vec![3]],
                vec![vec![4, 5], vec![6]],
            ]
        );
    }

    /// Both sides are told, those that were joined before, too.
    #[test]
    fn all_ops_of_a_join_are_named() {
        let record = samples::program(12);
        let mut groups = Vec::new();
        add_to(&mut groups, &join(&[&[1], &[3, 4, 5]]));
        assert_eq!(
            text(&record, &groups[0]),
            "dot_general (3), [add (5), logistic (6), multiply (7)]"
        );
    }
}
