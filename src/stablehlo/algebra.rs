//! Linear algebra, transforms, batch normalization, and random numbers.

use crate::{
    builder::{Builder, Results, Value},
    cases::{FftType, RngAlgorithm, RngDistribution, Transpose},
    ops::Attributes,
    types::Type,
};
use halo_vhlo::{Attribute, Type as Vhlo, types::FloatFormat};

impl<'b> Value<'b> {
    /// The op `stablehlo.cholesky`.
    #[track_caller]
    pub fn cholesky(self, lower: bool) -> Self {
        let attributes = vec![("lower", self.builder.flag(lower))];
        self.builder.one("cholesky", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.triangular_solve`: this value is the matrix.
    #[track_caller]
    pub fn triangular_solve(self, rhs: Value<'b>, options: TriangularSolve) -> Self {
        let b = self.builder;
        let attributes = vec![
            ("left_side", b.flag(options.left_side)),
            ("lower", b.flag(options.lower)),
            (
                "transpose_a",
                b.enumeration(Transpose::KIND, options.transpose_a as u32),
            ),
            ("unit_diagonal", b.flag(options.unit_diagonal)),
        ];
        b.one(
            "triangular_solve",
            &[self, rhs],
            attributes,
            Results::Inferred,
        )
    }

    /// The op `stablehlo.fft`.
    #[track_caller]
    pub fn fft(self, fft_type: FftType, fft_length: impl AsRef<[i64]>) -> Self {
        let b = self.builder;
        let attributes = vec![
            ("fft_length", b.list(fft_length)),
            ("fft_type", b.enumeration(FftType::KIND, fft_type as u32)),
        ];
        b.one("fft", &[self], attributes, Results::Inferred)
    }

    /// The op `stablehlo.batch_norm_inference`.
    #[track_caller]
    pub fn batch_norm_inference(
        self,
        [scale, offset, mean, variance]: [Value<'b>; 4],
        epsilon: f32,
        feature_index: i64,
    ) -> Self {
        let operands = [self, scale, offset, mean, variance];
        let attributes = self.builder.batch_norm(epsilon, feature_index);
        self.builder.one(
            "batch_norm_inference",
            &operands,
            attributes,
            Results::Inferred,
        )
    }

    /// The op `stablehlo.batch_norm_training`: the output, the means, and the variances.
    #[track_caller]
    pub fn batch_norm_training(
        self,
        [scale, offset]: [Value<'b>; 2],
        epsilon: f32,
        feature_index: i64,
    ) -> Vec<Self> {
        let operands = [self, scale, offset];
        let attributes = self.builder.batch_norm(epsilon, feature_index);
        self.builder.many(
            "batch_norm_training",
            &operands,
            attributes,
            Results::Inferred,
            3,
        )
    }

    /// The op `stablehlo.batch_norm_grad`: the gradients of the operand, the scale and the offset.
    #[track_caller]
    pub fn batch_norm_grad(
        self,
        [scale, mean, variance, grad_output]: [Value<'b>; 4],
        epsilon: f32,
        feature_index: i64,
    ) -> Vec<Self> {
        let operands = [self, scale, mean, variance, grad_output];
        let attributes = self.builder.batch_norm(epsilon, feature_index);
        self.builder.many(
            "batch_norm_grad",
            &operands,
            attributes,
            Results::Inferred,
            3,
        )
    }

    /// The op `stablehlo.rng`: from this value to `b`, or of this mean and the deviation `b`.
    #[track_caller]
    pub fn rng(self, b: Value<'b>, shape: Value<'b>, distribution: RngDistribution) -> Self {
        let case = self.builder.enumeration(RngDistribution::KIND, distribution as u32);
        let attributes = vec![("rng_distribution", case)];
        self.builder.one("rng", &[self, b, shape], attributes, Results::Inferred)
    }

    /// The op `stablehlo.rng_bit_generator`: this value is the state; the results are the next
    /// state and random bits.
    #[track_caller]
    pub fn rng_bit_generator(self, algorithm: RngAlgorithm, output: &Type) -> Vec<Self> {
        let b = self.builder;
        let attributes = vec![(
            "rng_algorithm",
            b.enumeration(RngAlgorithm::KIND, algorithm as u32),
        )];
        let results = Results::Types(vec![b.type_id(self), b.types.intern(output)]);
        b.many("rng_bit_generator", &[self], attributes, results, 2)
    }
}

/// The attributes of `triangular_solve`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TriangularSolve {
    pub left_side: bool,
    pub lower: bool,
    pub unit_diagonal: bool,
    pub transpose_a: Transpose,
}

impl Builder {
    fn batch_norm(&self, epsilon: f32, feature_index: i64) -> Attributes {
        let ty = self.types.add(Vhlo::Float(FloatFormat::F32));
        let bits = u64::from(epsilon.to_bits());
        vec![
            (
                "epsilon",
                self.types.attribute(Attribute::Float { ty, bits }),
            ),
            ("feature_index", self.int(feature_index)),
        ]
    }
}
