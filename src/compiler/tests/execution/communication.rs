//! Programs of several processes, which are threads: collectives, transfers, feeds, and failures.
//! Expected values come from the specification's examples where possible.

use super::compile::cpu_executable;
use super::{Literal, PrintOptions, executables, expect, options, outcomes};
use halo_backend::CompileOptions;
use halo_runtime::{CustomCallRegistry, Executable, ExecuteOptions, Process};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

fn i64s(dims: &[usize], values: &[i64]) -> Literal {
    Literal::from_slice(dims, values).unwrap()
}

pub type Outcomes = Vec<Result<Vec<String>, String>>;

/// Runs a program once in each process of a grid.
pub fn on_grid(
    executable: &dyn Executable,
    processes: &[Arc<Process>],
    inputs: &[Vec<Literal>],
) -> Outcomes {
    thread::scope(|scope| {
        let run = |(number, process): (usize, &Arc<Process>)| {
            let process = Arc::clone(process);
            let inputs = inputs.get(number).map_or(&[][..], Vec::as_slice);
            scope.spawn(move || {
                let options = ExecuteOptions {
                    process: Some(&process),
                    ..ExecuteOptions::default()
                };
                let outputs = executable.run_with(&options, inputs);
                let print = |it: &Literal| it.display(PrintOptions::default()).to_string();
                let outputs = outputs.map(|outputs| outputs.iter().map(print).collect());
                outputs.map_err(|error| error.to_string())
            })
        };
        let threads: Vec<_> = processes.iter().enumerate().map(run).collect();
        (threads.into_iter().map(|thread| thread.join().unwrap())).collect()
    })
}

/// Runs a program on a grid, on every backend. The inputs and expected results are in the order of
/// the processes.
#[track_caller]
fn expect_grid(
    code: &str,
    (replicas, partitions): (usize, usize),
    inputs: &[Vec<Literal>],
    expected: &[&[&str]],
) {
    for (_, executable) in executables(code) {
        let processes = Process::grid(replicas, partitions);
        let outcomes = on_grid(&*executable, &processes, inputs);
        let outcomes: Vec<_> = outcomes.into_iter().map(Result::unwrap).collect();
        assert_eq!(outcomes, expected);
    }
}

#[test]
fn gathers() {
    let result = "dense<[[1, 2, 5, 6], [3, 4, 7, 8]]> : tensor<2x4xi64>";
    expect_grid(
        "func.func @main(%x: tensor<2x2xi64>) -> tensor<2x4xi64> {
           %0 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 1 : i64,
             replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x2xi64>) -> tensor<2x4xi64>
           return %0 : tensor<2x4xi64>
         }",
        (2, 1),
        &[
            vec![i64s(&[2, 2], &[1, 2, 3, 4])],
            vec![i64s(&[2, 2], &[5, 6, 7, 8])],
        ],
        &[&[result], &[result]],
    );
}

#[test]
fn reduces_and_scatters() {
    expect_grid(
        "func.func @main(%x: tensor<2x4xi64>) -> tensor<2x2xi64> {
           %0 = \"stablehlo.reduce_scatter\"(%x) ({
           ^bb0(%a: tensor<i64>, %b: tensor<i64>):
             %1 = stablehlo.add %a, %b : tensor<i64>
             stablehlo.return %1 : tensor<i64>
           }) {scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
             : (tensor<2x4xi64>) -> tensor<2x2xi64>
           return %0 : tensor<2x2xi64>
         }",
        (2, 1),
        &[
            vec![i64s(&[2, 4], &[1, 2, 3, 4, 5, 6, 7, 8])],
            vec![i64s(&[2, 4], &[9, 10, 11, 12, 13, 14, 15, 16])],
        ],
        &[
            &["dense<[[10, 12], [18, 20]]> : tensor<2x2xi64>"],
            &["dense<[[14, 16], [22, 24]]> : tensor<2x2xi64>"],
        ],
    );
}

