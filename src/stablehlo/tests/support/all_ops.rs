//! A program with every op of StableHLO, each with the type that the specification gives it.

use halo_stablehlo::ElementType::{
    ComplexF32, F8E4M3FN, F32, F64, I4, I8, I32, I64, TF32, UI8, UI32, UI64,
};
use halo_stablehlo::*;

/// Asserts that a value has a type, in StableHLO's text.
#[track_caller]
fn is(value: Value, expected: &str) {
    if let Some(error) = value.builder().error() {
        panic!("{error}");
    }
    let found = value.ty().map(|ty| ty.to_string());
    assert_eq!(found.as_deref(), Some(expected));
}

#[track_caller]
fn are(values: &[Value], expected: &[&str]) {
    assert_eq!(values.len(), expected.len());
    for (value, expected) in values.iter().zip(expected) {
        is(*value, expected);
    }
}

fn t(element: ElementType, sizes: &[i64]) -> Type {
    Type::tensor(element, sizes)
}

fn per_tensor(scale: f64) -> Quantization {
    Quantization {
        storage: I8,
        storage_range: None,
        expressed: F32,
        dimension: None,
        parameters: vec![(scale, -3)],
    }
}

/// Builds the program.
pub fn program() -> Program {
    let b = Builder::new("main");
    elementwise(&b);
    shapes(&b);
    dynamic(&b);
    algebra(&b);
    regions(&b);
    values(&b);
    let result = communication(&b);
    b.build(result).unwrap_or_else(|error| panic!("{error}"))
}

fn elementwise(b: &Builder) {
    let f = b.parameter(t(F32, &[2, 3]));
    let i = b.parameter(t(I32, &[2, 3]));
    let u = b.parameter(t(UI8, &[4]));
    let c = b.parameter(t(ComplexF32, &[2, 3]));
    let floats = [
        f.abs(),
        f.cbrt(),
        f.ceil(),
        f.cosine(),
        f.exponential(),
        f.exponential_minus_one(),
        f.floor(),
        f.imag(),
        f.log(),
        f.log_plus_one(),
        f.logistic(),
        f.negate(),
        f.real(),
        f.round_nearest_afz(),
        f.round_nearest_even(),
        f.rsqrt(),
        f.sign(),
        f.sine(),
        f.sqrt(),
        f.tan(),
        f.tanh(),
        f.add(f),
        f.atan2(f),
        f.divide(f),
        f.maximum(f),
        f.minimum(f),
        f.multiply(f),
        f.power(f),
        f.remainder(f),
        f.subtract(f),
        c.abs(),
        c.imag(),
        c.real(),
        f.reduce_precision(5, 10),
        f + 1.0,
        -f / 2.0,
        f.clamp(0.0, 6.0),
        f.gt(0.0).select(f, 0.0),
        f.exponential().result_accuracy(ResultAccuracy::Highest),
        f.tanh().result_accuracy(ResultAccuracy::Tolerance {
            atol: 0.0,
            rtol: 1e-6,
            ulps: 2,
        }),
    ];
    floats.iter().for_each(|value| is(*value, "tensor<2x3xf32>"));
    let integers = [
        i.and(i),
        i.or(i),
        i.xor(i),
        i.not(),
        i.shift_left(i),
        i.shift_right_arithmetic(i),
        i.shift_right_logical(i),
        i.count_leading_zeros(),
        i.popcnt(),
        i * 3,
        f.convert(I32),
        f.bitcast_convert(&t(I32, &[2, 3])),
    ];
    integers.iter().for_each(|value| is(*value, "tensor<2x3xi32>"));
    is(u.popcnt().not(), "tensor<4xui8>");
    is(u.bitcast_convert(&t(UI32, &[])), "tensor<ui32>");
    is(f.complex(f), "tensor<2x3xcomplex<f32>>");
    is(f.is_finite(), "tensor<2x3xi1>");
    is(
        f.compare(f, ComparisonDirection::Le, ComparisonType::TotalOrder),
        "tensor<2x3xi1>",
    );
    is(i.eq(i).and(i.ne(2)).not(), "tensor<2x3xi1>");
    let q = f.uniform_quantize(per_tensor(0.5));
    is(q, "tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>");
    is(q.add(q), "tensor<2x3x!quant.uniform<i8:f32, 0.5:-3>>");
    is(q.uniform_dequantize(), "tensor<2x3xf32>");
    let axis = Quantization {
        storage: UI8,
        storage_range: Some((1, 254)),
        dimension: Some(0),
        parameters: vec![(0.5, 2), (1e-3, 1)],
        ..per_tensor(0.5)
    };
    let q = f.uniform_quantize(axis);
    is(
        q,
        "tensor<2x3x!quant.uniform<u8<1:254>:f32:0, {0.5:2, 0.001:1}>>",
    );
    is(
        q.transpose([1, 0]),
        "tensor<3x2x!quant.uniform<u8<1:254>:f32:1, {0.5:2, 0.001:1}>>",
    );
}

