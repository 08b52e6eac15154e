//! Programs in HLO text, a few for each family of ops. Expected values are the results of XLA for
//! the same text. If XLA does not run it, they follow from the arithmetic.

use super::{Literal, expect};

#[track_caller]
fn gives(code: &str, expected: &[&str]) {
    expect(code, &[], expected);
}

/// Function values are XLA's; the last bits of `erf` are rounded away.
#[test]
fn elementwise_ops() {
    gives(
        r#"HloModule functions

         ENTRY main {
           x = f32[4] constant({-0.5, 0, 0.25, 2})
           i = s32[4] constant({-7, 0, 3, 2000000000})
           j = s32[4] constant({2, 5, -4, 8})
           erf = f32[4] erf(x)
           sinh = f32[4] sinh(x)
           exp = f32[4] exponential(x), result_accuracy={mode=highest}
           low = f32[] constant(-0.25)
           high = f32[] constant(1)
           clamp = f32[4] clamp(low, x, high)
           any = pred[4] convert(i)
           negative-zero = f32[4] constant({-0, 0, 1, nan})
           order = pred[4] compare(negative-zero, x), direction=LE, type=TOTALORDER
           less = pred[4] compare(i, j), direction=LT
           select = s32[4] select(less, i, j)
           remainder = s32[4] remainder(i, j)
           clz = s32[4] count-leading-zeros(j)
           re = f32[4] constant({1, 2, 3, 4})
           complex = c64[4] complex(re, x)
           abs = f32[4] abs(complex)
           reduced = f32[4] reduce-precision(erf), exponent_bits=8, mantissa_bits=3
           ROOT all = (f32[4], f32[4], pred[4], pred[4], s32[4], s32[4], s32[4], f32[4]) tuple(reduced, clamp, any, order, select, remainder, clz, abs)
         }"#,
        &[
            "dense<[-5.000000e-01, 0.000000e+00, 2.812500e-01, 1.000000e+00]> : tensor<4xf32>",
            "dense<[-2.500000e-01, 0.000000e+00, 2.500000e-01, 1.000000e+00]> : tensor<4xf32>",
            "dense<[true, false, true, true]> : tensor<4xi1>",
            "dense<[false, true, false, false]> : tensor<4xi1>",
            "dense<[-7, 0, -4, 8]> : tensor<4xi32>",
            "dense<[-1, 0, 3, 0]> : tensor<4xi32>",
            "dense<[30, 29, 0, 28]> : tensor<4xi32>",
            "dense<[1.11803401, 2.000000e+00, 3.01039863, 4.47213602]> : tensor<4xf32>",
        ],
    );
}

#[test]
fn shape_ops() {
    gives(
        r#"HloModule shapes

         ENTRY main {
           x = s32[2,3] constant({{1, 2, 3}, {4, 5, 6}})
           column = s32[2] constant({10, 20})
           zero = s32[] constant(0)
           spread = s32[2,3] broadcast(column), dimensions={0}
           transpose = s32[3,2] transpose(x), dimensions={1,0}
           reverse = s32[2,3] reverse(x), dimensions={0,1}
           joined = s32[2,6] concatenate(x, reverse), dimensions={1}
           padded = s32[3,6] pad(x, zero), padding=1_0x-1_2_1
           cut = s32[1,2] slice(x), slice={[1:2], [0:3:2]}
           iota = s32[2,3] iota(), iota_dimension=1
           reshape = s32[3,2] reshape(x)
           copy = s32[2,3]{0,1} copy(x)
           add = s32[2,3] add(copy, spread)
           ROOT all = (s32[2,3], s32[3,2], s32[2,6], s32[3,6], s32[1,2], /*index=5*/s32[2,3], s32[3,2]) tuple(add, transpose, joined, padded, cut, iota, reshape)
         }"#,
        &[
            "dense<[[11, 12, 13], [24, 25, 26]]> : tensor<2x3xi32>",
            "dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>",
            "dense<[[1, 2, 3, 6, 5, 4], [4, 5, 6, 3, 2, 1]]> : tensor<2x6xi32>",
            "dense<[[0, 0, 0, 0, 0, 0], [0, 2, 0, 3, 0, 0], [0, 5, 0, 6, 0, 0]]> : tensor<3x6xi32>",
            "dense<[[4, 6]]> : tensor<1x2xi32>",
            "dense<[[0, 1, 2], [0, 1, 2]]> : tensor<2x3xi32>",
            "dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>",
        ],
    );
}