#[test]
fn exchanges_with_all_and_permutes() {
    expect_grid(
        "func.func @main(%x: tensor<2x4xi64>) -> (tensor<4x2xi64>, tensor<2x4xi64>) {
           %0 = \"stablehlo.all_to_all\"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64,
             split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
             : (tensor<2x4xi64>) -> tensor<4x2xi64>
           %1 = \"stablehlo.collective_permute\"(%x) {
             source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2x4xi64>) -> tensor<2x4xi64>
           return %0, %1 : tensor<4x2xi64>, tensor<2x4xi64>
         }",
        (2, 1),
        &[
            vec![i64s(&[2, 4], &[1, 2, 3, 4, 5, 6, 7, 8])],
            vec![i64s(&[2, 4], &[9, 10, 11, 12, 13, 14, 15, 16])],
        ],
        &[
            &[
                "dense<[[1, 2], [5, 6], [9, 10], [13, 14]]> : tensor<4x2xi64>",
                "dense<0> : tensor<2x4xi64>",
            ],
            &[
                "dense<[[3, 4], [7, 8], [11, 12], [15, 16]]> : tensor<4x2xi64>",
                "dense<[[1, 2, 3, 4], [5, 6, 7, 8]]> : tensor<2x4xi64>",
            ],
        ],
    );
}

/// Groups of different sizes, which only the runtime can determine, and a root for each operand.
#[test]
fn groups_of_any_size() {
    expect_grid(
        "func.func @main(%x: tensor<2xi64>) -> (tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) {
           %0 = \"stablehlo.all_reduce\"(%x) ({
           ^bb0(%a: tensor<i64>, %b: tensor<i64>):
             %3 = stablehlo.multiply %a, %b : tensor<i64>
             stablehlo.return %3 : tensor<i64>
           }) {replica_groups = dense<[[0, 2], [1, -1]]> : tensor<2x2xi64>} : (tensor<2xi64>) -> tensor<2xi64>
           %1 = \"stablehlo.all_reduce\"(%x) ({
           ^bb0(%a: tensor<i64>, %b: tensor<i64>):
             %3 = stablehlo.subtract %a, %b : tensor<i64>
             stablehlo.return %3 : tensor<i64>
           }) {replica_groups = dense<> : tensor<0x0xi64>} : (tensor<2xi64>) -> tensor<2xi64>
           %roots = stablehlo.constant dense<2> : tensor<1xi32>
           %2 = \"stablehlo.collective_broadcast\"(%x, %roots) {has_dynamic_root,
             replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<2xi64>, tensor<1xi32>) -> tensor<2xi64>
           return %0, %1, %2 : tensor<2xi64>, tensor<2xi64>, tensor<2xi64>
         }",
        (3, 1),
        &[
            vec![i64s(&[2], &[2, 3])],
            vec![i64s(&[2], &[4, 5])],
            vec![i64s(&[2], &[6, 7])],
        ],
        &[
            &[
                "dense<[12, 21]> : tensor<2xi64>",
                "dense<[-8, -9]> : tensor<2xi64>",
                "dense<[6, 7]> : tensor<2xi64>",
            ],
            &[
                "dense<[4, 5]> : tensor<2xi64>",
                "dense<[-8, -9]> : tensor<2xi64>",
                "dense<[6, 7]> : tensor<2xi64>",
            ],
            &[
                "dense<[12, 21]> : tensor<2xi64>",
                "dense<[-8, -9]> : tensor<2xi64>",
                "dense<[6, 7]> : tensor<2xi64>",
            ],
        ],
    );
}