fn shapes(b: &Builder) {
    let x = b.parameter(t(F32, &[2, 3]));
    is(b.constant([1.0_f32, 2.0, 3.0], [3]), "tensor<3xf32>");
    is(b.constant([true, false, true], [3]), "tensor<3xi1>");
    is(b.constant([1_i8, -2], [2, 1]), "tensor<2x1xi8>");
    is(b.constant([u64::MAX; 2], [2]), "tensor<2xui64>");
    is(b.constant([F16(0x3c00), F16(0x7e00)], [2]), "tensor<2xf16>");
    is(b.scalar(BF16(0x3f80)), "tensor<bf16>");
    is(
        b.constant([[1.0_f32, f32::NAN], [-0.0, 2.5]], [2]),
        "tensor<2xcomplex<f32>>",
    );
    is(
        b.constant_bytes(F8E4M3FN, [3], [0x38, 0x7e, 0]),
        "tensor<3xf8E4M3FN>",
    );
    is(b.constant_bytes(I4, [3], [0x0f, 0xf8, 7]), "tensor<3xi4>");
    is(b.constant::<f64>([], [0, 4]), "tensor<0x4xf64>");
    is(
        b.constant((0..100).collect::<Vec<i32>>(), [10, 10]),
        "tensor<10x10xi32>",
    );
    is(
        b.constant((0..9).map(|i| i % 2 == 0).collect::<Vec<_>>(), [9]),
        "tensor<9xi1>",
    );
    let quantized = ElementType::Quantized(Box::new(per_tensor(2.0)));
    is(
        b.constant_bytes(quantized, [2], [1, 2]),
        "tensor<2x!quant.uniform<i8:f32, 2.0:-3>>",
    );
    is(
        x.convert(ElementType::BF16).full_like(0.5),
        "tensor<2x3xbf16>",
    );
    is(b.iota(t(I32, &[4, 5]), 1), "tensor<4x5xi32>");
    is(x.broadcast([4]), "tensor<4x2x3xf32>");
    is(x.broadcast_in_dim([2, 5, 3], [0, 2]), "tensor<2x5x3xf32>");
    is(x.reshape([6]), "tensor<6xf32>");
    is(x.transpose([1, 0]), "tensor<3x2xf32>");
    is(x.reverse([1]), "tensor<2x3xf32>");
    is(x.slice([0, 1], [2, 3], [1, 2]), "tensor<2x1xf32>");
    is(b.concatenate(&[x, x], 1), "tensor<2x6xf32>");
    is(
        x.pad(b.scalar(0.0_f32), [1, -1], [0, 2], [1, 0]),
        "tensor<4x4xf32>",
    );
    let index = b.scalar(1_i32);
    is(x.dynamic_slice(&[index, index], [1, 2]), "tensor<1x2xf32>");
    let row = x.slice([0, 0], [1, 3], [1, 1]);
    is(
        x.dynamic_update_slice(row, &[index, index]),
        "tensor<2x3xf32>",
    );
    let indices = b.constant([1_i64, 0, 1], [3, 1]);
    let rows = GatherDimensionNumbers {
        offset_dims: vec![1],
        collapsed_slice_dims: vec![0],
        start_index_map: vec![0],
        index_vector_dim: 1,
        ..GatherDimensionNumbers::default()
    };
    is(x.gather(indices, &rows, [1, 3], false), "tensor<3x3xf32>");
    let sizes = b.constant([1_i64, 3], [2]);
    is(
        x.dynamic_gather(indices, sizes, &rows, true),
        "tensor<3x3xf32>",
    );
    is(
        x.torch_index_select(indices.reshape([3]), 0, 0),
        "tensor<3x3xf32>",
    );
    is(x.get_dimension_size(1), "tensor<i32>");
    is(
        x.set_dimension_size(index, 1),
        "tensor<2x?xf32, #stablehlo.bounds<?, 3>>",
    );
}