/// A bitcast operates on the operand's memory in its layout.
#[test]
fn bitcasts_read_memory() {
    gives(
        r#"HloModule bitcasts

         ENTRY main {
           x = s32[2,3]{1,0} constant({{1, 2, 3}, {4, 5, 6}})
           rows = s32[3,2]{1,0} bitcast(x)
           turned = s32[3,2]{0,1} bitcast(x)
           columns = s32[2,3]{0,1} copy(x)
           memory = s32[6]{0} bitcast(columns)
           folded = s32[1,3,2]{2,1,0} bitcast(columns)
           deep = s32[3,1,2]{0,1,2} bitcast(x)
           bytes = u8[2,3,4]{2,1,0} bitcast(x)
           ROOT all = (s32[3,2], s32[3,2], s32[6], s32[1,3,2], s32[3,1,2], /*index=5*/u8[2,3,4]) tuple(rows, turned, memory, folded, deep, bytes)
         }"#,
        &[
            "dense<[[1, 2], [3, 4], [5, 6]]> : tensor<3x2xi32>",
            "dense<[[1, 4], [2, 5], [3, 6]]> : tensor<3x2xi32>",
            "dense<[1, 4, 2, 5, 3, 6]> : tensor<6xi32>",
            "dense<[[[1, 4], [2, 5], [3, 6]]]> : tensor<1x3x2xi32>",
            "dense<[[[1, 4]], [[2, 5]], [[3, 6]]]> : tensor<3x1x2xi32>",
            "dense<[[[1, 0, 0, 0], [2, 0, 0, 0], [3, 0, 0, 0]], [[4, 0, 0, 0], [5, 0, 0, 0], [6, 0, 0, 0]]]> : tensor<2x3x4xui8>",
        ],
    );
}

#[test]
fn reductions_and_windows() {
    gives(
        r#"HloModule reductions

         largest {
           a = f32[] parameter(0)
           i = s32[] parameter(1)
           b = f32[] parameter(2)
           j = s32[] parameter(3)
           greater = pred[] compare(a, b), direction=GE
           value = f32[] select(greater, a, b)
           index = s32[] select(greater, i, j)
           ROOT pair = (f32[], s32[]) tuple(value, index)
         }

         sum {
           a = f32[] parameter(0)
           b = f32[] parameter(1)
           ROOT add = f32[] add(a, b)
         }

         greater {
           a = f32[] parameter(0)
           b = f32[] parameter(1)
           ROOT ge = pred[] compare(a, b), direction=GE
         }

         ENTRY main {
           x = f32[2,4] constant({{3, 1, 4, 1}, {5, 9, 2, 6}})
           i = s32[2,4] iota(), iota_dimension=1
           low = f32[] constant(-inf)
           none = s32[] constant(-1)
           arg = (f32[2], s32[2]) reduce(x, i, low, none), dimensions={1}, to_apply=largest
           value = f32[2] get-tuple-element(arg), index=0
           index = s32[2] get-tuple-element(arg), index=1
           zero = f32[] constant(0)
           windows = f32[2,3] reduce-window(x, zero), window={size=1x3 stride=1x2 pad=0_0x2_1 rhs_dilate=1x1}, to_apply=sum
           source = f32[1,2] constant({{10, 20}})
           scattered = f32[2,4] select-and-scatter(x, source, zero), window={size=2x2 stride=2x2}, select=greater, scatter=sum
           map = f32[2,4] map(x, x), dimensions={0,1}, to_apply=sum
           ROOT all = (f32[2], s32[2], f32[2,3], f32[2,4], f32[2,4]) tuple(value, index, windows, scattered, map)
         }"#,
        &[
            "dense<[4.000000e+00, 9.000000e+00]> : tensor<2xf32>",
            "dense<[2, 1]> : tensor<2xi32>",
            "dense<[[3.000000e+00, 8.000000e+00, 5.000000e+00], [5.000000e+00, 1.600000e+01, 8.000000e+00]]> : tensor<2x3xf32>",
            "dense<[[0.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+01, 0.000000e+00, 2.000000e+01]]> : tensor<2x4xf32>",
            "dense<[[6.000000e+00, 2.000000e+00, 8.000000e+00, 2.000000e+00], [1.000000e+01, 1.800000e+01, 4.000000e+00, 1.200000e+01]]> : tensor<2x4xf32>",
        ],
    );
}

