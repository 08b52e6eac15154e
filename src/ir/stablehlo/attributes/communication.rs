//! Channels, and buffers shared with custom calls.

use super::access::dimension_struct;

dimension_struct! {
    /// `#stablehlo.channel_handle`, which pairs the two ends of a
    /// communication.
    ChannelHandle, RawChannelHandle,
    haloChannelHandleRead, haloChannelHandleBuild {
        handle: number,
        channel_type: number,
    }
}

dimension_struct! {
    /// `#stablehlo.output_operand_alias`: an output of a custom call that
    /// shares the buffer of an operand. The lists walk into nested tuples.
    OutputOperandAlias, RawOutputOperandAlias,
    haloOutputOperandAliasRead, haloOutputOperandAliasBuild {
        output_tuple_indices: dims,
        operand_index: number,
        operand_tuple_indices: dims,
    }
}