fn dynamic(b: &Builder) {
    let x = b.parameter(Type::dynamic_tensor(F32, [Dim::Dynamic, Dim::Static(3)]));
    let shape = b.parameter(t(I32, &[2]));
    is(x.add(x.tanh()), "tensor<?x3xf32>");
    is(x + 1.0, "tensor<?x3xf32>");
    let ty = Type::dynamic_tensor(F32, [Dim::Dynamic, Dim::Static(3)]);
    let repeated = x.dynamic_broadcast_in_dim(shape, [0, 1], &ty, Some([&[], &[1]]));
    is(repeated, "tensor<?x3xf32>");
    is(x.dynamic_reshape(shape), "tensor<?x?xf32>");
    is(
        x.dynamic_reshape(b.constant([3_i32, 4], [2])),
        "tensor<3x4xf32>",
    );
    is(shape.dynamic_iota(I64, 0), "tensor<?x?xi64>");
    let zero = b.scalar(0.0_f32);
    is(x.dynamic_pad(zero, shape, shape, shape), "tensor<?x?xf32>");
    is(x.real_dynamic_slice(shape, shape, shape), "tensor<?x?xf32>");
    is(x.reduce_sum([1]), "tensor<?xf32>");
    let bounded = b.parameter(Type::dynamic_tensor(F32, [Dim::Bounded(8), Dim::Static(3)]));
    is(
        bounded.negate().transpose([1, 0]),
        "tensor<3x?xf32, #stablehlo.bounds<?, 8>>",
    );
    let ty = Type::dynamic_tensor(F32, [Dim::Bounded(24)]);
    is(
        bounded.reshape_to(&ty),
        "tensor<?xf32, #stablehlo.bounds<24>>",
    );
}

fn algebra(b: &Builder) {
    let x = b.parameter(t(F32, &[4, 4]));
    let image = b.parameter(t(F32, &[1, 8, 8, 3]));
    let kernel = b.parameter(t(F32, &[3, 3, 3, 16]));
    is(x.dot(x), "tensor<4x4xf32>");
    is(
        image.matmul(image.transpose([0, 1, 3, 2])),
        "tensor<1x8x8x8xf32>",
    );
    let numbers = DotDimensionNumbers {
        lhs_contracting_dimensions: vec![0],
        rhs_contracting_dimensions: vec![1],
        ..DotDimensionNumbers::default()
    };
    let options = DotOptions {
        result: Some(F64),
        precision_config: [Precision::High, Precision::Default],
        algorithm: None,
    };
    is(x.dot_general(x, &numbers, &options), "tensor<4x4xf64>");
    let options = DotOptions {
        algorithm: Some(DotAlgorithm {
            lhs_precision_type: TF32,
            rhs_precision_type: TF32,
            accumulation_type: F32,
            lhs_component_count: 1,
            rhs_component_count: 1,
            num_primitive_operations: 3,
            allow_imprecise_accumulation: false,
        }),
        ..DotOptions::default()
    };
    is(x.dot_general(x, &numbers, &options), "tensor<4x4xf32>");
    is(x.einsum(x, "ab,cb->ac"), "tensor<4x4xf32>");
    is(image.unary_einsum("abcd->da"), "tensor<3x1xf32>");
    let numbers = ConvDimensionNumbers {
        input_batch_dimension: 0,
        input_feature_dimension: 3,
        input_spatial_dimensions: vec![1, 2],
        kernel_input_feature_dimension: 2,
        kernel_output_feature_dimension: 3,
        kernel_spatial_dimensions: vec![0, 1],
        output_batch_dimension: 0,
        output_feature_dimension: 3,
        output_spatial_dimensions: vec![1, 2],
    };
    let options = ConvolutionOptions {
        window_strides: vec![2, 2],
        padding: vec![[1, 1], [0, 1]],
        window_reversal: vec![true, false],
        ..ConvolutionOptions::default()
    };
    is(
        image.convolution(kernel, &numbers, &options),
        "tensor<1x4x4x16xf32>",
    );
    let plain = image.convolution(kernel, &numbers, &ConvolutionOptions::default());
    is(plain, "tensor<1x6x6x16xf32>");
    let padding = b.constant([1_i32, 1, 0, 1], [2, 2]);
    is(
        image.dynamic_conv(kernel, padding, &numbers, &options),
        "tensor<1x4x4x16xf32>",
    );
    is(x.cholesky(true), "tensor<4x4xf32>");
    let options = TriangularSolve {
        left_side: true,
        lower: true,
        transpose_a: Transpose::Adjoint,
        ..TriangularSolve::default()
    };
    is(x.triangular_solve(x, options), "tensor<4x4xf32>");
    is(x.fft(FftType::Rfft, [4]), "tensor<4x3xcomplex<f32>>");
    let v = b.parameter(t(F32, &[3]));
    is(
        image.batch_norm_inference([v; 4], 0.001, 3),
        "tensor<1x8x8x3xf32>",
    );
    let results = ["tensor<1x8x8x3xf32>", "tensor<3xf32>", "tensor<3xf32>"];
    are(&image.batch_norm_training([v; 2], 0.001, 3), &results);
    are(&image.batch_norm_grad([v, v, v, image], 0.001, 3), &results);
    let (low, high) = (b.scalar(0.0_f32), b.scalar(1.0_f32));
    let shape = b.constant([2_i64, 3], [2]);
    is(
        low.rng(high, shape, RngDistribution::Uniform),
        "tensor<2x3xf32>",
    );
    let state = b.constant([1_u64, 2], [2]);
    let bits = state.rng_bit_generator(RngAlgorithm::ThreeFry, &t(UI64, &[5]));
    are(&bits, &["tensor<2xui64>", "tensor<5xui64>"]);
}

