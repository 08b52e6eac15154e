use std::sync::Arc;
use std::thread;
use std::time::Duration;

use halo_core::{ElementType, Literal, Scalar};

use super::super::{Collective, Grouping, Process, Values};
use super::{Movement, Threads, Transport, Visit};
use crate::custom_call::{Attribute, Attributes};

fn value(number: i64) -> Values {
    vec![Arc::new(Literal::scalar(number))]
}

fn number(values: &[Arc<Literal>]) -> i64 {
    values[0].as_slice::<i64>().unwrap()[0]
}

fn gather(grouping: Grouping, rows: &[&[usize]]) -> Collective {
    Collective {
        operation: "stablehlo.all_gather".to_owned(),
        channel: 0,
        grouping,
        rows: rows.iter().map(|row| row.to_vec()).collect(),
        size: None,
        has_dynamic_root: false,
    }
}

/// The result of a process when all of its group contribute a number.
fn exchange(collective: &Collective, process: &Process, own: i64) -> Result<Vec<i64>, String> {
    let ticket = collective.start(process, &value(own))?;
    let brought = ticket.wait(process)?;
    let members = brought.map_or_else(Vec::new, |brought| brought.members);
    Ok(members.iter().map(|values| number(values)).collect())
}

/// Runs a function for each process of a grid, on threads.
fn on_threads<T: Send>(
    replicas: usize,
    partitions: usize,
    run: impl Fn(Arc<Process>) -> T + Sync,
) -> Vec<T> {
    let run = &run;
    thread::scope(|scope| {
        let threads: Vec<_> = Process::grid(replicas, partitions)
            .into_iter()
            .map(|process| scope.spawn(move || run(process)))
            .collect();
        (threads.into_iter().map(|thread| thread.join().unwrap())).collect()
    })
}

#[test]
fn many_rounds_among_the_same_members() {
    let collective = gather(Grouping::CrossReplica, &[&[0, 1, 2]]);
    let sums = on_threads(3, 1, |process| {
        let mut sum = 0;
        for round in 0..500 {
            let own = round * 10 + process.number() as i64;
            let brought = exchange(&collective, &process, own).unwrap();
            assert_eq!(brought, [round * 10, round * 10 + 1, round * 10 + 2]);
            sum += brought.iter().sum::<i64>();
        }
        sum
    });
    assert!(sums.iter().all(|sum| *sum == sums[0]));
}

#[test]
fn groups_are_counted_as_the_specification_says() {
    let groups = |grouping, rows: &[&[usize]]| {
        let collective = gather(grouping, rows);
        on_threads(2, 2, |process| {
            exchange(&collective, &process, process.number() as i64).unwrap()
        })
    };
    let [a, b] = [vec![0, 2], vec![1, 3]];
    assert_eq!(
        groups(Grouping::CrossReplica, &[&[0, 1]]),
        [&*a, &b, &a, &b]
    );
    let [a, b] = [vec![1, 0], vec![3, 2]];
    assert_eq!(
        groups(Grouping::CrossPartition, &[&[1, 0]]),
        [&*a, &a, &b, &b]
    );
    let all = vec![0, 2, 1, 3];
    assert_eq!(groups(Grouping::CrossReplicaAndPartition, &[]), [&*all; 4]);
    let [a, b] = [vec![3, 0], vec![1, 2]];
    assert_eq!(
        groups(Grouping::FlattenedIds, &[&[3, 0], &[1, 2]]),
        [&*a, &b, &b, &a]
    );
}

#[test]
fn groups_that_do_not_fit() {
    let process = Process::alone();
    let start = |rows: &[&[usize]], size| {
        let collective = Collective {
            size,
            ..gather(Grouping::CrossReplica, rows)
        };
        let ticket = collective.start(&process, &value(1));
        ticket.map(|_| ()).unwrap_err()
    };
    assert_eq!(
        start(&[&[0, 1]], None),
        "names process 1, but there are 1 replicas of 1 partitions"
    );
    assert_eq!(
        start(&[], Some(2)),
        "has types for 2 processes, but a group of 1"
    );
    assert_eq!(
        start(&[&[]], None),
        "is run by a process that is in none of its groups"
    );
}