#[test]
fn sorts_and_top_k() {
    gives(
        r#"HloModule orders

         by_key {
           a = s32[] parameter(0)
           b = s32[] parameter(1)
           u = f32[] parameter(2)
           v = f32[] parameter(3)
           ROOT less = pred[] compare(a, b), direction=LT
         }

         greater {
           a = f32[] parameter(0)
           b = f32[] parameter(1)
           ROOT gt = pred[] compare(a, b), direction=GT
         }

         ENTRY main {
           keys = s32[5] constant({3, 1, 2, 1, 0})
           values = f32[5] constant({30, 10, 20, 11, 0})
           sort = (s32[5], f32[5]) sort(keys, values), dimensions={0}, is_stable=true, to_apply=by_key
           sorted = f32[5] get-tuple-element(sort), index=1
           top = (f32[2], s32[2]) topk(values), k=2, largest=true
           best = f32[2] get-tuple-element(top), index=0
           places = s32[2] get-tuple-element(top), index=1
           called = (f32[3], s32[3]) custom-call(values), custom_call_target="TopK", called_computations={greater}
           third = s32[3] get-tuple-element(called), index=1
           ROOT all = (f32[5], f32[2], s32[2], s32[3]) tuple(sorted, best, places, third)
         }"#,
        &[
            "dense<[0.000000e+00, 1.000000e+01, 1.100000e+01, 2.000000e+01, 3.000000e+01]> : tensor<5xf32>",
            "dense<[3.000000e+01, 2.000000e+01]> : tensor<2xf32>",
            "dense<[0, 2]> : tensor<2xi32>",
            "dense<[0, 2, 3]> : tensor<3xi32>",
        ],
    );
}

#[test]
fn smallest_entries() {
    gives(
        r#"HloModule smallest

         ENTRY main {
           x = f32[2,4] constant({{3, 1, 4, 1}, {5, 9, 2, 6}})
           ROOT topk = (f32[2,2], s32[2,2]) topk(x), k=2, largest=false
         }"#,
        &[
            "dense<[[1.000000e+00, 1.000000e+00], [2.000000e+00, 5.000000e+00]]> : tensor<2x2xf32>",
            "dense<[[1, 3], [2, 0]]> : tensor<2x2xi32>",
        ],
    );
}

#[test]
fn scans() {
    gives(
        r#"HloModule scan

         running {
           x = f32[] parameter(0)
           carry = f32[] parameter(1)
           sum = f32[] add(x, carry)
           ROOT both = (f32[], f32[]) tuple(sum, sum)
         }

         ENTRY main {
           x = f32[4] constant({1, 2, 3, 4})
           zero = f32[] constant(0)
           ROOT scan = (f32[4], f32[]) scan(x, zero), dimensions={0}, num_carries=1, to_apply=running
         }"#,
        &[
            "dense<[1.000000e+00, 3.000000e+00, 6.000000e+00, 1.000000e+01]> : tensor<4xf32>",
            "dense<1.000000e+01> : tensor<f32>",
        ],
    );
}

