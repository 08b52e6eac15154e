//! Ranks whose frames a thread carries, without MPI.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use halo_core::{ElementType, Shape};
use halo_runtime::Process;
use halo_runtime::communication::{Cluster, Collective, Grouping};

use super::fault::Cause;
use super::frame::Frame;
use super::state::is_inline;
use super::*;

const LIMITS: Limits = Limits {
    silence: Duration::from_secs(5),
    wait: Some(Duration::from_secs(20)),
};

/// Delivers the messages of one rank to the others.
fn carry(from: usize, ranks: &[Arc<Shared>]) {
    let outgoing = std::mem::take(&mut ranks[from].state().outgoing);
    for one in outgoing {
        let mut target = ranks[one.to].state();
        match one.frame {
            Frame::Values {
                address,
                program,
                shapes,
                bytes,
                counted,
            } => {
                let mut inline = &bytes[..];
                let mut payload = one.payload.iter();
                let values = shapes.iter().map(|shape| {
                    let shape: Shape = shape.parse().unwrap();
                    let own = if is_inline(shape.byte_size()) {
                        inline.split_off(..shape.byte_size()).unwrap()
                    } else {
                        let piece = payload.next().unwrap();
                        &piece.literal.bytes()[piece.range.clone()]
                    };
                    Arc::new(Literal::from_bytes(shape, own).unwrap())
                });
                let values = values.collect();
                target.arrive(from, address, program, values, counted);
            }
            frame => target.deliver(from, frame),
        }
        drop(target);
        ranks[one.to].changed.notify_all();
    }
}

/// Runs a function as each process of a grid of ranks, process `i` on rank `assignment[i]`.
fn on_ranks<T: Send>(
    assignment: &[usize],
    run: impl Fn(Arc<Process>) -> T + Sync,
) -> (Vec<T>, Vec<Volume>) {
    let size = assignment.len();
    let ranks: Vec<Arc<Shared>> = (0..size)
        .map(|rank| Arc::new(Shared::new(State::new(rank, size), LIMITS)))
        .collect();
    let done = AtomicBool::new(false);
    let outcomes = thread::scope(|scope| {
        let wire = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                (0..size).for_each(|rank| carry(rank, &ranks));
                thread::yield_now();
            }
        });
        let threads: Vec<_> = (0..size)
            .map(|number| {
                let shared = Arc::clone(&ranks[assignment[number]]);
                let run = &run;
                scope.spawn(move || {
                    let network = Network::new(shared, "program", assignment.to_vec(), true);
                    let cluster = Cluster::over(Arc::new(network), size, 1);
                    run(Process::of(&Arc::new(cluster), number))
                })
            })
            .collect();
        let outcomes = threads.into_iter().map(|thread| thread.join().unwrap()).collect();
        done.store(true, Ordering::Relaxed);
        wire.join().unwrap();
        outcomes
    });
    let volumes = ranks.iter().map(|rank| rank.state().volume).collect();
    (outcomes, volumes)
}

pub fn collective(operation: &str, rows: &[&[usize]]) -> Collective {
    Collective {
        operation: operation.to_owned(),
        channel: 0,
        grouping: Grouping::CrossReplica,
        rows: rows.iter().map(|row| row.to_vec()).collect(),
        size: None,
        has_dynamic_root: false,
    }
}

pub fn numbers(dims: &[usize], first: i64) -> Values {
    let count: usize = dims.iter().product();
    let elements: Vec<i64> = (first..first + count as i64).collect();
    vec![Arc::new(Literal::from_slice(dims, &elements).unwrap())]
}

/// The values that a process receives, member by member.
pub fn exchange(
    collective: &Collective,
    process: &Process,
    own: &Values,
) -> Result<Vec<i64>, String> {
    let met = collective.start(process, own)?.wait(process)?;
    let members = met.map_or_else(Vec::new, |met| met.members);
    let values = members.iter().flat_map(|values| values.iter());
    Ok(values.flat_map(|value| value.as_slice::<i64>().unwrap().to_vec()).collect())
}