fn regions(b: &Builder) {
    let x = b.parameter(t(F32, &[4, 6]));
    let i = b.iota(t(I32, &[4, 6]), 1);
    let (zero, none) = (b.scalar(0.0_f32), b.scalar(-1_i32));
    is(x.reduce(zero, [0], |x, y| x + y), "tensor<6xf32>");
    is(x.reduce_product([0, 1]), "tensor<f32>");
    is(i.reduce_max([0]).reduce_min([0]), "tensor<i32>");
    let largest = b.reduce(&[x, i], &[zero, none], [1], |arguments| {
        let [x, i, y, j] = arguments else {
            unreachable!()
        };
        let first = x.ge(*y);
        [first.select(*x, *y), first.select(*i, *j)]
    });
    are(&largest, &["tensor<4xf32>", "tensor<4xi32>"]);
    let window = ReduceWindow {
        window_dimensions: vec![2, 2],
        window_strides: vec![2, 2],
        padding: vec![[0, 0], [0, 0]],
        ..ReduceWindow::default()
    };
    let pooled = b.reduce_window(&[x], &[zero], &window, |pair| pair[0].maximum(pair[1]));
    are(&pooled, &["tensor<2x3xf32>"]);
    is(
        x.select_and_scatter(pooled[0], zero, &window, |x, y| x.ge(y), |x, y| x + y),
        "tensor<4x6xf32>",
    );
    is(
        b.map(&[x, x], [0, 1], |pair| pair[0] * pair[1]),
        "tensor<4x6xf32>",
    );
    let sorted = b.sort(&[x, i], 1, true, |pairs| pairs[0].gt(pairs[1]));
    are(&sorted, &["tensor<4x6xf32>", "tensor<4x6xi32>"]);
    let rows = ScatterDimensionNumbers {
        update_window_dims: vec![1],
        inserted_window_dims: vec![0],
        scatter_dims_to_operand_dims: vec![0],
        index_vector_dim: 1,
        ..ScatterDimensionNumbers::default()
    };
    let indices = b.constant([1_i32, 3], [2, 1]);
    let updates = x.slice([0, 0], [2, 6], [1, 1]);
    let options = ScatterOptions {
        unique_indices: true,
        ..ScatterOptions::default()
    };
    let scattered = b.scatter(&[x], indices, &[updates], &rows, options, |pair| {
        pair[0] + pair[1]
    });
    are(&scattered, &["tensor<4x6xf32>"]);
    let is_positive = x.reduce_sum([0, 1]).gt(0.0);
    are(
        &is_positive.if_else(|| [x, x + x], || [x * x, x]),
        &["tensor<4x6xf32>"; 2],
    );
    let chosen = b.case(none, 3, |branch| x * f64::from(branch as u32));
    are(&chosen, &["tensor<4x6xf32>"]);
    let counted = b.while_loop(
        &[none, x],
        |values| values[0].lt(10),
        |values| vec![values[0] + 1, values[1] * 0.5],
    );
    are(&counted, &["tensor<i32>", "tensor<4x6xf32>"]);
}