#[test]
fn collectives_of_call_sites() {
    let integer = |value: i128| Attribute::Number(ElementType::I64, Scalar::Int(value));
    let list = |numbers: &[i128]| Attribute::List(numbers.iter().copied().map(integer).collect());
    let text = |text: &str| Attribute::Text(text.to_owned());
    let site = |entries: &[(&str, Attribute)]| {
        let mut attributes: std::collections::BTreeMap<String, Attribute> = [
            ("source_op", text("stablehlo.all_gather")),
            ("channel", integer(-3)),
            ("grouping", text("flattened_ids")),
            ("groups", Attribute::List(vec![list(&[0, 1]), list(&[2])])),
            ("pairs", Attribute::List(vec![list(&[0, 1])])),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into();
        let entries = entries.iter().cloned();
        attributes.extend(entries.map(|(name, value)| (name.to_owned(), value)));
        Attributes(attributes)
    };
    let collective = Collective {
        channel: -3,
        ..gather(Grouping::FlattenedIds, &[&[0, 1], &[2]])
    };
    assert_eq!(Collective::from_attributes(&site(&[])).unwrap(), collective);
    let sized = Collective {
        size: Some(4),
        ..collective
    };
    let size = [("group_size", integer(4))];
    assert_eq!(Collective::from_attributes(&site(&size)).unwrap(), sized);
    let transfer = Collective::transfer_from_attributes("stablehlo.send", &site(&[])).unwrap();
    assert_eq!(transfer.rows, [[0, 1]]);
    assert_eq!(transfer.grouping, Grouping::FlattenedIds);
    for (name, value, message) in [
        ("grouping", text("all"), "'all' is not a grouping"),
        (
            "channel",
            text("1"),
            "attribute 'channel' is not an integer",
        ),
        (
            "groups",
            list(&[0]),
            "attribute 'groups' is not a list of lists of processes",
        ),
        (
            "groups",
            Attribute::List(vec![list(&[-1])]),
            "-1 is not the number of a process",
        ),
    ] {
        let error = Collective::from_attributes(&site(&[(name, value)])).unwrap_err();
        assert_eq!(error, message);
    }
    let error = Collective::from_attributes(&Attributes::default()).unwrap_err();
    assert_eq!(error, "attribute 'grouping' is missing");
}

/// One waits for a process that has failed, another for the waiting one.
#[test]
fn a_failure_ends_those_that_wait() {
    let first = gather(Grouping::CrossReplica, &[&[0, 1]]);
    let second = Collective {
        channel: 2,
        ..gather(Grouping::CrossReplica, &[&[1, 2]])
    };
    let outcomes = on_threads(3, 1, |process| match process.number() {
        0 => {
            thread::sleep(Duration::from_millis(5));
            process.end(true);
            Err("failed".to_owned())
        }
        1 => exchange(&first, &process, 1),
        _ => exchange(&second, &process, 1),
    });
    for outcome in outcomes {
        let message = outcome.unwrap_err();
        assert!(message == "failed" || message.starts_with("waits for what never comes"));
    }
}

#[test]
fn a_panic_ends_those_that_wait() {
    let collective = gather(Grouping::CrossReplica, &[&[0, 1]]);
    let mut processes = Process::grid(2, 1).into_iter();
    let (one, other) = (processes.next().unwrap(), processes.next().unwrap());
    let cluster = Arc::clone(&one.cluster);
    let panicked = thread::spawn(move || {
        let _other = other;
        panic!("expected by the test");
    });
    assert!(exchange(&collective, &one, 1).is_err());
    assert!(panicked.join().is_err());
    assert_eq!(cluster.first_failed(), Some(1));
}

#[test]
fn a_deadlock_is_told() {
    let outcomes = on_threads(2, 1, |process| {
        let other = 1 - process.number();
        let transfer = Collective {
            channel: other as i64,
            ..gather(Grouping::FlattenedIds, &[])
        };
        transfer.receive(&process).map(|_| ())
    });
    let message = "waits for what never comes: process 0 for data on channel 1, \
                   process 1 for data on channel 0";
    assert_eq!(outcomes, [Err(message.to_owned()), Err(message.to_owned())]);
}

#[test]
fn an_infeed_that_nobody_fills_is_an_error() {
    let process = Process::alone();
    let cluster = &process.cluster;
    assert_eq!(cluster.infeed(0), Err("finds the infeed empty".to_owned()));
    let infeed = cluster.open_infeed();
    infeed.put(value(1));
    assert_eq!(number(&cluster.infeed(0).unwrap()), 1);
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(5));
            infeed.put(value(2));
        });
        assert_eq!(number(&cluster.infeed(0).unwrap()), 2);
        assert!(cluster.infeed(0).is_err());
    });
}

