//! Communication volumes of the training steps in the literature, as formulas of the sizes of
//! parameters `P` and activations `A` in bytes, for `d` data-parallel and `t` tensor-parallel
//! ranks:
//!
//! | | forward | backward |
//! |---|---|---|
//! | data parallel | | all_reduce of each `P`, once (Li et al. 2020, PyTorch Distributed) |
//! | tensor parallel | all_reduce of `A`, once for two products | the same (Shoeybi et al. 2019, Megatron-LM) |
//! | sharded | all_gather of each `P / d` | reduce_scatter of each `P`; all_gather again, unless it was kept (Rajbhandari et al. 2020, ZeRO, stage 3) |
//!
//! If the vocabulary is divided too, the embedding and the gradient of the logits' operand are sums
//! of `A`, and the loss sums a number for each position: the maximum, exponentials, the likelihood
//! of the target, and, in JAX's gradient, the terms that it had of these.
//!
//! With both, `P` is the part of one of `t` ranks, and `A` the part of one of `d` ranks. The loss
//! adds 4 bytes if the batch is divided.

use super::model::{BLOCKS, DECODER, LOOP, MLP, MLP_ADAM, Model, VOCABULARY_DECODER};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    AllGather,
    AllReduce,
    ReduceScatter,
}

/// A collective between the members of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Collective {
    pub kind: Kind,
    /// The bytes of the operand of each member.
    pub bytes: usize,
    /// The number of members.
    pub group: usize,
}

/// A program, and its communication.
pub struct Step {
    /// The name of the file.
    pub name: &'static str,
    pub model: &'static Model,
    pub ranks: usize,
    pub collectives: Vec<Collective>,
}

/// The bytes of each parameter on one of `t` ranks.
fn parameters(model: &Model, t: usize) -> Vec<usize> {
    let bytes = model.parameters.iter().map(|parameter| {
        let count: usize = parameter.shape.iter().product();
        4 * count / if parameter.by_tensor { t } else { 1 }
    });
    bytes.collect()
}

fn collective(kind: Kind, bytes: usize, group: usize) -> Collective {
    Collective { kind, bytes, group }
}

fn loss(d: usize) -> Vec<Collective> {
    vec![collective(Kind::AllReduce, 4, d)]
}

fn data(parameters: &[usize], d: usize) -> Vec<Collective> {
    let sums = parameters.iter();
    let sums = sums.map(|bytes| collective(Kind::AllReduce, *bytes, d));
    sums.collect()
}

/// All reductions of activations in a step.
fn tensor(model: &Model, sums: usize, d: usize, t: usize) -> Vec<Collective> {
    let bytes = 4 * model.activations.iter().product::<usize>() / d;
    vec![collective(Kind::AllReduce, bytes, t); sums]
}

/// All reductions of a number for each position, for a divided vocabulary.
fn positions(model: &Model, t: usize) -> Vec<Collective> {
    let (_, positions) = model.activations.split_last().unwrap();
    let bytes = 4 * positions.iter().product::<usize>();
    vec![collective(Kind::AllReduce, bytes, t); 4]
}

/// Gathers of parameters, with their number.
fn sharded(parameters: &[usize], d: usize, gathers: usize) -> Vec<Collective> {
    let each = parameters.iter().flat_map(|bytes| {
        let gather = collective(Kind::AllGather, bytes / d, d);
        let scatter = collective(Kind::ReduceScatter, *bytes, d);
        std::iter::repeat_n(gather, gathers).chain([scatter])
    });
    each.collect()
}

/// Forward and backward reductions of a perceptron. The gradient of its input is not needed, so its
/// first block has none backward.
const MLP_SUMS: usize = 2 + 1;

/// Reductions of a decoder block, for attention and for the perceptron, forward and backward.
const BLOCK_SUMS: usize = 2 * 2;

/// All steps.
pub fn steps() -> Vec<Step> {
    let step = |name, model, ranks, parts: &[Vec<Collective>]| Step {
        name,
        model,
        ranks,
        collectives: parts.concat(),
    };
    let (mlp, decoder) = (parameters(&MLP, 1), parameters(&DECODER, 1));
    let mlp_tensor = tensor(&MLP, MLP_SUMS, 1, 4);
    let decoder_tensor = tensor(&DECODER, BLOCK_SUMS, 1, 4);
    let mixed = [
        data(&parameters(&DECODER, 4), 2),
        loss(2),
        tensor(&DECODER, BLOCK_SUMS, 2, 4),
    ];
    // The loop gathers the parameters of a block in each direction.
    let looped = parameters(&LOOP, 4);
    let (ends, blocks) = ([looped[0], looped[7]], &looped[1..7]);
    let block: Vec<usize> = blocks.iter().map(|bytes| bytes / BLOCKS).collect();
    let looped = [
        sharded(&ends, 2, 1),
        sharded(&block, 2, 2).repeat(BLOCKS),
        loss(2),
        tensor(&LOOP, BLOCK_SUMS * BLOCKS, 2, 4),
    ];
    vec![
        step("mlp_data", &MLP, 4, &[data(&mlp, 4), loss(4)]),
        step("mlp_data_adam", &MLP_ADAM, 8, &[data(&mlp, 8), loss(8)]),
        step("mlp_tensor", &MLP, 4, &[mlp_tensor]),
        step(
            "mlp_mixed",
            &MLP,
            8,
            &[
                data(&parameters(&MLP, 4), 2),
                loss(2),
                tensor(&MLP, MLP_SUMS, 2, 4),
            ],
        ),
        step(
            "mlp_sharded_adam",
            &MLP_ADAM,
            4,
            &[sharded(&mlp, 4, 1), loss(4)],
        ),
        step("mlp_manual_data", &MLP, 4, &[data(&mlp, 4), loss(4)]),
        step(
            "mlp_manual_sharded",
            &MLP,
            8,
            &[sharded(&mlp, 8, 1), loss(8)],
        ),
        step("decoder_data", &DECODER, 4, &[data(&decoder, 4), loss(4)]),
        step(
            "decoder_tensor",
            &DECODER,
            4,
            std::slice::from_ref(&decoder_tensor),
        ),
        step(
            "decoder_vocabulary",
            &VOCABULARY_DECODER,
            4,
            &[
                tensor(&VOCABULARY_DECODER, BLOCK_SUMS + 2, 1, 4),
                positions(&VOCABULARY_DECODER, 4),
            ],
        ),
        step("decoder_mixed", &DECODER, 8, &mixed),
        step(
            "decoder_sharded",
            &DECODER,
            8,
            &[
                sharded(&parameters(&DECODER, 4), 2, 1),
                loss(2),
                tensor(&DECODER, BLOCK_SUMS, 2, 4),
            ],
        ),
        step("decoder_manual_tensor", &DECODER, 4, &[decoder_tensor]),
        step("decoder_manual_mixed", &DECODER, 8, &mixed),
        step("loop_sharded", &LOOP, 8, &looped),
    ]
}
