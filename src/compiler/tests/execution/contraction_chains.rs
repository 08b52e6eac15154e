//! Products of products, which are fused and tiled along rows. Expected values are computed here,
//! by loops over the formula.

use super::{compile::cpu_executable, options, run};
use halo_backend::{CompileOptions, PipelineEdit};
use halo_core::Literal;

/// Small numbers without a pattern along rows or columns.
fn numbers(dims: &[usize]) -> (Literal, Vec<i32>) {
    let count: usize = dims.iter().product();
    let values: Vec<i32> =
        (0..count).map(|number| ((number * 7919 + 13) % 1009) as i32 % 7 - 3).collect();
    (Literal::from_slice(dims, &values).unwrap(), values)
}

fn dot(one: &[i32], other: impl Iterator<Item = i32>) -> i32 {
    one.iter().zip(other).map(|(x, y)| x * y).sum()
}

/// The differences between the elements of a row and its maximum, multiplied by 4 columns.
fn attend(row: &[i32], values: &[i32]) -> Vec<i32> {
    let maximum = row.iter().max().unwrap();
    let below: Vec<i32> = row.iter().map(|value| value - maximum).collect();
    let column = |column: usize| values.iter().skip(column).step_by(4).copied();
    (0..4).map(|number| dot(&below, column(number))).collect()
}

#[track_caller]
fn expect(code: &str, inputs: &[Literal], expected: &[i32]) {
    for outputs in run(code, inputs) {
        assert_eq!(outputs[0].as_slice::<i32>().unwrap(), expected);
    }
}

/// 203 rows are a tile of 104 rows and a remainder loop.
#[test]
fn tiles_count_rows_from_their_first_one() {
    let ((q, queries), (k, keys), (v, values)) = (
        numbers(&[8, 203, 4]),
        numbers(&[8, 163, 4]),
        numbers(&[8, 163, 4]),
    );
    let mut expected = Vec::new();
    for number in 0..8 * 203 {
        let (head, query) = (number / 203, &queries[number * 4..][..4]);
        let (keys, values) = (&keys[head * 652..][..652], &values[head * 652..][..652]);
        let scores = keys.chunks(4).enumerate().map(|(position, key)| {
            if position <= number % 203 {
                dot(query, key.iter().copied())
            } else {
                -100
            }
        });
        expected.extend(attend(&scores.collect::<Vec<_>>(), values));
    }
    expect(
        "func.func @main(%q: tensor<8x203x4xi32>, %k: tensor<8x163x4xi32>, %v: tensor<8x163x4xi32>) -> tensor<8x203x4xi32> {
           %low = stablehlo.constant dense<-2147483648> : tensor<i32>
           %masked = stablehlo.constant dense<-100> : tensor<8x203x163xi32>
           %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x203x4xi32>, tensor<8x163x4xi32>) -> tensor<8x203x163xi32>
           %s = stablehlo.iota dim = 1 : tensor<8x203x163xi32>
           %t = stablehlo.iota dim = 2 : tensor<8x203x163xi32>
           %1 = stablehlo.compare LE, %t, %s : (tensor<8x203x163xi32>, tensor<8x203x163xi32>) -> tensor<8x203x163xi1>
           %2 = stablehlo.select %1, %0, %masked : tensor<8x203x163xi1>, tensor<8x203x163xi32>
           %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<8x203x163xi32>, tensor<i32>) -> tensor<8x203xi32>
           %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<8x203xi32>) -> tensor<8x203x163xi32>
           %5 = stablehlo.subtract %2, %4 : tensor<8x203x163xi32>
           %6 = stablehlo.dot_general %5, %v, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<8x203x163xi32>, tensor<8x163x4xi32>) -> tensor<8x203x4xi32>
           return %6 : tensor<8x203x4xi32>
         }",
        &[q, k, v],
        &expected,
    );
}

