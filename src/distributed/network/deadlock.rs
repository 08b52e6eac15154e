//! Deadlock detection.
//!
//! A waiting rank reports the ranks that it waits for, and how many frames it has received from
//! each; each rank reports how many it has sent. If all sent frames have arrived, a rank that waits
//! for another waiting rank can continue only after that one. So the ranks of a cycle never
//! continue. Statuses from different times are still valid: the first rank of the cycle to continue
//! would need a frame of another one that continued before.

use std::collections::BTreeMap;

use super::frame::Status;

/// The deadlocked ranks, among those with known statuses.
pub fn stuck(statuses: &BTreeMap<usize, Status>) -> Vec<usize> {
    let all_came = |from: usize, to: usize| {
        let count = |counts: Option<&Vec<u64>>, rank: usize| counts?.get(rank).copied();
        let sent = count(statuses.get(&from).map(|status| &status.sent), to);
        let received = count(statuses.get(&to).map(|status| &status.received), from);
        sent.is_some() && sent == received
    };
    let mut stuck: Vec<usize> = statuses
        .iter()
        .filter(|(_, status)| status.waiting.is_some())
        .map(|(rank, _)| *rank)
        .collect();
    loop {
        let before = stuck.len();
        let waits_in_vain = |rank: &usize| {
            let Some(waiting) = statuses.get(rank).and_then(|it| it.waiting.as_ref()) else {
                return false;
            };
            let never = |other: &usize| stuck.contains(other) && all_came(*other, *rank);
            if waiting.of_any {
                // Other ranks match senders and receivers while their programs wait.

                let ranks: Vec<usize> = statuses.keys().copied().collect();
                let pairs = ranks.iter().flat_map(|from| ranks.iter().map(move |to| (from, to)));
                stuck.len() == ranks.len()
                    && pairs.into_iter().all(|(from, to)| from == to || all_came(*from, *to))
            } else {
                waiting.ranks.iter().any(never)
            }
        };
        let still: Vec<usize> = stuck.iter().copied().filter(waits_in_vain).collect();
        stuck = still;
        if stuck.len() == before {
            return stuck;
        }
    }
}

/// Describes the ops that those ranks wait for.
pub fn describe(statuses: &BTreeMap<usize, Status>, stuck: &[usize]) -> String {
    let lines = stuck.iter().filter_map(|rank| {
        let waiting = statuses.get(rank)?.waiting.as_ref()?;
        let others: Vec<String> = waiting.ranks.iter().map(ToString::to_string).collect();
        let (others, operation) = (others.join(", "), &waiting.operation);
        let plural = if waiting.ranks.len() == 1 { "" } else { "s" };
        Some(format!(
            "rank {rank} for rank{plural} {others} in {operation}"
        ))
    });
    lines.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::super::frame::Waiting;
    use super::*;

    fn status(ranks: &[usize], of_any: bool, sent: [u64; 2], received: [u64; 2]) -> Status {
        let waiting = Waiting {
            ranks: ranks.to_vec(),
            of_any,
            operation: "'stablehlo.recv'".to_owned(),
        };
        Status {
            waiting: (!ranks.is_empty()).then_some(waiting),
            sent: sent.to_vec(),
            received: received.to_vec(),
        }
    }

    #[test]
    fn a_cycle_is_stuck_when_nothing_is_under_way() {
        let of = |first, second| stuck(&BTreeMap::from([(0, first), (1, second)]));
        let one = status(&[1], false, [0, 2], [0, 3]);
        let other = status(&[0], false, [3, 0], [2, 0]);
        assert_eq!(of(one.clone(), other.clone()), [0, 1]);
        let late = status(&[0], false, [4, 0], [2, 0]);
        assert_eq!(of(one.clone(), late), [0; 0]);
        let busy = status(&[], false, [3, 0], [2, 0]);
        assert_eq!(of(one, busy), [0; 0]);
        assert_eq!(
            of(status(&[1], true, [0, 2], [0, 3]), other.clone()),
            [0, 1]
        );
        assert_eq!(of(status(&[1], true, [0, 2], [0, 4]), other), [0; 0]);
    }
}
