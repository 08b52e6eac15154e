//! Decisions of passes not to transform an op. The option `explain` of a pass emits them as
//! remarks, and the record of a compilation stores them as values.

use halo_ir::{
    diagnostics::{Place, Report},
    prelude::*,
};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display, Formatter};

/// A decision not to transform an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Decision {
    pub outcome: Outcome,
    pub reason: Reason,
}

impl Outcome {
    pub const fn because(self, reason: Reason) -> Decision {
        Decision {
            outcome: self,
            reason,
        }
    }
}

impl Decision {
    /// A remark with this decision as its message and its detail.
    pub fn remark<'c>(self, pass: &PassInvocation, place: impl Place<'c>) -> Report<'c> {
        self.remark_as(pass, place, self.to_string())
    }

    /// A remark with this decision as its detail and another message.
    pub fn remark_as<'c>(
        self,
        pass: &PassInvocation,
        place: impl Place<'c>,
        message: String,
    ) -> Report<'c> {
        pass.remark(place, message).detail(self)
    }
}

impl Display for Decision {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.outcome, self.reason)
    }
}

/// Declares an enum with a text for each variant.
macro_rules! texts {
    ($(#[$attribute:meta])* $name:ident { $($variant:ident => $text:literal,)* }) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            $(#[doc = $text] $variant,)*
        }

        impl $name {
            pub const ALL: &[Self] = &[$(Self::$variant),*];
        }

        impl Display for $name {
            fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
                formatter.write_str(match self {
                    $(Self::$variant => $text,)*
                })
            }
        }
    };
}

texts! {
/// The outcome of a decision, the predicate of a remark about an op.
Outcome {
    BranchesOverwriteCopy => "has branches that overwrite a copy of a tensor",
    ComputesOperand => "computes an operand in registers",
    CopiedBefore => "overwrites a tensor, which is copied before",
    CopiedToConditional => "is copied to the result of a conditional",
    CopiedToNextIteration => "is copied to the next iteration",
    CopiedToResult => "is copied to a result of the function",
    InsertsCopy => "inserts a copy of a tensor",
    NotAddedUp => "is not added up with another product",
    NotComputedInDestination => "is not computed in its destination",
    NotComputedInGather => "is not computed in a gather",
    NotComputedInParts => "is not computed in parts",
    NotComputedInSlice => "is not computed in the slice for its result",
    NotComputedWithProduct => "is not computed with the product before it",
    NotFoldedIntoReader => "is not folded into the indices of its reader",
    NotFusedIntoUser => "is not fused into its user",
    NotFusedWithReader => "is not fused with the op that reads it",
    NotGrouped => "is in no group",
    NotGroupedWithUser => "is not in the group of its user",
    NotJoinedWithLoop => "is not joined with another loop",
    NotJoinedWithOp => "is not joined with another op",
    NotOnTensorCores => "is not computed on tensor cores",
    NotRecomputed => "is not computed again in its users",
    OverwritesCopy => "overwrites a copy of a tensor",
    RunsOnFewThreads => "runs on few threads",
    StaysPadded => "stays padded",
}
}