/// The rows of the first product are (queries, heads), of the second one (heads, queries), and the
/// result is transposed.
#[test]
fn heads_share_keys() {
    let ((q, queries), (k, keys), (v, values)) = (
        numbers(&[4, 96, 3, 4]),
        numbers(&[4, 256, 4]),
        numbers(&[4, 256, 4]),
    );
    let mut expected = Vec::new();
    for number in 0..4 * 4 * 3 * 96 {
        let (batch, column) = (number / 1152, number / 288 % 4);
        let (head, position) = (number / 96 % 3, number % 96);
        let query = &queries[((batch * 96 + position) * 3 + head) * 4..][..4];
        let keys = keys[batch * 1024..][..1024].chunks(4);
        let scores = keys.map(|key| dot(query, key.iter().copied()));
        let row = attend(&scores.collect::<Vec<_>>(), &values[batch * 1024..][..1024]);
        expected.push(row[column]);
    }
    expect(
        "func.func @main(%q: tensor<4x96x3x4xi32>, %k: tensor<4x256x4xi32>, %v: tensor<4x256x4xi32>) -> tensor<4x4x3x96xi32> {
           %low = stablehlo.constant dense<-2147483648> : tensor<i32>
           %0 = stablehlo.dot_general %q, %k, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<4x96x3x4xi32>, tensor<4x256x4xi32>) -> tensor<4x96x3x256xi32>
           %1 = stablehlo.transpose %0, dims = [0, 2, 1, 3] : (tensor<4x96x3x256xi32>) -> tensor<4x3x96x256xi32>
           %2 = stablehlo.reduce(%1 init: %low) applies stablehlo.maximum across dimensions = [3] : (tensor<4x3x96x256xi32>, tensor<i32>) -> tensor<4x3x96xi32>
           %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1, 2] : (tensor<4x3x96xi32>) -> tensor<4x3x96x256xi32>
           %4 = stablehlo.subtract %1, %3 : tensor<4x3x96x256xi32>
           %5 = stablehlo.dot_general %4, %v, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<4x3x96x256xi32>, tensor<4x256x4xi32>) -> tensor<4x3x96x4xi32>
           %6 = stablehlo.transpose %5, dims = [0, 3, 1, 2] : (tensor<4x3x96x4xi32>) -> tensor<4x4x3x96xi32>
           return %6 : tensor<4x4x3x96xi32>
         }",
        &[q, k, v],
        &expected,
    );
}

/// An attention of `batch` heads.
struct Attention {
    batch: usize,
    rows: usize,
    columns: usize,
    depth: usize,
    width: usize,
    /// The type of the factors.
    element: &'static str,
    /// Whether keys are (depth, columns).
    transposed_keys: bool,
}