#[test]
fn the_outfeed_is_kept_for_who_opens_it() {
    let process = Process::alone();
    process.cluster.outfeed(value(1));
    let outfeed = process.cluster.open_outfeed();
    process.cluster.outfeed(value(2));
    assert_eq!(outfeed.take().map(|values| number(&values)), Some(2));
    assert!(outfeed.take().is_none());
}

#[test]
fn collectives_that_were_started_may_be_left() {
    let collective = gather(Grouping::CrossReplica, &[&[0, 1]]);
    let processes = Process::grid(2, 1);
    let ticket = collective.start(&processes[0], &value(1)).unwrap();
    let number = processes[0].keep(ticket);
    let own = collective.start(&processes[1], &value(2)).unwrap();
    processes[0].leave(number);
    assert!(processes[0].wait_for(number).is_err());
    assert_eq!(own.wait(&processes[1]).unwrap().unwrap().place, 1);
}

/// Collectives are dropped when all members have read or left them.
#[test]
fn meetings_are_forgotten() {
    let threads = Threads::new(2);
    let visit = Visit {
        channel: 0,
        members: &[0, 1],
        operation: "stablehlo.all_gather",
        movement: Movement::AllGather,
    };
    let key = threads.bring(0, &visit, &value(1)).unwrap();
    assert_eq!(threads.bring(1, &visit, &value(2)).unwrap(), key);
    threads.leave(0, &key);
    assert_eq!(threads.meet(1, &key, visit.movement).unwrap().len(), 2);
    assert!(threads.state().meetings.is_empty());
}

/// Section `all_to_all`: member `i` gets slice `i` of each contribution.
#[test]
fn slices_go_to_the_members_in_their_places() {
    let collective = Collective {
        operation: "stablehlo.all_to_all".to_owned(),
        ..gather(Grouping::CrossReplica, &[&[1, 0]])
    };
    let slices = on_threads(2, 1, |process| {
        let own = 10 * process.number() as i64;
        let operand = Literal::from_slice(&[2, 1], &[own, own + 1]).unwrap();
        let ticket = collective.start(&process, &vec![Arc::new(operand)])?;
        let brought = ticket.wait(&process)?.ok_or("gets nothing")?;
        let members = brought.members.iter().map(|values| number(values));
        Ok::<_, String>(members.collect::<Vec<_>>())
    });
    assert_eq!(slices, [Ok(vec![11, 1]), Ok(vec![10, 0])]);
}

/// The first member is the root: its broadcast reaches all, and a reduction's result only it.
#[test]
fn roots_are_the_first_members() {
    let outcome = |operation: &str| {
        let collective = Collective {
            operation: operation.to_owned(),
            ..gather(Grouping::CrossReplica, &[&[1, 0]])
        };
        on_threads(2, 1, |process| {
            exchange(&collective, &process, process.number() as i64).unwrap()
        })
    };
    assert_eq!(
        outcome("stablehlo.collective_broadcast"),
        [vec![1], vec![1]]
    );
    assert_eq!(outcome("stablehlo.collective_reduce"), [vec![], vec![1, 0]]);
}