#[test]
fn gathers_and_scatters() {
    gives(
        r#"HloModule indexing

         replace {
           old = f32[] parameter(0)
           ROOT new = f32[] parameter(1)
         }

         sum {
           a = f32[] parameter(0)
           b = f32[] parameter(1)
           ROOT add = f32[] add(a, b)
         }

         ENTRY main {
           x = f32[3,4] constant({{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}})
           one = s32[] constant(1)
           two = s32[] constant(2)
           slice = f32[2,2] dynamic-slice(x, one, two), dynamic_slice_sizes={2,2}
           patch = f32[1,2] constant({{-1, -2}})
           update = f32[3,4] dynamic-update-slice(x, patch, two, two)
           rows = s32[2,1] constant({{2}, {0}})
           gather = f32[2,4] gather(x, rows), offset_dims={1}, collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, slice_sizes={1,4}
           scatter = f32[3,4] scatter(x, rows, gather), update_window_dims={1}, inserted_window_dims={0}, scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=sum
           batch = s32[3,1] constant({{3}, {1}, {0}})
           picked = f32[3,1] gather(x, batch), offset_dims={1}, collapsed_slice_dims={}, operand_batching_dims={0}, start_indices_batching_dims={0}, start_index_map={1}, index_vector_dim=1, slice_sizes={1,1}
           ROOT all = (f32[2,2], f32[3,4], f32[2,4], f32[3,4], f32[3,1]) tuple(slice, update, gather, scatter, picked)
         }"#,
        &[
            "dense<[[6.000000e+00, 7.000000e+00], [1.000000e+01, 1.100000e+01]]> : tensor<2x2xf32>",
            "dense<[[0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00], [8.000000e+00, 9.000000e+00, -1.000000e+00, -2.000000e+00]]> : tensor<3x4xf32>",
            "dense<[[8.000000e+00, 9.000000e+00, 1.000000e+01, 1.100000e+01], [0.000000e+00, 1.000000e+00, 2.000000e+00, 3.000000e+00]]> : tensor<2x4xf32>",
            "dense<[[0.000000e+00, 2.000000e+00, 4.000000e+00, 6.000000e+00], [4.000000e+00, 5.000000e+00, 6.000000e+00, 7.000000e+00], [1.600000e+01, 1.800000e+01, 2.000000e+01, 2.200000e+01]]> : tensor<3x4xf32>",
            "dense<[[3.000000e+00], [5.000000e+00], [8.000000e+00]]> : tensor<3x1xf32>",
        ],
    );
}

