//! Ranks that are threads of this process, connected by TCP.

use std::collections::HashMap;
use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, TcpStream};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use halo_runtime::Process;

use super::*;
use crate::network::tests::{collective, exchange, numbers};

const HOST: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

/// A store of this process.
#[derive(Default)]
struct Texts {
    texts: Mutex<HashMap<String, String>>,
    changed: Condvar,
}

impl Store for Texts {
    fn put(&self, key: &str, value: &str) -> Result<(), String> {
        self.texts.lock().unwrap().insert(key.to_owned(), value.to_owned());
        self.changed.notify_all();
        Ok(())
    }

    fn get(&self, key: &str, timeout: Duration) -> Result<String, String> {
        let texts = self.texts.lock().unwrap();
        let waited = self
            .changed
            .wait_timeout_while(texts, timeout, |texts| !texts.contains_key(key));
        waited.unwrap().0.get(key).cloned().ok_or_else(|| "timeout".to_owned())
    }
}

fn start(rank: usize, size: usize, store: &Texts, timeout: Duration) -> Result<Job, String> {
    let place = Place {
        rank,
        size,
        host: HOST,
        timeout,
        data: &format!("data of {rank}"),
    };
    Job::start(&place, store)
}

/// Runs a function as each rank of a job.
fn on_ranks<T: Send>(size: usize, run: impl Fn(usize, Job) -> T + Sync) -> Vec<T> {
    let store = Texts::default();
    thread::scope(|scope| {
        let (store, run) = (&store, &run);
        let ranks = (0..size).map(|rank| {
            scope.spawn(move || {
                run(
                    rank,
                    start(rank, size, store, Duration::from_secs(20)).unwrap(),
                )
            })
        });
        let ranks: Vec<_> = ranks.collect();
        ranks.into_iter().map(|rank| rank.join().unwrap()).collect()
    })
}

