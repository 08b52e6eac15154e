//! The operations of HLO.

use std::{fmt, str::FromStr};

macro_rules! opcodes {
    ($($variant:ident $name:literal $operands:expr,)*) => {
        /// The operation of an instruction, as defined by XLA's operation semantics.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Opcode {
            $(#[doc = concat!("`", $name, "`")] $variant,)*
        }

        impl Opcode {
            /// Every opcode, in the order of their names.
            pub const ALL: &[Opcode] = &[$(Opcode::$variant,)*];

            /// The name in the text.
            pub fn name(self) -> &'static str {
                match self {
                    $(Opcode::$variant => $name,)*
                }
            }

            /// The number of operands of an instruction, unless it varies.
            pub fn operand_count(self) -> Option<usize> {
                match self {
                    $(Opcode::$variant => $operands,)*
                }
            }
        }
    };
}

opcodes! {
    Abs "abs" Some(1),
    Acos "acos" Some(1),
    Acosh "acosh" Some(1),
    Add "add" Some(2),
    AddDependency "add-dependency" Some(2),
    AfterAll "after-all" None,
    AllGather "all-gather" None,
    AllGatherDone "all-gather-done" Some(1),
    AllGatherStart "all-gather-start" None,
    AllReduce "all-reduce" None,
    AllReduceDone "all-reduce-done" Some(1),
    AllReduceStart "all-reduce-start" None,
    AllToAll "all-to-all" None,
    And "and" Some(2),
    Asin "asin" Some(1),
    Asinh "asinh" Some(1),
    AsyncDone "async-done" Some(1),
    AsyncStart "async-start" None,
    AsyncUpdate "async-update" None,
    Atan "atan" Some(1),
    Atan2 "atan2" Some(2),
    Atanh "atanh" Some(1),
    BatchNormGrad "batch-norm-grad" Some(5),
    BatchNormInference "batch-norm-inference" Some(5),
    BatchNormTraining "batch-norm-training" Some(3),
    Bitcast "bitcast" Some(1),
    BitcastConvert "bitcast-convert" Some(1),
    Broadcast "broadcast" Some(1),
    Call "call" None,
    Cbrt "cbrt" Some(1),
    Ceil "ceil" Some(1),
    Cholesky "cholesky" Some(1),
    Clamp "clamp" Some(3),
    CollectiveBroadcast "collective-broadcast" None,
    CollectivePermute "collective-permute" None,
    CollectivePermuteDone "collective-permute-done" Some(1),
    CollectivePermuteStart "collective-permute-start" None,
    CollectiveReduce "collective-reduce" None,
    Compare "compare" Some(2),
    Complex "complex" Some(2),
    Concatenate "concatenate" None,
    Conditional "conditional" None,
    Constant "constant" Some(0),
    Convert "convert" Some(1),
    Convolution "convolution" None,
    Copy "copy" Some(1),
    CopyDone "copy-done" Some(1),
    CopyStart "copy-start" Some(1),
    Cosh "cosh" Some(1),
    Cosine "cosine" Some(1),
    CountLeadingZeros "count-leading-zeros" Some(1),
    CustomCall "custom-call" None,
    Divide "divide" Some(2),
    Domain "domain" Some(1),
    Dot "dot" None,
    DynamicReshape "dynamic-reshape" None,
    DynamicSlice "dynamic-slice" None,
    DynamicUpdateSlice "dynamic-update-slice" None,
    Erf "erf" Some(1),
    Exponential "exponential" Some(1),
    ExponentialMinusOne "exponential-minus-one" Some(1),
    Fft "fft" Some(1),
    Floor "floor" Some(1),
    Fusion "fusion" None,
    Gather "gather" Some(2),
    GetDimensionSize "get-dimension-size" Some(1),
    GetTupleElement "get-tuple-element" Some(1),
    Imag "imag" Some(1),
    Infeed "infeed" Some(1),
    Iota "iota" Some(0),
    IsFinite "is-finite" Some(1),
    Log "log" Some(1),
    LogPlusOne "log-plus-one" Some(1),
    Logistic "logistic" Some(1),
    Map "map" None,
    Maximum "maximum" Some(2),
    Minimum "minimum" Some(2),
    Mulhi "mulhi" Some(2),
    Multiply "multiply" Some(2),
    Negate "negate" Some(1),
    Not "not" Some(1),
    OptBarrier "opt-barrier" Some(1),
    Or "or" Some(2),
    Outfeed "outfeed" Some(2),
    Pad "pad" Some(2),
    Parameter "parameter" Some(0),
    PartitionId "partition-id" Some(0),
    Popcnt "popcnt" Some(1),
    Power "power" Some(2),
    RaggedAllToAll "ragged-all-to-all" Some(6),
    RaggedDot "ragged-dot" Some(3),
    Real "real" Some(1),
    Recv "recv" Some(1),
    RecvDone "recv-done" Some(1),
    Reduce "reduce" None,
    ReducePrecision "reduce-precision" Some(1),
    ReduceScatter "reduce-scatter" None,
    ReduceWindow "reduce-window" None,
    Remainder "remainder" Some(2),
    ReplicaId "replica-id" Some(0),
    Reshape "reshape" Some(1),
    Reverse "reverse" Some(1),
    Rng "rng" None,
    RngBitGenerator "rng-bit-generator" Some(1),
    RngGetAndUpdateState "rng-get-and-update-state" Some(0),
    RoundNearestAfz "round-nearest-afz" Some(1),
    RoundNearestEven "round-nearest-even" Some(1),
    Rsqrt "rsqrt" Some(1),
    ScaledDot "scaled-dot" Some(4),
    Scan "scan" None,
    Scatter "scatter" None,
    Select "select" Some(3),
    SelectAndScatter "select-and-scatter" Some(3),
    Send "send" Some(2),
    SendDone "send-done" Some(1),
    SetDimensionSize "set-dimension-size" Some(2),
    ShiftLeft "shift-left" Some(2),
    ShiftRightArithmetic "shift-right-arithmetic" Some(2),
    ShiftRightLogical "shift-right-logical" Some(2),
    Shuffle "shuffle" Some(1),
    Sign "sign" Some(1),
    Sine "sine" Some(1),
    Sinh "sinh" Some(1),
    Slice "slice" Some(1),
    Sort "sort" None,
    Sqrt "sqrt" Some(1),
    StochasticConvert "stochastic-convert" Some(2),
    Subtract "subtract" Some(2),
    Tan "tan" Some(1),
    Tanh "tanh" Some(1),
    Topk "topk" Some(1),
    Transpose "transpose" Some(1),
    TriangularSolve "triangular-solve" Some(2),
    Tuple "tuple" None,
    While "while" Some(1),
    Xor "xor" Some(2),
}

/// A word that is not an opcode.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no opcode '{0}'")]
pub struct UnknownOpcode(pub String);

impl FromStr for Opcode {
    type Err = UnknownOpcode;

    fn from_str(name: &str) -> Result<Self, UnknownOpcode> {
        // The names are sorted.
        let position = Opcode::ALL.binary_search_by(|opcode| opcode.name().cmp(name));
        match position {
            Ok(position) => Ok(Opcode::ALL[position]),
            Err(_) => Err(UnknownOpcode(name.to_owned())),
        }
    }
}

impl fmt::Display for Opcode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted_and_read_back() {
        assert!(Opcode::ALL.is_sorted_by(|one, next| one.name() < next.name()));
        for opcode in Opcode::ALL {
            assert_eq!(opcode.name().parse(), Ok(*opcode));
        }
        assert!("nonsense".parse::<Opcode>().is_err());
    }
}
