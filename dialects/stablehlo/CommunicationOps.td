//===- CommunicationOps.td - Ops between devices and with the host --------===//
//
// They must not be moved, merged or erased: every process of a group must run the same
// communication ops in the same order.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_STABLEHLO_COMMUNICATION_OPS
#define HALO_STABLEHLO_COMMUNICATION_OPS

include "stablehlo/Attrs.td"
include "stablehlo/Dialect.td"

//===----------------------------------------------------------------------===//
// Position in the grid
//===----------------------------------------------------------------------===//

def Stablehlo_ReplicaIdOp : Stablehlo_Op<"replica_id", [NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "ID of the current replica";
  let description = [{
    Specification: `replica_id`.
  }];
  let results = (outs Hlo_UI32Tensor:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def Stablehlo_PartitionIdOp : Stablehlo_Op<"partition_id", [NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "ID of the current partition";
  let description = [{
    Specification: `partition_id`.
  }];
  let results = (outs Hlo_UI32Tensor:$result);
  let assemblyFormat = "attr-dict `:` type(results)";
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

class Stablehlo_CollectiveOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, traits # [Hlo_ExternalEffects, Hlo_SymbolUser]>;

class Stablehlo_ReducingCollectiveOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_CollectiveOp<mnemonic, traits # [
        SingleBlockImplicitTerminator<"ReturnOp">]> {
  let regions = (region SizedRegion<1>:$computation);
}

def Stablehlo_AllGatherOp : Stablehlo_CollectiveOp<"all_gather"> {
  let summary = "The operands of a group, concatenated";
  let description = [{
    Every process receives the operands of its group concatenated along
    `all_gather_dim`.
    Specification: `all_gather`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$operands,
    Hlo_DimensionAttr:$all_gather_dim,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<Hlo_Tensor>:$results);
}

def Stablehlo_AllReduceOp : Stablehlo_ReducingCollectiveOp<"all_reduce", [Hlo_InfersTypes]> {
  let summary = "The operands of a group, reduced";
  let description = [{
    Every process receives the elementwise reduction of its group's operands.
    Specification: `all_reduce`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$operands,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let results = (outs Variadic<Hlo_Tensor>:$results);
}

def Stablehlo_CollectiveReduceOp
    : Stablehlo_ReducingCollectiveOp<"collective_reduce", [Hlo_InfersTypes]> {
  let summary = "The operands of a group, reduced to one process";
  let description = [{
    The root of every group receives the elementwise reduction of its operands,
    every other process zeros. With `has_dynamic_root` the last operand names
    the roots; otherwise the root is the first process of the group.
    Specification: `collective_reduce`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$operands,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids,
    UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<Hlo_Tensor>:$results);
}

def Stablehlo_ReduceScatterOp
    : Stablehlo_ReducingCollectiveOp<"reduce_scatter"> {
  let summary = "The operands of a group, reduced and divided";
  let description = [{
    The reduction of a group's operands is split along `scatter_dimension`, one
    part for each process.
    Specification: `reduce_scatter`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Hlo_DimensionAttr:$scatter_dimension,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$use_global_device_ids);
  let results = (outs Hlo_Tensor:$result);
}

def Stablehlo_AllToAllOp : Stablehlo_CollectiveOp<"all_to_all", [Hlo_InfersTypes]> {
  let summary = "Parts exchanged between all processes of a group";
  let description = [{
    Every process splits its operands along `split_dimension`, sends one part to
    each process, and concatenates the received parts along `concat_dimension`.
    Specification: `all_to_all`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$operands,
    Hlo_DimensionAttr:$split_dimension,
    Hlo_DimensionAttr:$concat_dimension,
    ConfinedAttr<I64Attr, [IntPositive]>:$split_count,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle);
  let results = (outs Variadic<Hlo_Tensor>:$results);
}

def Stablehlo_CollectiveBroadcastOp
    : Stablehlo_CollectiveOp<"collective_broadcast", [Hlo_InfersTypes]> {
  let summary = "The operands of one process for the whole group";
  let description = [{
    Every process receives the operands of the root of its group, or zeros if it
    is in no group. With `has_dynamic_root` the last operand names the roots;
    otherwise the root is the first process of the group.
    Specification: `collective_broadcast`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$operands,
    Stablehlo_ReplicaGroups:$replica_groups,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle,
    UnitAttr:$has_dynamic_root);
  let results = (outs Variadic<Hlo_Tensor>:$results);
  // Before StableHLO 1.20 there was no `has_dynamic_root`.
  let useCustomPropertiesEncoding = 1;
}

def Stablehlo_CollectivePermuteOp
    : Stablehlo_Op<"collective_permute", [
        Hlo_ExternalEffects, Hlo_InfersOperandTypes]> {
  let summary = "Operands sent along pairs of processes";
  let description = [{
    The second process of every pair receives the operand of the first; a
    process that is second in no pair receives zeros.
    Specification: `collective_permute`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    I64ElementsAttr:$source_target_pairs,
    OptionalAttr<Stablehlo_ChannelHandle>:$channel_handle);
  let results = (outs Hlo_Tensor:$result);
}

def Stablehlo_CrossReplicaSumOp
    : Stablehlo_Op<"cross-replica-sum", [
        Hlo_ExternalEffects, Hlo_InfersOperandTypes]> {
  let summary = "The sum of the replicas' operands";
  let description = [{
    Not in the specification; equivalent to `all_reduce` with addition.
  }];
  let arguments = (ins Hlo_Tensor:$operand, I64ElementsAttr:$replica_groups);
  let results = (outs Hlo_Tensor:$result);
}

//===----------------------------------------------------------------------===//
// Asynchronous collectives
//===----------------------------------------------------------------------===//

def Stablehlo_AsyncStartOp : Stablehlo_Op<"async_start", [
    Hlo_ExternalEffects, SingleBlockImplicitTerminator<"ReturnOp">,
    Hlo_InfersTypes]> {
  let summary = "Start of a collective";
  let description = [{
    Starts the collective in `body` without waiting for it.
    Specification: `async_start`.
  }];
  let arguments = (ins Variadic<Hlo_Tensor>:$operands);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Hlo_Future:$result);
}

def Stablehlo_AsyncDoneOp
    : Stablehlo_Op<"async_done", [
    Hlo_ExternalEffects, Hlo_InfersTypes]> {
  let summary = "End of a collective";
  let description = [{
    Waits for a started collective and returns its results.
    Specification: `async_done`.
  }];
  let arguments = (ins Hlo_Future:$operand);
  let results = (outs Variadic<Hlo_Tensor>:$results);
}

//===----------------------------------------------------------------------===//
// Host and point to point
//===----------------------------------------------------------------------===//

def Stablehlo_InfeedOp : Stablehlo_Op<"infeed", [Hlo_ExternalEffects]> {
  let summary = "Data read from the host's queue";
  let description = [{
    The last result is a token, which orders further ops.
    Specification: `infeed`.
  }];
  let arguments = (ins
    Hlo_Token:$token,
    DefaultValuedStrAttr<StrAttr, "">:$infeed_config,
    OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<Hlo_StaticTensorOrToken>:$results);
}

def Stablehlo_OutfeedOp : Stablehlo_Op<"outfeed", [
    Hlo_ExternalEffects, Hlo_InfersTypes]> {
  let summary = "Data written to the host's queue";
  let description = [{
    Specification: `outfeed`.
  }];
  let arguments = (ins
    Variadic<Hlo_TensorOrPerAxis>:$inputs,
    Hlo_Token:$token,
    DefaultValuedStrAttr<StrAttr, "">:$outfeed_config);
  let results = (outs Hlo_Token:$result);
}

def Stablehlo_SendOp : Stablehlo_Op<"send", [
    Hlo_ExternalEffects, Hlo_InfersTypes]> {
  let summary = "Data sent over a channel";
  let description = [{
    To the host with `is_host_transfer`, otherwise between the devices that
    `source_target_pairs` lists.
    Specification: `send`.
  }];
  let arguments = (ins
    Variadic<Hlo_TensorOrPerAxis>:$inputs,
    Hlo_Token:$token,
    Stablehlo_ChannelHandle:$channel_handle,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
    OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Hlo_Token:$result);
}

def Stablehlo_RecvOp : Stablehlo_Op<"recv", [Hlo_ExternalEffects]> {
  let summary = "Data received over a channel";
  let description = [{
    The counterpart of `send`; the last result is a token.
    Specification: `recv`.
  }];
  let arguments = (ins
    Hlo_Token:$token,
    Stablehlo_ChannelHandle:$channel_handle,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
    OptionalAttr<I64ElementsAttr>:$source_target_pairs);
  let results = (outs Variadic<Hlo_StaticTensorOrToken>:$results);
}

#endif // HALO_STABLEHLO_COMMUNICATION_OPS