fn values(b: &Builder) {
    let x = b.parameter(t(F32, &[2]));
    let token = b.create_token();
    is(token, "!stablehlo.token");
    is(b.after_all(&[token, token]), "!stablehlo.token");
    let tuple = b.tuple(&[x, token]);
    is(tuple, "tuple<tensor<2xf32>, !stablehlo.token>");
    is(tuple.get_tuple_element(0), "tensor<2xf32>");
    are(&b.optimization_barrier(&[x, x]), &["tensor<2xf32>"; 2]);
    let gelu = b.function("gelu", &[t(F32, &[2])], |x| x[0] * x[0].logistic());
    are(&b.call(&gelu, &[x]), &["tensor<2xf32>"]);
    let attributes = [
        ("approximate".to_owned(), Attr::Bool(true)),
        ("k".to_owned(), Attr::I64(2)),
    ];
    are(
        &b.composite("my.gelu", &[x], &attributes, &gelu, 1),
        &["tensor<2xf32>"],
    );
    let options = CustomCall {
        has_side_effect: true,
        backend_config: Some(Attr::Dictionary(vec![("n".to_owned(), Attr::F64(0.5))])),
        api_version: CustomCallApiVersion::TypedFfi,
        called_computations: vec!["gelu".to_owned()],
        layouts: Some([vec![vec![0]], vec![vec![0]]]),
        output_operand_aliases: vec![OutputOperandAlias::default()],
    };
    are(
        &b.custom_call("target", &[x], &[t(F32, &[2])], &options),
        &["tensor<2xf32>"],
    );
    let plain = b.custom_call("other", &[x], &[], &CustomCall::default());
    are(&plain, &[]);
}

fn communication<'b>(b: &'b Builder) -> Value<'b> {
    let x = b.parameter(t(F32, &[4]));
    let all = Collective {
        replica_groups: vec![vec![0, 1]],
        ..Collective::default()
    };
    let global = Collective {
        channel_id: 1,
        use_global_device_ids: true,
        ..all.clone()
    };
    is(b.partition_id(), "tensor<ui32>");
    is(b.replica_id(), "tensor<ui32>");
    are(
        &b.all_gather(&[x], 0, &global, &[t(F32, &[8])]),
        &["tensor<8xf32>"],
    );
    are(
        &b.all_reduce(&[x, x], &global, |pair| pair[0] + pair[1]),
        &["tensor<4xf32>"; 2],
    );
    are(&b.all_to_all(&[x], [0, 0, 2], &all), &["tensor<4xf32>"]);
    are(&b.collective_broadcast(&[x], &all), &["tensor<4xf32>"]);
    let root = Collective {
        has_dynamic_root: true,
        ..all.clone()
    };
    let roots = b.constant([0_i32], [1]);
    let reduced = b.collective_reduce(&[x, roots], &root, |pair| pair[0].maximum(pair[1]));
    are(&reduced, &["tensor<4xf32>"]);
    is(x.collective_permute(&[[0, 1], [1, 0]], 0), "tensor<4xf32>");
    is(x.cross_replica_sum(&[vec![0], vec![1]]), "tensor<4xf32>");
    let half = t(F32, &[2]);
    is(
        x.reduce_scatter(0, &all, &half, |pair| pair[0] + pair[1]),
        "tensor<2xf32>",
    );
    let started = b.async_start(&[x], |x| x[0].collective_permute(&[[0, 1]], 0));
    is(started, "!stablehlo.future<tensor<4xf32>>");
    are(&started.async_done(), &["tensor<4xf32>"]);
    let token = b.create_token();
    let infed = token.infeed(&[t(F32, &[4])], "config");
    are(&infed, &["tensor<4xf32>", "!stablehlo.token"]);
    let token = b.outfeed(&[x], infed[1], "");
    let mut channel = Channel {
        channel_id: 2,
        channel_type: 3,
        is_host_transfer: true,
        source_target_pairs: Vec::new(),
    };
    let received = token.recv(&[t(F32, &[4])], &channel);
    are(&received, &["tensor<4xf32>", "!stablehlo.token"]);
    channel.channel_type = 2;
    is(b.send(&[x], received[1], &channel), "!stablehlo.token");
    received[0]
}