#[test]
fn tuples_through_control_flow() {
    gives(
        r#"HloModule control_flow

         counting {
           state = (s32[], (f32[2], s32[])) parameter(0)
           count = s32[] get-tuple-element(state), index=0
           limit = s32[] constant(5)
           ROOT less = pred[] compare(count, limit), direction=LT
         }

         step {
           state = (s32[], (f32[2], s32[])) parameter(0)
           count = s32[] get-tuple-element(state), index=0
           inner = (f32[2], s32[]) get-tuple-element(state), index=1
           values = f32[2] get-tuple-element(inner), index=0
           sum = s32[] get-tuple-element(inner), index=1
           one = s32[] constant(1)
           next = s32[] add(count, one)
           doubled = f32[2] add(values, values)
           total = s32[] add(sum, count)
           carried = (f32[2], s32[]) tuple(doubled, total)
           ROOT result = (s32[], (f32[2], s32[])) tuple(next, carried)
         }

         negated (x: f32[2]) -> f32[2] {
           x = f32[2] parameter(0)
           ROOT negate = f32[2] negate(x)
         }

         kept {
           pair = (f32[2], s32[]) parameter(0)
           ROOT first = f32[2] get-tuple-element(pair), index=0
         }

         fused {
           x = f32[2] parameter(0)
           y = f32[2] parameter(1)
           multiply = f32[2] multiply(x, y)
           subtract = f32[2] subtract(x, y)
           ROOT both = (f32[2], f32[2]) tuple(multiply, subtract)
         }

         ENTRY main {
           zero = s32[] constant(0)
           x = f32[2] constant({1, -3})
           inner = (f32[2], s32[]) tuple(x, zero)
           start = (s32[], (f32[2], s32[])) tuple(zero, inner)
           loop = (s32[], (f32[2], s32[])) while(start), condition=counting, body=step
           pair = (f32[2], s32[]) get-tuple-element(loop), index=1
           grown = f32[2] get-tuple-element(pair), index=0
           total = s32[] get-tuple-element(pair), index=1
           yes = pred[] constant(true)
           if = f32[2] conditional(yes, x, pair), true_computation=negated, false_computation=kept
           far = s32[] constant(7)
           case = f32[2] conditional(far, x, x, pair), branch_computations={negated, negated, kept}
           call = f32[2] call(x), to_apply=negated
           fusion = (f32[2], f32[2]) fusion(grown, call), kind=kLoop, calls=fused
           product = f32[2] get-tuple-element(fusion), index=0
           difference = f32[2] get-tuple-element(fusion), index=1
           ROOT all = (s32[], f32[2], f32[2], f32[2], f32[2]) tuple(total, if, case, product, difference)
         }"#,
        &[
            "dense<10> : tensor<i32>",
            "dense<[-1.000000e+00, 3.000000e+00]> : tensor<2xf32>",
            "dense<[3.200000e+01, -9.600000e+01]> : tensor<2xf32>",
            "dense<[-3.200000e+01, -2.880000e+02]> : tensor<2xf32>",
            "dense<[3.300000e+01, -9.900000e+01]> : tensor<2xf32>",
        ],
    );
}

#[test]
fn products_and_factorizations() {
    gives(
        r#"HloModule products

         ENTRY main {
           a = f32[2,2,3] constant({{{1, 2, 3}, {4, 5, 6}}, {{-1, 0, 1}, {2, 1, 0}}})
           b = f32[2,3,2] constant({{{1, 0}, {0, 1}, {1, 1}}, {{2, 1}, {0, 3}, {1, -1}}})
           batched = f32[2,2,2] dot(a, b), lhs_batch_dims={0}, lhs_contracting_dims={2}, rhs_batch_dims={0}, rhs_contracting_dims={1}, operand_precision={highest,highest}
           u = s8[3] constant({100, 50, -7})
           v = s8[3] constant({3, 4, 5})
           exact = s32[] dot(u, v), lhs_contracting_dims={0}, rhs_contracting_dims={0}
           image = f32[1,4,1] constant({{{1}, {2}, {3}, {4}}})
           mask = pred[2,1,1] constant({{{1}}, {{0}}})
           kernel = f32[2,1,1] constant({{{10}}, {{1}}})
           convolved = f32[1,4,1] convolution(image, kernel), window={size=2 pad=1_0}, dim_labels=b0f_0io->b0f
           turned = f32[1,4,1] convolution(image, kernel), window={size=2 pad=1_0 rhs_reversal=1}, dim_labels=b0f_0io->b0f
           masked = f32[1,3,1] convolution(image, mask), window={size=2}, dim_labels=b0f_0io->b0f
           triangle = f32[2,2] constant({{2, 0}, {1, 4}})
           right = f32[2,1] constant({{2}, {9}})
           solved = f32[2,1] triangular-solve(triangle, right), left_side=true, lower=true, transpose_a=NO_TRANSPOSE
           positive = f32[2,2] constant({{4, 2}, {2, 5}})
           root = f32[2,2] cholesky(positive), lower=true
           signal = f32[4] constant({1, 2, 3, 4})
           spectrum = c64[3] fft(signal), fft_type=RFFT, fft_length={4}
           ROOT all = (f32[2,2,2], s32[], f32[1,4,1], f32[1,4,1], f32[2,1], /*index=5*/c64[3], f32[1,3,1]) tuple(batched, exact, convolved, turned, solved, spectrum, masked)
         }"#,
        &[
            "dense<[[[4.000000e+00, 5.000000e+00], [1.000000e+01, 1.100000e+01]], [[-1.000000e+00, -2.000000e+00], [4.000000e+00, 5.000000e+00]]]> : tensor<2x2x2xf32>",
            "dense<465> : tensor<i32>",
            "dense<[[[1.000000e+00], [1.200000e+01], [2.300000e+01], [3.400000e+01]]]> : tensor<1x4x1xf32>",
            "dense<[[[1.000000e+01], [2.100000e+01], [3.200000e+01], [4.300000e+01]]]> : tensor<1x4x1xf32>",
            "dense<[[1.000000e+00], [2.000000e+00]]> : tensor<2x1xf32>",
            "dense<[(1.000000e+01,0.000000e+00), (-2.000000e+00,2.000000e+00), (-2.000000e+00,0.000000e+00)]> : tensor<3xcomplex<f32>>",
            "dense<[[[1.000000e+00], [2.000000e+00], [3.000000e+00]]]> : tensor<1x3x1xf32>",
        ],
    );
}