/// IDs of all replicas and all partitions.
#[test]
fn grids_of_two_dimensions() {
    let expected = |replica: u32, partition: u32| {
        [
            format!("dense<{replica}> : tensor<ui32>"),
            format!("dense<{partition}> : tensor<ui32>"),
            "dense<6> : tensor<ui32>".to_owned(),
            format!("dense<{}> : tensor<ui32>", 2 * partition + 1),
            format!("dense<{}> : tensor<ui32>", 2 * replica + 1),
        ]
    };
    let expected = [
        expected(0, 0),
        expected(0, 1),
        expected(1, 0),
        expected(1, 1),
    ]
    .map(|values| values.map(|value| &*value.leak()));
    // Process 2r + p has the number 2p + r, so that sums distinguish groups.
    expect_grid(
        "func.func @main() -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>) {
           %r = stablehlo.replica_id : tensor<ui32>
           %p = stablehlo.partition_id : tensor<ui32>
           %two = stablehlo.constant dense<2> : tensor<ui32>
           %0 = stablehlo.multiply %p, %two : tensor<ui32>
           %x = stablehlo.add %0, %r : tensor<ui32>
           %all = \"stablehlo.all_reduce\"(%x) ({
           ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
             %3 = stablehlo.add %a, %b : tensor<ui32>
             stablehlo.return %3 : tensor<ui32>
           }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>,
               channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>} : (tensor<ui32>) -> tensor<ui32>
           %largest = \"stablehlo.all_reduce\"(%x) ({
           ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
             %3 = stablehlo.maximum %a, %b : tensor<ui32>
             stablehlo.return %3 : tensor<ui32>
           }) {replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<ui32>) -> tensor<ui32>
           %y = stablehlo.multiply %r, %two : tensor<ui32>
           %ids = stablehlo.add %y, %p : tensor<ui32>
           %flat = \"stablehlo.all_reduce\"(%ids) ({
           ^bb0(%a: tensor<ui32>, %b: tensor<ui32>):
             %3 = stablehlo.maximum %a, %b : tensor<ui32>
             stablehlo.return %3 : tensor<ui32>
           }) {replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids,
               channel_handle = #stablehlo.channel_handle<handle = 2, type = 0>} : (tensor<ui32>) -> tensor<ui32>
           return %r, %p, %all, %largest, %flat
             : tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>
         }",
        (2, 2),
        &[],
        &[&expected[0], &expected[1], &expected[2], &expected[3]],
    );
}

/// Scalars, empty tensors, booleans, complex numbers and narrow floats in one collective.
#[test]
fn elements_of_any_type() {
    let code = "func.func @main(%a: tensor<bf16>, %b: tensor<0x3xf32>, %c: tensor<2xi1>,
             %d: tensor<1xcomplex<f32>>, %e: tensor<2x1xi8>)
             -> (tensor<bf16>, tensor<2xi1>, tensor<0x3xf32>, tensor<2xcomplex<f32>>, tensor<2x2xi8>) {
           %0 = \"stablehlo.all_reduce\"(%a) ({
           ^bb0(%x: tensor<bf16>, %y: tensor<bf16>):
             %3 = stablehlo.add %x, %y : tensor<bf16>
             stablehlo.return %3 : tensor<bf16>
           }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<bf16>) -> tensor<bf16>
           %1 = \"stablehlo.all_reduce\"(%c) ({
           ^bb0(%x: tensor<i1>, %y: tensor<i1>):
             %3 = stablehlo.xor %x, %y : tensor<i1>
             stablehlo.return %3 : tensor<i1>
           }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xi1>) -> tensor<2xi1>
           %2 = \"stablehlo.collective_permute\"(%b) {
             source_target_pairs = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>} : (tensor<0x3xf32>) -> tensor<0x3xf32>
           %4 = \"stablehlo.all_gather\"(%d) {all_gather_dim = 0 : i64,
             replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<1xcomplex<f32>>) -> tensor<2xcomplex<f32>>
           %5 = \"stablehlo.all_gather\"(%e) {all_gather_dim = 1 : i64,
             replica_groups = dense<[[1, 0]]> : tensor<1x2xi64>} : (tensor<2x1xi8>) -> tensor<2x2xi8>
           return %0, %1, %2, %4, %5
             : tensor<bf16>, tensor<2xi1>, tensor<0x3xf32>, tensor<2xcomplex<f32>>, tensor<2x2xi8>
         }";
    let literals = |texts: [&str; 5]| -> Vec<Literal> {
        let parse = |text: &&str| Literal::parse(text, None).unwrap();
        texts.iter().map(parse).collect()
    };
    let expected: &[&str] = &[
        "dense<3.750000e+00> : tensor<bf16>",
        "dense<[true, false]> : tensor<2xi1>",
        "dense<> : tensor<0x3xf32>",
        "dense<[(3.000000e+00,4.000000e+00), (1.000000e+00,2.000000e+00)]> : tensor<2xcomplex<f32>>",
        "dense<[[3, 1], [4, -2]]> : tensor<2x2xi8>",
    ];
    expect_grid(
        code,
        (2, 1),
        &[
            literals([
                "dense<1.5> : tensor<bf16>",
                "dense<> : tensor<0x3xf32>",
                "dense<[true, true]> : tensor<2xi1>",
                "dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>",
                "dense<[[1], [-2]]> : tensor<2x1xi8>",
            ]),
            literals([
                "dense<2.25> : tensor<bf16>",
                "dense<> : tensor<0x3xf32>",
                "dense<[false, true]> : tensor<2xi1>",
                "dense<[(3.0, 4.0)]> : tensor<1xcomplex<f32>>",
                "dense<[[3], [4]]> : tensor<2x1xi8>",
            ]),
        ],
        &[expected, expected],
    );
}