/// Values of an op arrive in its order, inline ones and larger ones, in one message.
#[test]
fn small_and_large_values_of_one_op() {
    let collective = collective("stablehlo.all_gather", &[&[0, 1]]);
    let run = |process: Arc<Process>| {
        let first = 10_000 * process.number() as i64;
        let dims: [&[usize]; 4] = [&[3], &[4000], &[1], &[3000]];
        let own = dims.iter().flat_map(|dims| numbers(dims, first)).collect();
        exchange(&collective, &process, &own).unwrap()
    };
    let (outcomes, volumes) = on_ranks(&[0, 1], run);
    let of = |first: i64| -> Vec<i64> {
        let counts = [3, 4000, 1, 3000];
        counts.iter().flat_map(|count| first..first + count).collect()
    };
    let expected = [of(0), of(10_000)].concat();
    assert_eq!(outcomes, [expected.clone(), expected]);
    for volume in volumes {
        assert_eq!((volume.sent_messages, volume.sent_bytes), (1, 7004 * 8));
    }
}

/// Each movement has the results of threads, and sends the bytes of the textbook: for four members
/// and `b` bytes, 3b for a gather, 3/4 b for slices, 3b by the root of a broadcast, b by all but
/// the root of a reduction, b by each source of a permutation.
#[test]
fn movements_and_their_volumes() {
    let all: &[&[usize]] = &[&[0, 1, 2, 3]];
    let ring: &[&[usize]] = &[&[0, 1], &[1, 2], &[2, 3], &[3, 0]];
    let bytes = 4 * 600 * 8;
    for (operation, rows, expected) in [
        ("stablehlo.all_gather", all, [3 * bytes; 4]),
        ("stablehlo.all_to_all", all, [3 * bytes / 4; 4]),
        ("stablehlo.reduce_scatter", all, [3 * bytes / 4; 4]),
        ("stablehlo.collective_broadcast", all, [3 * bytes, 0, 0, 0]),
        ("stablehlo.collective_reduce", all, [0, bytes, bytes, bytes]),
        ("stablehlo.collective_permute", ring, [bytes; 4]),
    ] {
        let collective = collective(operation, rows);
        let run = |process: Arc<Process>| {
            let own = numbers(&[4, 600], 10_000 * process.number() as i64);
            exchange(&collective, &process, &own).unwrap()
        };
        let (got, volumes) = on_ranks(&[2, 0, 3, 1], run);
        let threads: Vec<Vec<i64>> = thread::scope(|scope| {
            let processes = Process::grid(4, 1).into_iter();
            let threads: Vec<_> = processes.map(|process| scope.spawn(|| run(process))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        assert_eq!(got, threads, "{operation}");
        let sent = [2, 0, 3, 1].map(|rank: usize| volumes[rank].sent_bytes);
        assert_eq!(sent, expected, "{operation}");
        let received: u64 = volumes.iter().map(|volume| volume.received_bytes).sum();
        assert_eq!(received, expected.iter().sum::<u64>(), "{operation}");
    }
}

#[test]
fn many_rounds_in_groups_that_overlap() {
    let rows: [&[usize]; 3] = [&[0, 1, 2], &[2, 0], &[1, 2]];
    let (sums, _) = on_ranks(&[0, 1, 2], |process| {
        let own = process.number();
        let mut sum = 0;
        for round in 0..100 {
            for row in rows.iter().filter(|row| row.contains(&own)) {
                let collective = collective("stablehlo.all_gather", &[row]);
                let got = exchange(
                    &collective,
                    &process,
                    &numbers(&[], round * 10 + own as i64),
                );
                let expected: Vec<i64> = row.iter().map(|one| round * 10 + *one as i64).collect();
                assert_eq!(got.unwrap(), expected);
                sum += 1;
            }
        }
        sum
    });
    assert_eq!(sums, [200, 200, 300]);
}

/// The receiver on a channel gets the values sent there, in order, from any sender.
#[test]
fn channels_without_names() {
    let transfer = Collective {
        channel: 7,
        grouping: Grouping::FlattenedIds,
        ..collective("stablehlo.send", &[])
    };
    let (got, volumes) = on_ranks(&[0, 1, 2], |process| match process.number() {
        0 => {
            for number in 0..50 {
                transfer.send(&process, &numbers(&[1], number)).unwrap();
            }
            Vec::new()
        }
        _ => {
            let received = (0..25).map(|_| transfer.receive(&process).unwrap());
            received.map(|values| values[0].as_slice::<i64>().unwrap()[0]).collect()
        }
    });
    for own in &got[1..] {
        assert!(own.is_sorted(), "{own:?}");
    }
    let mut all = got.concat();
    all.sort_unstable();
    assert_eq!(all, (0..50).collect::<Vec<i64>>());
    assert_eq!(volumes[0].sent_bytes, 50 * 8);
}

#[test]
fn values_of_all_element_types() {
    let types = ElementType::ALL;
    let (got, _) = on_ranks(&[1, 0], |process| {
        let values = types.iter().map(|element_type| {
            let shape = Shape::new(*element_type, [3, 700]).unwrap();
            let mut value = Literal::zeros(shape);
            value.set(5, halo_core::Scalar::Int(process.number() as i128));
            Arc::new(value)
        });
        let values: Values = values.collect();
        let collective = collective("stablehlo.all_gather", &[]);
        let met = collective.start(&process, &values).unwrap().wait(&process);
        (values, met.unwrap().unwrap().members)
    });
    for (_, members) in &got {
        for (member, (values, _)) in members.iter().zip(&got) {
            assert_eq!(member[..], values[..]);
        }
    }
}

#[test]
fn ops_that_differ_and_faults_end_who_waits() {
    let (outcomes, _) = on_ranks(&[0, 1], |process| {
        let operation = ["stablehlo.all_gather", "stablehlo.all_reduce"][process.number()];
        exchange(&collective(operation, &[]), &process, &numbers(&[], 1))
    });
    let messages = outcomes.into_iter().map(Result::unwrap_err);
    assert_eq!(
        messages.collect::<Vec<_>>(),
        [
            "meets 'stablehlo.all_reduce' of another process of its group",
            "meets 'stablehlo.all_gather' of another process of its group"
        ]
    );
    let shared = Arc::new(Shared::new(State::new(0, 3), LIMITS));
    let network = Network::new(Arc::clone(&shared), "program", vec![0, 1, 2], true);
    let process = Process::of(&Arc::new(Cluster::over(Arc::new(network), 3, 1)), 0);
    let gather = collective("stablehlo.all_gather", &[&[0, 1]]);
    shared.state().fail(1, Cause::Silent(Duration::from_secs(5)));
    assert_eq!(
        exchange(&gather, &process, &numbers(&[], 1)).unwrap_err(),
        "waits for rank 1, which has not answered for 5 s"
    );
    let gather = collective("stablehlo.all_gather", &[&[0, 2]]);
    assert_eq!(
        exchange(&gather, &process, &numbers(&[], 1)).unwrap_err(),
        "cannot go on without rank 1, which has not answered for 5 s"
    );
}

#[test]
fn grids_within_a_grid() {
    let (got, _) = on_ranks(&[0, 1, 2], |process| {
        assert!(process.grid_within(2, 2).is_err());
        let grid = process.grid_within(2, 1).unwrap();
        let own = (0..2).find(|number| grid.is_here(*number));
        let results = own.map(|number| {
            let process = Process::of(&grid, number);
            let collective = collective("stablehlo.all_gather", &[]);
            let got = exchange(&collective, &process, &numbers(&[], number as i64)).unwrap();
            numbers(&[], got.iter().sum::<i64>() + 10 * number as i64)
        });
        let all = process.share(&grid, results.into_iter().collect()).unwrap();
        all.concat().iter().map(|value| value.get_i128(0)).collect::<Vec<_>>()
    });
    assert_eq!(got, vec![vec![1, 11]; 3]);
}