#[test]
fn normalization_and_random_bits() {
    gives(
        r#"HloModule normalization

         ENTRY main {
           x = f32[2,2] constant({{1, 2}, {3, 6}})
           scale = f32[2] constant({1, 2})
           offset = f32[2] constant({0, 1})
           trained = (f32[2,2], f32[2], f32[2]) batch-norm-training(x, scale, offset), epsilon=0, feature_index=1
           y = f32[2,2] get-tuple-element(trained), index=0
           mean = f32[2] get-tuple-element(trained), index=1
           variance = f32[2] get-tuple-element(trained), index=2
           state = u64[2] constant({1, 2})
           generated = (u64[2], u32[3]) rng-bit-generator(state), algorithm=rng_three_fry
           bits = u32[3] get-tuple-element(generated), index=1
           ROOT all = (f32[2,2], f32[2], f32[2], u32[3]) tuple(y, mean, variance, bits)
         }"#,
        &[
            "dense<[[-1.000000e+00, -1.000000e+00], [1.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>",
            "dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>",
            "dense<[1.000000e+00, 4.000000e+00]> : tensor<2xf32>",
            "dense<[43444564, 2150618427, 3979645651]> : tensor<3xui32>",
        ],
    );
}

#[test]
fn instructions_in_two_halves() {
    gives(
        r#"HloModule halves

         doubled (x: f32[2]) -> f32[2] {
           x = f32[2] parameter(0)
           ROOT add = f32[2] add(x, x)
         }

         sum {
           a = f32[] parameter(0)
           b = f32[] parameter(1)
           ROOT add = f32[] add(a, b)
         }

         ENTRY main {
           x = f32[2] constant({1, 2})
           start = ((f32[2]), f32[2], s32[]) async-start(x), calls=doubled
           update = ((f32[2]), f32[2], s32[]) async-update(start)
           done = f32[2] async-done(update)
           copy-start = (f32[2], f32[2], u32[]) copy-start(done)
           copy-done = f32[2] copy-done(copy-start)
           ready = token[] after-all()
           after = f32[2] add-dependency(copy-done, ready)
           pair = (f32[2], f32[2]) tuple(after, x)
           barrier = (f32[2], f32[2]) opt-barrier(pair)
           kept = f32[2] get-tuple-element(barrier), index=0
           reduce-start = f32[2] all-reduce-start(kept), replica_groups={}, to_apply=sum
           reduced = f32[2] all-reduce-done(reduce-start)
           ROOT domain = f32[2] domain(reduced), domain={kind="sharding", entry={maximal device=0}, exit={replicated}}
         }"#,
        &["dense<[2.000000e+00, 4.000000e+00]> : tensor<2xf32>"],
    );
}