const SUMS: &str = "func.func @main(%x: tensor<i64>) -> tensor<i64> {
           %zero = stablehlo.constant dense<0> : tensor<i64>
           %one = stablehlo.constant dense<1> : tensor<i64>
           %n = stablehlo.constant dense<50> : tensor<i64>
           %0:2 = stablehlo.while(%i = %zero, %s = %x) : tensor<i64>, tensor<i64>
           cond {
             %c = stablehlo.compare LT, %i, %n : (tensor<i64>, tensor<i64>) -> tensor<i1>
             stablehlo.return %c : tensor<i1>
           } do {
             %t = \"stablehlo.all_reduce\"(%i) ({
             ^bb0(%a: tensor<i64>, %b: tensor<i64>):
               %3 = stablehlo.add %a, %b : tensor<i64>
               stablehlo.return %3 : tensor<i64>
             }) {replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>} : (tensor<i64>) -> tensor<i64>
             %u = stablehlo.add %s, %t : tensor<i64>
             %j = stablehlo.add %i, %one : tensor<i64>
             stablehlo.return %j, %u : tensor<i64>, tensor<i64>
           }
           return %0#1 : tensor<i64>
         }";

/// Replica 0 reaches a collective after replica 1 has computed the ops after it. In program order,
/// they would deadlock.
#[test]
fn compiled_programs_compute_while_messages_move() {
    let (done, is_done) = (Mutex::new(false), Condvar::new());
    let state = Arc::new((done, is_done));
    let (early, late) = (Arc::clone(&state), Arc::clone(&state));
    let mut handlers = CustomCallRegistry::default();
    handlers.register("test.before", move |call| {
        call.results[0].bytes.copy_from_slice(&1_i32.to_le_bytes());
        if call.process.replica == 1 {
            return Ok(());
        }
        let (done, is_done) = &*early;
        let limit = Duration::from_secs(60);
        let waited =
            is_done.wait_timeout_while(done.lock().unwrap(), limit, |done| !*done).unwrap();
        if waited.1.timed_out() {
            Err("waits for the other replica".to_owned())
        } else {
            Ok(())
        }
    });
    handlers.register("test.behind", move |call| {
        call.results[0].bytes.copy_from_slice(&2_i32.to_le_bytes());
        if call.process.replica == 1 {
            *late.0.lock().unwrap() = true;
            late.1.notify_all();
        }
        Ok(())
    });
    let options = CompileOptions {
        custom_calls: Arc::new(handlers),
        ..options()
    };
    let code = "func.func @main(%x: tensor<1000xi64>) -> (tensor<i32>, tensor<2xi64>, tensor<i32>) {
           %0 = stablehlo.custom_call @test.before() {has_side_effect = false} : () -> tensor<i32>
           %1 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64,
             replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1000xi64>) -> tensor<2000xi64>
           %2 = stablehlo.slice %1 [0:2000:1000] : (tensor<2000xi64>) -> tensor<2xi64>
           %3 = stablehlo.custom_call @test.behind() {has_side_effect = false} : () -> tensor<i32>
           return %0, %2, %3 : tensor<i32>, tensor<2xi64>, tensor<i32>
         }";
    let executable = cpu_executable(code, &options);
    let inputs = [5, 7].map(|first| vec![i64s(&[1000], &[first; 1000])]);
    let outcomes = on_grid(&*executable, &Process::grid(2, 1), &inputs);
    let expected = [
        "dense<1> : tensor<i32>",
        "dense<[5, 7]> : tensor<2xi64>",
        "dense<2> : tensor<i32>",
    ];
    for outcome in outcomes {
        assert_eq!(outcome.unwrap(), expected);
    }
}

