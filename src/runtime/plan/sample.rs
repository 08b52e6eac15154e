//! Plans for tests.

use halo_core::ElementType;

use super::*;
use crate::custom_call::{Attribute, Attributes};
use crate::{CustomCallSite, Signature};

pub fn slice(buffer: BufferReference, offset: u64, size: u64) -> Slice {
    Slice {
        buffer,
        offset,
        size,
    }
}

/// A program of the given steps: inputs and outputs are two vectors of four floats each, the arena
/// has 256 bytes, and the constant is 1.0, 2.0, 3.0, 4.0. The fake device provides its kernels.
pub fn plan(sequences: Vec<Vec<Thunk>>) -> Plan {
    let vector = || "tensor<4xf32>".parse().unwrap();
    Plan {
        target: PlanTarget {
            platform: "fake".to_owned(),
            architecture: "fake_2".to_owned(),
        },
        signature: Signature {
            name: "main".to_owned(),
            inputs: vec![vector(), vector()],
            outputs: vec![vector(), vector()],
            ..Signature::default()
        },
        code: b"add scale count".to_vec(),
        kernels: ["add", "scale", "count"]
            .map(|name| KernelDescription {
                name: name.to_owned(),
                static_shared_memory: 0,
            })
            .to_vec(),
        arena_size: 256,
        arena_largest: "a.mlir:1:2".to_owned(),
        constants: vec![[1.0_f32, 2.0, 3.0, 4.0].map(f32::to_le_bytes).concat()],
        sequences,
        custom_calls: Vec::new(),
    }
}

pub fn copy(source: Slice, target: Slice) -> Thunk {
    Thunk::Copy { source, target }
}

pub fn launch(kernel: u32, arguments: Vec<KernelArgument>) -> Thunk {
    Thunk::Launch {
        kernel,
        grid: [1, 1, 1],
        block: [4, 1, 1],
        dynamic_shared_memory: 0,
        arguments,
    }
}

/// A product of two by two matrices: input 0 by the transpose of input 1 into
/// output 0.
pub fn gemm() -> Gemm {
    let matrix = |buffer, transposed| GemmMatrix {
        slice: slice(buffer, 0, 16),
        element_type: ElementType::F32,
        leading_dimension: 2,
        batch_stride: 4,
        transposed,
    };
    Gemm {
        batch: 1,
        m: 2,
        n: 2,
        k: 2,
        a: matrix(BufferReference::Input(0), false),
        b: matrix(BufferReference::Input(1), true),
        c: matrix(BufferReference::Output(0), false),
        precision: GemmPrecision::Full,
    }
}

/// A call of a function on one vector.
pub fn site(target: &str) -> CustomCallSite {
    let vector = || vec!["tensor<4xf32>".parse().unwrap()];
    let mut site = CustomCallSite::new(target, vector(), vector());
    site.location = "a.mlir:3:4".to_owned();
    site.attributes = Attributes(
        [
            ("name", Attribute::Text("x".to_owned())),
            (
                "list",
                Attribute::List(vec![
                    Attribute::Number(ElementType::I64, halo_core::Scalar::Int(-3)),
                    Attribute::Dictionary(Attributes::default()),
                    Attribute::Number(ElementType::F32, halo_core::Scalar::Float(0.5)),
                ]),
            ),
        ]
        .map(|(name, attribute)| (name.to_owned(), attribute))
        .into(),
    );
    site
}

/// A plan with every kind of step.
pub fn everything() -> Plan {
    use BufferReference::{Arena, Constant, Input, Output};
    let program = vec![
        copy(slice(Input(0), 0, 16), slice(Arena, 0, 16)),
        Thunk::Fill {
            target: slice(Arena, 64, 4),
            pattern: FillPattern::Word(7),
        },
        launch(
            0,
            vec![
                KernelArgument::Buffer(slice(Arena, 0, 16)),
                KernelArgument::Buffer(slice(Constant(0), 0, 16)),
                KernelArgument::Buffer(slice(Output(1), 0, 16)),
            ],
        ),
        Thunk::Gemm(gemm()),
        Thunk::CustomCall {
            site: 0,
            operands: vec![slice(Arena, 0, 16)],
            results: vec![slice(Arena, 16, 16)],
        },
        Thunk::While {
            condition: 1,
            predicate: slice(Arena, 64, 1),
            body: 2,
        },
        Thunk::For {
            lower: -1,
            upper: 3,
            step: 2,
            body: 3,
        },
    ];
    let body = vec![Thunk::Conditional {
        kind: ConditionalKind::Index,
        index: slice(Arena, 64, 4),
        branches: vec![4, 5],
    }];
    let counted = vec![launch(
        2,
        vec![
            KernelArgument::Counter(3),
            KernelArgument::Buffer(slice(Output(1), 0, 16)),
            KernelArgument::Scalar(vec![1, 0, 0, 0]),
        ],
    )];
    let mut plan = plan(vec![program, vec![], body, counted, vec![], vec![]]);
    plan.custom_calls.push(site("twice"));
    plan
}