impl Attention {
    /// The program. Columns before the row are masked: all columns of the first blocks of a row.
    fn code(&self) -> String {
        let Self {
            batch,
            rows,
            columns,
            depth,
            width,
            element,
            transposed_keys,
        } = self;
        let (k_dims, contracted) = if *transposed_keys {
            (format!("{batch}x{depth}x{columns}"), 1)
        } else {
            (format!("{batch}x{columns}x{depth}"), 2)
        };
        let q = format!("tensor<{batch}x{rows}x{depth}x");
        let k = format!("tensor<{k_dims}x");
        let v = format!("tensor<{batch}x{columns}x{width}x");
        let s = format!("tensor<{batch}x{rows}x{columns}x");
        let r = format!("tensor<{batch}x{rows}xf32>");
        let o = format!("tensor<{batch}x{rows}x{width}xf32>");
        format!(
            "func.func @main(%q: {q}f32>, %k: {k}f32>, %v: {v}f32>) -> {o} {{
               %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
               %zero = stablehlo.constant dense<0.0> : tensor<f32>
               %masked = stablehlo.constant dense<0xFF800000> : {s}f32>
               %q0 = stablehlo.convert %q : ({q}f32>) -> {q}{element}>
               %k0 = stablehlo.convert %k : ({k}f32>) -> {k}{element}>
               %v0 = stablehlo.convert %v : ({v}f32>) -> {v}{element}>
               %0 = stablehlo.dot_general %q0, %k0, batching_dims = [0] x [0], contracting_dims = [2] x [{contracted}] : ({q}{element}>, {k}{element}>) -> {s}f32>
               %i = stablehlo.iota dim = 1 : {s}i32>
               %j = stablehlo.iota dim = 2 : {s}i32>
               %1 = stablehlo.compare GE, %j, %i : ({s}i32>, {s}i32>) -> {s}i1>
               %2 = stablehlo.select %1, %0, %masked : {s}i1>, {s}f32>
               %3 = stablehlo.reduce(%2 init: %low) applies stablehlo.maximum across dimensions = [2] : ({s}f32>, tensor<f32>) -> {r}
               %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : ({r}) -> {s}f32>
               %5 = stablehlo.subtract %2, %4 : {s}f32>
               %6 = stablehlo.exponential %5 : {s}f32>
               %7 = stablehlo.reduce(%6 init: %zero) applies stablehlo.add across dimensions = [2] : ({s}f32>, tensor<f32>) -> {r}
               %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : ({r}) -> {s}f32>
               %9 = stablehlo.divide %6, %8 : {s}f32>
               %10 = stablehlo.convert %9 : ({s}f32>) -> {s}{element}>
               %11 = stablehlo.dot_general %10, %v0, batching_dims = [0] x [0], contracting_dims = [2] x [1] : ({s}{element}>, {v}{element}>) -> {o}
               return %11 : {o}
             }}"
        )
    }

    /// The inputs, and the results by the formula.
    fn values(&self) -> ([Literal; 3], Vec<f32>) {
        let dims = |sizes: [usize; 2]| vec![self.batch, sizes[0], sizes[1]];
        let floats = |dims: &[usize], unit: f32| {
            let (_, numbers) = numbers(dims);
            let floats: Vec<f32> = numbers.iter().map(|number| *number as f32 * unit).collect();
            (Literal::from_slice(dims, &floats).unwrap(), floats)
        };
        let (q, queries) = floats(&dims([self.rows, self.depth]), 0.25);
        let key_dims = if self.transposed_keys {
            [self.depth, self.columns]
        } else {
            [self.columns, self.depth]
        };
        let (k, keys) = floats(&dims(key_dims), 0.25);
        let (v, values) = floats(&dims([self.columns, self.width]), 1.0);
        let key = |head: usize, column: usize, at: usize| {
            let start = head * self.columns * self.depth;
            keys[start
                + if self.transposed_keys {
                    at * self.columns + column
                } else {
                    column * self.depth + at
                }]
        };
        let mut expected = Vec::new();
        for (number, query) in queries.chunks(self.depth).enumerate() {
            let (head, row) = (number / self.rows, number % self.rows);
            let score = |column: usize| -> f64 {
                let terms = query.iter().enumerate();
                terms.map(|(at, q)| f64::from(*q) * f64::from(key(head, column, at))).sum()
            };
            let scores: Vec<f64> = (row..self.columns).map(score).collect();
            let maximum = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = scores.iter().map(|score| (score - maximum).exp()).collect();
            let total: f64 = weights.iter().sum();
            let values = &values[head * self.columns * self.width..];
            for column in 0..self.width {
                let terms = weights.iter().enumerate().map(|(at, weight)| {
                    weight * f64::from(values[(row + at) * self.width + column])
                });
                expected.push((terms.sum::<f64>() / total) as f32);
            }
        }
        ([q, k, v], expected)
    }

    #[track_caller]
    fn compare(&self, outputs: &[Literal], expected: &[f32]) {
        let tolerance = if self.element == "f32" { 1e-5 } else { 0.05 };
        let outputs = outputs[0].as_slice::<f32>().unwrap();
        assert_eq!(outputs.len(), expected.len());
        for (own, expected) in outputs.iter().zip(expected) {
            assert!(
                (own - expected).abs() <= tolerance,
                "{own} is not {expected}"
            );
        }
    }

    /// Compares the results of all backends with the formula.
    #[track_caller]
    fn check(&self) {
        let (inputs, expected) = self.values();
        for outputs in run(&self.code(), &inputs) {
            self.compare(&outputs, &expected);
        }
    }
}

/// Tiles in registers of GPUs. Rows, columns and depths are, or are not, multiples of the sizes of a
/// matrix instruction.
#[test]
fn attention_in_registers() {
    let attention = |rows, columns, depth, width, element, transposed_keys| Attention {
        batch: 2,
        rows,
        columns,
        depth,
        width,
        element,
        transposed_keys,
    };
    attention(37, 65, 12, 24, "f32", true).check();
    attention(32, 96, 32, 16, "bf16", false).check();
    attention(33, 47, 80, 40, "f16", true).check();
}

/// On CPUs, long rows are computed in blocks of columns: here, of 32 for a cache of 4 KiB.
#[test]
fn attention_in_blocks_of_columns() {
    let chains = "halo-fuse-contraction-chains{most-rows=32 fewest-bytes=1 tile-bytes=4096 fewest-tiles=1 fewest-columns=8}";
    let edit = format!("before:fusion/halo-fuse-contraction-operands:func.func({chains})");
    let options = CompileOptions {
        pipeline_edits: vec![PipelineEdit::insert(&edit).unwrap()],
        ..options()
    };
    for (rows, columns, element) in [(64, 128, "f32"), (77, 145, "f32"), (48, 97, "bf16")] {
        let attention = Attention {
            batch: 2,
            rows,
            columns,
            depth: 12,
            width: 20,
            element,
            transposed_keys: columns == 145,
        };
        let (inputs, expected) = attention.values();
        let executable = cpu_executable(&attention.code(), &options);
        attention.compare(&executable.run(&inputs).unwrap(), &expected);
    }
}