/// A grid can be used for several runs.
#[test]
fn many_rounds_in_several_runs() {
    for (_, executable) in executables(SUMS) {
        let processes = Process::grid(3, 1);
        for run in 0..3 {
            let inputs = [0, 1, 2].map(|number| vec![Literal::scalar(run + number as i64)]);
            let outcomes = on_grid(&*executable, &processes, &inputs);
            // 3 (0 + 1 + ... + 49)
            let expected = [0, 1, 2].map(|number| {
                Ok(vec![format!(
                    "dense<{}> : tensor<i64>",
                    3675 + run + number
                )])
            });
            assert_eq!(outcomes, expected);
        }
    }
}

/// One process fails. The other processes are notified, and it takes part in no more collectives.
#[test]
fn a_failure_ends_the_others() {
    let code = SUMS.replace(
        "%zero =",
        "%r = stablehlo.replica_id : tensor<ui32>
         %number = stablehlo.convert %r : (tensor<ui32>) -> tensor<i64>
         %limit = stablehlo.constant dense<1> : tensor<i64>
         %least = stablehlo.minimum %number, %limit : tensor<i64>
         check.expect_eq %number, %least : tensor<i64>
         %zero =",
    );
    for (_, executable) in executables(&code) {
        let processes = Process::grid(3, 1);
        let inputs = [0; 3].map(|number| vec![Literal::scalar(number as i64)]);
        let outcomes = on_grid(&*executable, &processes, &inputs);
        for (number, outcome) in outcomes.into_iter().enumerate() {
            let message = outcome.unwrap_err();
            let expected = match number {
                2 => "1 of 1 elements differ",
                _ => "'stablehlo.all_reduce' op waits for what never comes: ",
            };
            assert!(message.contains(expected), "{message}");
        }
        assert_eq!(processes[0].cluster.first_failed(), Some(2));
        let again = on_grid(&*executable, &processes[2..], &inputs);
        let message = again[0].as_ref().unwrap_err();
        assert!(message.contains("partition 0 has ended"), "{message}");
    }
}

const ECHO: &str = "func.func @main() -> tensor<2xf32> {
           %t = stablehlo.create_token : !stablehlo.token
           %x, %n, %u = \"stablehlo.infeed\"(%t) {infeed_config = \"\"}
             : (!stablehlo.token) -> (tensor<2xf32>, tensor<f32>, !stablehlo.token)
           %y = stablehlo.broadcast_in_dim %n, dims = [] : (tensor<f32>) -> tensor<2xf32>
           %z = stablehlo.multiply %x, %y : tensor<2xf32>
           %v = \"stablehlo.outfeed\"(%z, %u) {outfeed_config = \"\"}
             : (tensor<2xf32>, !stablehlo.token) -> !stablehlo.token
           return %x : tensor<2xf32>
         }";

#[test]
fn feeds_are_queues() {
    for (_, executable) in executables(ECHO) {
        let process = Process::grid(1, 1);
        let (infeed, outfeed) = (
            process[0].cluster.open_infeed(),
            process[0].cluster.open_outfeed(),
        );
        for factor in [2.0_f32, 3.0] {
            let values = Literal::from_slice(&[2], &[1.0_f32, -2.0]).unwrap();
            infeed.put(vec![Arc::new(values), Arc::new(Literal::scalar(factor))]);
        }
        for factor in [2.0, 3.0] {
            let outcomes = on_grid(&*executable, &process, &[]);
            let expected = "dense<[1.000000e+00, -2.000000e+00]> : tensor<2xf32>";
            assert_eq!(outcomes, [Ok(vec![expected.to_owned()])]);
            let written = outfeed.take().unwrap();
            assert_eq!(
                written[0].as_slice::<f32>().unwrap(),
                [factor, -2.0 * factor]
            );
        }
        drop(infeed);
        let outcomes = on_grid(&*executable, &process, &[]);
        let message = outcomes[0].as_ref().unwrap_err();
        assert!(
            message.ends_with("'stablehlo.infeed' op finds the infeed empty"),
            "{message}"
        );
    }
}

#[test]
fn an_infeed_with_other_values_is_an_error() {
    let process = Process::grid(1, 1);
    // The interpreter accepts any size.
    for (_, executable) in executables(ECHO).into_iter().take(1) {
        let infeed = process[0].cluster.open_infeed();
        infeed.put(vec![Arc::new(Literal::scalar(1.0_f32))]);
        let outcomes = on_grid(&*executable, &process, &[]);
        let message = outcomes[0].as_ref().unwrap_err();
        let expected = "'stablehlo.infeed' op expects 2 values, but 1 were given";
        assert!(message.ends_with(expected), "{message}");
    }
}