texts! {
/// The reason of a decision, returned by the deciding function.
Reason {
    AddedToSeveralProducts => "it is added to several products",
    AddendReadsMatrix => "what it is added to reads another matrix",
    AddendUsedElsewhere => "something else needs a part of what it is added to",
    AddsNonUnitDims => "other dimensions than those of size 1 come or go",
    ComputedAsPacked => "its elements are packed once, and no buffer holds all of them",
    ComputedAsStreamed => "its elements are streamed once, and no buffer holds them",
    ComputedOutside => "it is computed outside of the loop or branch",
    ComputedOutsideOfLoop => "it is computed outside of the loop that adds it",
    ComputesFactor => "it computes a factor of the first product",
    CopiedSourceChanges => "what was copied into it changes before it is read",
    DependentLoops => "one of them accesses what the other one writes",
    DynamicShape => "a shape is dynamic",
    EachInSlice => "each is computed in its slice of a tensor",
    ExpensiveToRecompute => "from what they read, it takes more than a few cheap ops",
    ExceedsRegisters => "a tile exceeds the registers of a block",
    FactorsExceedCache => "the factors that each tile reads would not stay in a cache",
    FewRows => "there are few rows",
    FewRowsCached => "few of the rows between them fit into a cache",
    FirstReadsWhatItOverwrites => "the first reads what it overwrites",
    GatherRecomputes => "the gather would compute elements more than once",
    GroupTooLarge => "the group has many ops",
    HasOwnDestination => "the op that computes it has a place of its own",
    HeldByOtherOp => "another op may hold its memory",
    HoldsOtherResult => "another result of the op is there",
    InsideComputedInResult => "an op computes what is inside of it in a result",
    InsideNotWrittenWhole => "no op writes all of its inside before it is read",
    InteriorOrDynamicPadding => "there is padding between elements, or of dynamic width",
    IntermediateCached => "the caches hold what is between them",
    IntermediateReadElsewhere => "another op reads what is between the products",
    IrregularTileStride => "the elements of a tile are not equally far from each other",
    IsArgument => "it is an argument",
    IsConstant => "it is a constant",
    IsInOtherResult => "it is in the place of another result",
    IsPartOfTensor => "it is a part of another tensor",
    IsReduction => "it is a reduction",
    IterationExceedsCache => "the values of an iteration would not stay in the cache",
    IterationNeedsOtherElements => "an iteration needs other elements than those of its own",
    IterationTooLong => "an iteration has many elements",
    IterationTooShort => "an iteration has few elements",
    LoopTooLong => "the loop would get too long",
    LoopsDifferFromTiles => "the loops of that op are not those of its tiles",
    ManyElementsGathered => "it has several uses, and the gather reads much of it",
    ManyOpsBetween => "there are many ops between the products",
    ManyParts => "it has many parts",
    MatrixVectorHasNoTiles =>
        "a product of a matrix and a vector has no tiles that could wait for it",
    MemoryAccessBetween => "an op between them may access memory",
    MemoryOfArgument => "its memory is that of an argument",
    MemoryOfConstant => "its memory is that of a constant",
    NoBody => "it has no body",
    NoContraction => "it is no contraction of two buffers",
    NoLoops => "it has no loops",
    NoMatrixInstruction => "no matrix instruction multiplies its types",
    NoProducerInGroup => "nothing else computes what one of its iterations needs",
    NoReader => "no op on its elements follows",
    NoStaticLoop => "it is no loop over static shapes",
    NotBlockByBlock => "the ops between the products need all columns of a row at once",
    NotRead => "nothing reads it",
    OldContentsReadLater => "what would be in its place is read later",
    OldElementsReadLater => "its old elements are read later",
    OneReadsWhatItOverwrites => "one of them reads what it overwrites",
    OneRow => "there is one row",
    OpReadsWhatItOverwrites => "the op reads what it overwrites",
    OperandOverwrittenBetween => "an operand is overwritten in between",
    OtherIterations => "one of them has loops inside, and other iterations",
    OtherType => "it has another type",
    OtherUsers => "other users come before, or read other elements",
    OverlapsInsertion => "it is in another part of the memory that it is inserted into",
    OverwritesArgument => "it overwrites another argument",
    OverwritesTensor => "it overwrites another tensor",
    PackingExceedsSavings => "each tile would pack larger factors than it saves",
    PartialSums => "its sums are made in parts, one after the other",
    PartsNotRanges => "its parts are not read in ranges of one loop",
    PermutedElements => "its elements have another order than its loops",
    ReadAtNonlinearIndices =>
        "an op transposes it, or reads it at indices that are not linear",
    ReadBeforeGroupEnds => "an op before the end of the group reads it",
    ReadByFusedLoop => "a loop that computes several ops reads it",
    ReadByLoop => "a loop or branch reads it",
    ReadByNonElementwiseOp => "something but an elementwise op reads it",
    ReadByReduction => "a product or a sum reads it",
    ReadByUnstructuredOp => "something but a structured op reads it",
    ReadOnlyMemory => "its memory is not to be written to",
    ReaderComputesPositions => "the op that reads it also reads positions that it computes",
    ReaderIsDynamic => "its reader has a dynamic shape",
    ReaderMayJoinReduction =>
        "its reader also reads a product or a sum, and may join the loops of that",
    ReaderNotElementwise => "the op that reads it is not elementwise",
    ReaderOverwritesOperands =>
        "the op that reads it overwrites what the contraction or itself reads",
    ReaderPermutesElements => "the op that reads it takes its elements in another order",
    ReaderRecomputes => "the reader would compute elements more than once",
    ReaderResultHasNoParts => "a result of its reader has no such parts",
    ReaderUpdatesTensor => "its reader updates another tensor",
    ReadsWhatItOverwrites => "it reads what it overwrites",
    RequestsF32 => "it requests the precision of f32",
    ReshapesNonUnitDims => "other dimensions than those of size 1 change",
    ResultCached =>
        "the caches hold its result, and a loop of its own reads several matrices",
    ResultNotPerIteration => "a result does not have an element for each iteration",
    ResultUsedBetween => "another op uses the result in between",
    ResultUsedElsewhere => "something else needs the result",
    SeveralUses => "it computes, and has several uses",
    SharedConvolutionKernel =>
        "by the rule for convolutions, another kernel computes that, whatever it is, so that equal convolutions become one kernel",
    SliceComputedLater => "the place of the slice is computed behind it",
    SourceHasSeveralUses => "what it is of computes, and has several uses",
    StartsFromNonZero => "it starts from other values than zeros",
    StreamedOperand =>
        "the few rows of its result stay in the caches while the other operand is streamed",
    StridedIteration => "elements of an iteration are not next to each other in memory",
    SumPermutesElements => "the sum has elements of other positions",
    TileNeedsOtherElements => "a tile of rows needs other elements than those of its own",
    TensorCoresSlower => "the vector units compute f32 faster than three products of TF32",
    TilesRecompute => "several tiles would compute it",
    TooFewIterations => "there are too few iterations to share among threads",
    TooFewTiles => "there would be too few tiles of whole rows to share among threads",
    TooManyLoopParts => "the loop would have many parts",
    TooManyResults => "the loop would have many results",
    TooSmallForTiles => "it is too small for tiles",
    UnbalancedIterations => "an iteration of one of them takes much longer",
    UnknownMemory => "its memory is not known",
    UsedBetween => "the first has users before the second",
    UsedElsewhere => "something else needs it, too",
    UsedInLoop => "it is used in a loop or branch",
    UserLoopTooLong => "the loop of a user would get too long",
    UserReadsRepeatedly => "the user reads elements more than once",
    UserRecomputes => "the user would compute elements more than once",
    UsersLackOperands => "not all users read the values that it follows from",
    UsersNotElementwise =>
        "not all users are elementwise ops that read the elements which they compute",
    ThreadRunsLongLoop => "each of them runs many iterations in sequence",
    VectorHasNoTiles => "a vector has no tiles to start from",
    WrittenByAllIterations => "all iterations of a parallel loop would write to it",
    WrittenByOtherOp => "another op writes to it",
    WrittenInParts => "it is written in several parts",
}
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn texts_are_distinct() {
        let texts: BTreeSet<String> = Reason::ALL.iter().map(ToString::to_string).collect();
        assert_eq!(texts.len(), Reason::ALL.len());
        let decision = Outcome::NotFusedIntoUser.because(Reason::IsReduction);
        assert_eq!(
            decision.to_string(),
            "is not fused into its user: it is a reduction"
        );
    }
}