/// Runs a function as each process of a run on a rank, on threads, and returns their outcomes.
fn on_processes<T: Send>(
    job: &Job,
    rank: usize,
    key: &[u8],
    ranks: &[usize],
    run: impl Fn(&Process) -> T + Sync,
) -> Vec<T> {
    let cluster = Arc::new(job.cluster(&[key], "program", ranks.to_vec(), 1));
    let own: Vec<usize> = (0..ranks.len()).filter(|process| ranks[*process] == rank).collect();
    thread::scope(|scope| {
        let (cluster, run) = (&cluster, &run);
        let threads = own
            .iter()
            .map(|process| scope.spawn(move || run(&Process::of(cluster, *process))));
        let threads: Vec<_> = threads.collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Each movement has the results of threads, for processes that are distributed among ranks in any
/// way, in several groups at once, with inline and with larger values.
#[test]
fn movements_between_processes_of_ranks() {
    let ring: &[&[usize]] = &[&[0, 3], &[3, 1], &[5, 0]];
    let halves: &[&[usize]] = &[&[4, 0, 2], &[1, 3, 5]];
    for size in [5, 3000] {
        let all = |process: &Process| {
            let mut results = Vec::new();
            for round in 0..3 {
                for (operation, rows, count) in [
                    ("stablehlo.all_gather", halves, 1),
                    ("stablehlo.all_to_all", halves, 3),
                    ("stablehlo.reduce_scatter", halves, 3),
                    ("stablehlo.collective_broadcast", halves, 1),
                    ("stablehlo.collective_reduce", halves, 1),
                    ("stablehlo.collective_permute", ring, 1),
                    ("stablehlo.all_gather", &[], 1),
                ] {
                    let own = numbers(&[count, size], 100_000 * process.number() as i64 + round);
                    results.push(exchange(&collective(operation, rows), process, &own).unwrap());
                }
            }
            results
        };
        let expected: Vec<_> = thread::scope(|scope| {
            let processes = Process::grid(6, 1).into_iter();
            let all = &all;
            let threads: Vec<_> =
                processes.map(|process| scope.spawn(move || all(&process))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for ranks in [[0, 0, 0, 1, 1, 1], [2, 1, 0, 1, 2, 0], [1, 1, 1, 1, 0, 1]] {
            let got = on_ranks(ranks.iter().max().unwrap() + 1, |rank, job| {
                let results = on_processes(&job, rank, b"run", &ranks, all);
                assert!(job.0.shared.state().grids.is_empty());
                results
            });
            let own = |rank: usize| (0..6).filter(move |process| ranks[*process] == rank);
            for (rank, results) in got.iter().enumerate() {
                for (process, result) in own(rank).zip(results) {
                    assert_eq!(*result, expected[process], "{ranks:?}, process {process}");
                }
            }
        }
    }
}

/// Runs on subsets of the devices, at the same time, do not receive values of each other.
#[test]
fn runs_at_the_same_time() {
    on_ranks(3, |rank, job| {
        assert_eq!(job.data(), ["data of 0", "data of 1", "data of 2"]);
        thread::scope(|scope| {
            for (key, ranks) in [
                (b"a", vec![0, 1, 2, 2]),
                (b"b", vec![2, 0]),
                (b"c", vec![1, 2]),
            ] {
                let job = &job;
                scope.spawn(move || {
                    for round in 0..50 {
                        let key = [&key[..], &[round]].concat();
                        on_processes(job, rank, &key, &ranks, |process| {
                            let first = |process: usize| i64::from(key[0]) * 1000 + process as i64;
                            let own = numbers(&[], first(process.number()));
                            let gather = collective("stablehlo.all_gather", &[]);
                            let got = exchange(&gather, process, &own).unwrap();
                            assert_eq!(got, (0..ranks.len()).map(first).collect::<Vec<_>>());
                        });
                    }
                });
            }
        });
    });
}

/// The end of a rank ends the waits of the ranks that need it, directly or not, and of no others.
#[test]
fn a_rank_that_ends() {
    let outcomes = on_ranks(4, |rank, job| {
        if rank == 0 {
            return String::new();
        }
        let row: &[usize] = [&[0, 1], &[1, 2], &[3, 2]][rank - 1];
        let gather = collective("stablehlo.all_gather", &[row]);
        let outcome = on_processes(&job, rank, b"run", &[0, 1, 2, 3], |process| {
            let outcome = exchange(&gather, process, &numbers(&[], 1));
            process.end(outcome.is_err());
            outcome.unwrap_err()
        });
        // Other ranks may already be in the next run.
        assert!(!job.0.shared.state().grids.contains_key(&Key::of(&[b"run"])));
        let alive = on_processes(&job, rank, b"others", &[1, 2, 3], |process| {
            exchange(
                &collective("stablehlo.all_gather", &[]),
                process,
                &numbers(&[], 1),
            )
            .unwrap()
        });
        assert_eq!(alive, [[1; 3]]);
        outcome[0].clone()
    });
    let ended = "waits for rank 0, whose process has ended";
    let first = format!("waits for rank 1, which has failed: 'stablehlo.all_gather' {ended}");
    let second = format!("waits for rank 2, which has failed: 'stablehlo.all_gather' {first}");
    assert_eq!(outcomes, ["", ended, &first, &second]);
}

#[test]
fn ranks_that_run_different_programs() {
    let outcomes = on_ranks(2, |rank, job| {
        let program = ["first", "second"][rank];
        let cluster = Arc::new(job.cluster(&[b"run"], program, vec![0, 1], 1));
        let process = Process::of(&cluster, rank);
        exchange(
            &collective("stablehlo.all_gather", &[]),
            &process,
            &numbers(&[], 1),
        )
        .unwrap_err()
    });
    assert_eq!(
        outcomes[0],
        "is in program 'first', but rank 1 runs 'second': all ranks must run the same programs in \
         the same order"
    );
    assert!(
        outcomes[1].contains("rank 0 runs 'first'"),
        "{}",
        outcomes[1]
    );
}

/// Connections without the secret are dropped, and do not keep the ranks from starting.
#[test]
fn strangers_and_missing_ranks() {
    let store = Texts::default();
    thread::scope(|scope| {
        let first = scope.spawn(|| start(0, 2, &store, Duration::from_secs(20)));
        let record = store.get("halo/rank/0", Duration::from_secs(20)).unwrap();
        let address = record.split(' ').next().unwrap();
        let mut strangers = Vec::new();
        for greeting in [
            vec![0; 48],
            [&b"HALOTCP1"[..], &[b'0'; 32], &[1, 0, 0, 0]].concat(),
        ] {
            let mut stranger = TcpStream::connect(address).unwrap();
            stranger.write_all(&greeting).unwrap();
            strangers.push(stranger);
        }
        let second = scope.spawn(|| start(1, 2, &store, Duration::from_secs(20)));
        assert!(first.join().unwrap().is_ok() && second.join().unwrap().is_ok());
    });
    let short = Duration::from_millis(50);
    let message = start(0, 2, &Texts::default(), short).err().unwrap();
    assert_eq!(message, "rank 1 has not started: timeout");
}