/// Entries take and return values as tensors.
#[test]
fn tuples_and_tokens_of_entries() {
    expect(
        "func.func @main(%t: tuple<tensor<2xf32>, tuple<tensor<i32>>>, %k: !stablehlo.token, %n: tensor<i32>)
             -> (!stablehlo.token, tuple<tensor<i32>, tensor<2xf32>>) {
           %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tensor<2xf32>
           %1 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tuple<tensor<i32>>>) -> tuple<tensor<i32>>
           %2 = stablehlo.get_tuple_element %1[0] : (tuple<tensor<i32>>) -> tensor<i32>
           %3 = stablehlo.add %2, %n : tensor<i32>
           %4 = stablehlo.negate %0 : tensor<2xf32>
           %5 = stablehlo.tuple %3, %4 : tuple<tensor<i32>, tensor<2xf32>>
           %6 = stablehlo.after_all %k, %k : !stablehlo.token
           return %6, %5 : !stablehlo.token, tuple<tensor<i32>, tensor<2xf32>>
         }",
        &[
            super::f32s(&[2], &[1.0, -2.0]),
            Literal::scalar(5_i32),
            Literal::scalar(7_i32),
        ],
        &[
            "dense<12> : tensor<i32>",
            "dense<[-1.000000e+00, 2.000000e+00]> : tensor<2xf32>",
        ],
    );
}

#[test]
fn programs_that_run_themselves_are_refused() {
    let code = "func.func @main() {
           \"interpreter.run_parallel\"() {programs = [[@other]]} : () -> ()
           return
         }
         func.func private @other() {
           \"interpreter.run_parallel\"() {programs = [[@main]]} : () -> ()
           return
         }";
    for (_, outcome) in outcomes(code, &[], &options()) {
        let message = outcome.unwrap_err();
        let expected = [
            "'interpreter.run_parallel' op runs 'main' inside of itself",
            "'interpreter.run_parallel' op is nested more than 8 levels deep",
        ];
        assert!(
            expected.iter().any(|end| message.ends_with(end)),
            "{message}"
        );
    }
}

/// Groups given as lists, as numbers in order, and by the axes of a mesh, and one exchange of the
/// parts of several arrays.
#[test]
fn hlo_text_on_a_grid() {
    let code = "HloModule m, replica_count=4
         sum {
           a = s64[] parameter(0)
           b = s64[] parameter(1)
           ROOT add = s64[] add(a, b)
         }
         ENTRY main {
           x = s64[1] parameter(0)
           gathered = s64[2] all-gather(x), dimensions={0}, replica_groups=[2,2]<=[4]
           strided = s64[2] all-gather(x), dimensions={0}, replica_groups=[2,2]<=[2,2]T(1,0)
           start = s64[1] all-reduce-start(x), replica_groups=mesh['a'=2,'b'=2] {'b'}, to_apply=sum
           reduced = s64[1] all-reduce-done(start)
           moved = s64[1] collective-permute(x), source_target_pairs={{0,1},{1,2},{2,3}}
           ten = s64[1] constant({10})
           more = s64[1] multiply(x, ten)
           parts = (s64[1], s64[1]) all-to-all(x, more), replica_groups={{0,1},{2,3}}
           one = s64[1] get-tuple-element(parts), index=0
           other = s64[1] get-tuple-element(parts), index=1
           ROOT all = s64[8] concatenate(gathered, strided, reduced, moved, one, other), dimensions={0}
         }";
    expect_grid(
        code,
        (4, 1),
        &[
            vec![i64s(&[1], &[1])],
            vec![i64s(&[1], &[2])],
            vec![i64s(&[1], &[3])],
            vec![i64s(&[1], &[4])],
        ],
        &[
            &["dense<[1, 2, 1, 3, 3, 0, 1, 2]> : tensor<8xi64>"],
            &["dense<[1, 2, 2, 4, 3, 1, 10, 20]> : tensor<8xi64>"],
            &["dense<[3, 4, 1, 3, 7, 2, 3, 4]> : tensor<8xi64>"],
            &["dense<[3, 4, 2, 4, 7, 3, 30, 40]> : tensor<8xi64>"],
        ],
    );
}