#[test]
fn instructions_that_are_started() {
    gives(
        r#"HloModule wrapped

         less {
           a = f32[] parameter(0)
           b = f32[] parameter(1)
           ROOT gt = pred[] compare(a, b), direction=GT
         }

         ENTRY main {
           x = f32[3] constant({1, 3, 2})
           y = f32[3] constant({1, 3, 2})
           start = ((f32[3], f32[3]), f32[3], u32[]) multiply-start(x, y), async_execution_thread="side"
           update = ((f32[3], f32[3]), f32[3], u32[]) multiply-update(start)
           ROOT done = f32[3] multiply-done(update)
         }"#,
        &["dense<[1.000000e+00, 9.000000e+00, 4.000000e+00]> : tensor<3xf32>"],
    );
}

#[test]
fn sizes_known_at_run_time() {
    gives(
        r#"HloModule dynamic

         ENTRY main {
           x = s32[4] constant({1, 2, 3, 4})
           size = s32[] constant(3)
           one = s32[] constant(1)
           bounded = s32[<=4] set-dimension-size(x, size), dimensions={0}
           known = s32[] get-dimension-size(bounded), dimensions={0}
           doubled = s32[<=4] add(bounded, bounded)
           nonzero = pred[<=4] convert(doubled)
           shaped = s32[<=3,<=4] dynamic-reshape(bounded, size, one)
           sizes = s64[2] constant({2, 2})
           called = s32[?,?] custom-call(x, sizes), custom_call_target="mhlo.dynamic_reshape"
           spread = s32[?,?] custom-call(one, sizes), custom_call_target="stablehlo.dynamic_broadcast_in_dim", backend_config={broadcast_dimensions=[]}
           ROOT all = (s32[], s32[<=4], pred[<=4], s32[<=3,<=4], s32[?,?], /*index=5*/s32[?,?]) tuple(known, doubled, nonzero, shaped, called, spread)
         }"#,
        &[
            "dense<3> : tensor<i32>",
            "dense<[2, 4, 6]> : tensor<3xi32>",
            "dense<true> : tensor<3xi1>",
            "dense<[[1], [2], [3]]> : tensor<3x1xi32>",
            "dense<[[1, 2], [3, 4]]> : tensor<2x2xi32>",
            "dense<1> : tensor<2x2xi32>",
        ],
    );
}

#[test]
fn calls_that_stand_for_ops() {
    gives(
        r#"HloModule quantized

         ENTRY main {
           x = f32[3] constant({0.3, 1.5, -200})
           q = s8[3] custom-call(x), custom_call_target="mhlo.uniform_quantize", api_version=API_VERSION_TYPED_FFI, backend_config={scale=[0.5],zero_point=[1],storage_type=i8,expressed_type=f32,storage_min=-128,storage_max=127}
           stored = s8[3] constant({2, 3, 127})
           d = f32[3] custom-call(stored), custom_call_target="mhlo.uniform_dequantize", api_version=API_VERSION_TYPED_FFI, backend_config={scale=[0.5],zero_point=[1],storage_type=i8,expressed_type=f32,storage_min=-128,storage_max=127}
           ROOT both = (s8[3], f32[3]) tuple(q, d)
         }"#,
        &[
            "dense<[2, 4, -128]> : tensor<3xi8>",
            "dense<[5.000000e-01, 1.000000e+00, 6.300000e+01]> : tensor<3xf32>",
        ],
    );
}

/// A parameter of tuple type is passed as its elements.
#[test]
fn parameters() {
    expect(
        "HloModule m
         ENTRY main {
           pair = (f32[2], s32[]) parameter(1)
           x = f32[2] parameter(0)
           first = f32[2] get-tuple-element(pair), index=0
           ROOT sum = f32[2] add(x, first)
         }",
        &[
            Literal::from_slice(&[2], &[1.0_f32, 2.0]).unwrap(),
            Literal::from_slice(&[2], &[10.0_f32, 20.0]).unwrap(),
            Literal::scalar(7_i32),
        ],
        &["dense<[1.100000e+01, 2.200000e+01]> : tensor<2xf32>"],
    );
}
