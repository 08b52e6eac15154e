use super::*;
use std::sync::mpsc::{Sender, channel};

/// A job that reports its start, and ends when it is cancelled or its channel closes.
fn waiting(jobs: &Jobs, started: Sender<()>) -> Sender<()> {
    let (sender, receiver) = channel::<()>();
    jobs.submit(move |cancellation| {
        started.send(()).unwrap();
        while !cancellation.is_cancelled() {
            match receiver.try_recv() {
                Ok(()) => return,
                Err(_) => thread::yield_now(),
            }
        }
    });
    sender
}

#[test]
fn jobs_run_in_their_order_on_one_thread() {
    let jobs = Jobs::default();
    let seen: Arc<Mutex<Vec<usize>>> = Arc::default();
    for number in 0..20 {
        let seen = Arc::clone(&seen);
        jobs.submit(move |_| lock(&seen).push(number));
    }
    jobs.wait();
    assert_eq!(*lock(&seen), (0..20).collect::<Vec<_>>());
}

#[test]
fn a_panic_ends_one_job() {
    let jobs = Jobs::default();
    jobs.submit(|_| panic!("this panic is a part of the test"));
    let (sender, receiver) = channel();
    jobs.submit(move |_| sender.send(()).unwrap());
    jobs.wait();
    receiver.try_recv().unwrap();
}

#[test]
fn an_owner_that_is_dropped_cancels_its_jobs_alone() {
    let (dropped, other) = (Jobs::default(), Jobs::default());
    let (started, starts) = channel();
    let _never_told = waiting(&dropped, started);
    starts.recv().unwrap();
    let (sender, receiver) = channel();
    let of_dropped = sender.clone();
    dropped.submit(move |_| of_dropped.send("dropped").unwrap());
    other.submit(move |_| sender.send("other").unwrap());
    drop(dropped);
    other.wait();
    assert_eq!(receiver.iter().collect::<Vec<_>>(), ["other"]);
}

#[test]
fn a_job_may_own_another_owner() {
    let (outer, inner) = (Jobs::default(), Jobs::default());
    let (started, starts) = channel();
    let go_on = waiting(&outer, started);
    starts.recv().unwrap();
    inner.submit(|_| {});
    outer.submit(move |_| drop(inner));
    go_on.send(()).unwrap();
    drop(outer);
}
