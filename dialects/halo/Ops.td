//===- Ops.td - Ops of the halo dialect -----------------------------------===//

#ifndef HALO_HALO_OPS
#define HALO_HALO_OPS

include "halo/Attrs.td"
include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.td"

class Halo_Op<string mnemonic, list<Trait> traits = []>
    : Op<Halo_Dialect, mnemonic, traits # [Hlo_Semantics]>;

//===----------------------------------------------------------------------===//
// Calls of the runtime
//===----------------------------------------------------------------------===//

def Halo_CustomCallOp : Halo_Op<"custom_call", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<BufferizableOpInterface, [
      "bufferizesToMemoryRead", "bufferizesToMemoryWrite", "getAliasingValues",
      "bufferize"]>]> {
  let summary = "Calls the handler of a custom call target in the runtime";
  let description = [{
    The call reads its inputs. On tensors it has results; in destination-passing
    style it writes to output buffers instead:

    ```mlir
    %0 = halo.custom_call "f"(%x) {operand_types = [tensor<4xui8>], result_types = [tensor<4xui8>]}
           : (tensor<4xi8>) -> tensor<4xi8>
    halo.custom_call "f"(%x) outs(%place : memref<4xi8>)
           {operand_types = [tensor<4xui8>], result_types = [tensor<4xui8>]}
           : (memref<4xi8>) -> ()
    ```

    `operand_types` and `result_types` are the types in the program, with
    signedness and logical order of dimensions. With `operand_layouts` or
    `result_layouts`, the dimensions of the values are in the physical order of
    these layouts. `backend_config` is the string that the program passes to the
    handler, `dictionary` the same as named attributes.

    A call may have any effect: it is neither moved, merged nor erased.
  }];
  let arguments = (ins
    Variadic<AnyTypeOf<[AnyRankedTensor, AnyMemRef]>>:$inputs,
    Variadic<AnyMemRef>:$outputs,
    StrAttr:$target,
    TypeArrayAttr:$operand_types,
    TypeArrayAttr:$result_types,
    OptionalAttr<StrAttr>:$backend_config,
    OptionalAttr<DictionaryAttr>:$dictionary,
    OptionalAttr<Halo_LayoutsAttr>:$operand_layouts,
    OptionalAttr<Halo_LayoutsAttr>:$result_layouts);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    $target `(` $inputs `)` (`outs` `(` $outputs^ `:` type($outputs) `)`)?
    attr-dict `:` functional-type($inputs, $results)
  }];
}

def Halo_ParallelCallOp : Halo_Op<"parallel_call", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Calls a kernel from tasks that may run in parallel";
  let description = [{
    The kernel is a function with `halo.kernel`, of the range of iterations that
    it runs and of what it captures. Tasks have `grain` iterations, the last one
    perhaps fewer.

    ```mlir
    halo.parallel_call @kernel from %c0 to %c64 grain 16
        captures(%a, %b : memref<64xf32>, memref<64xf32>)
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Index:$begin,
    Index:$end,
    ConfinedAttr<I64Attr, [IntPositive]>:$grain,
    Variadic<AnyType>:$captures);
  let assemblyFormat = [{
    $callee `from` $begin `to` $end `grain` $grain
    (`captures` `(` $captures^ `:` type($captures) `)`)? attr-dict
  }];
}

def Halo_PlanSizesOp : Halo_Op<"plan_sizes", [AttrSizedOperandSegments]> {
  let summary = "The sizes that an entry of dynamic shape computes before it runs";
  let description = [{
    `sizes` are the dynamic dimensions of the results in order, then, after
    --halo-buffer-assignment, the bytes of the arena. They are computed from the
    index arguments of the entry, which are the dynamic dimensions of its
    inputs. `checks` must be true, or the run fails with the
    message of the first that is not:

    ```mlir
    halo.plan_sizes(%n, %bytes) checks(%fits) {messages = ["lhs and rhs have different sizes"]}
    ```
  }];
  let arguments = (ins
    Variadic<Index>:$sizes,
    Variadic<I1>:$checks,
    StrArrayAttr:$messages);
  let assemblyFormat =
      "`(` $sizes `)` (`checks` `(` $checks^ `)`)? attr-dict";
}

//===----------------------------------------------------------------------===//
// Communication
//===----------------------------------------------------------------------===//

// These ops synchronize processes, so they are neither moved, merged nor erased.
// --halo-flatten-tuples removes the tokens.
class Halo_CommunicationOp<string mnemonic>
    : Halo_Op<mnemonic, [Hlo_ExternalEffects]>;

def Halo_TensorOrToken : AnyTypeOf<[Hlo_TensorOrPerAxis, Hlo_Token]>;

// A ticket, an index in a group, or the size of a group.
def Halo_Number : 0DTensorOf<[I64]>,
    BuildableType<"::mlir::RankedTensorType::get({}, $_builder.getI64Type())">;

def Halo_CollectiveStartOp : Halo_CommunicationOp<"collective_start"> {
  let summary = "Starts a collective with the operands of the process";
  let description = [{
    The first of four steps. The other steps have the ticket as an operand:

    ```mlir
    %ticket = halo.collective_start "stablehlo.all_gather"(%x)
                {channel = 0 : i64, group_size = 2 : i64, groups = [array<i64: 0, 1>],
                 grouping = #halo.grouping<cross_replica>} : tensor<4xf32>
    %place, %size = halo.collective_wait "stablehlo.all_gather" %ticket
    %y = halo.collective_member "stablehlo.all_gather" %ticket[%place] : tensor<4xf32>
    halo.collective_end "stablehlo.all_gather" %ticket
    ```

    `source_op` is the collective of the program. All members of a group must
    start the same one, and errors name it. Collectives of different channels do
    not meet. `groups` lists the groups of processes; without any, all processes
    are one group. For `stablehlo.collective_permute` it lists pairs of a source
    and a target. `group_size` is the size of the group that the types of the
    collective are for, where they tell it.
  }];
  let arguments = (ins
    Variadic<Hlo_TensorOrPerAxis>:$inputs,
    StrAttr:$source_op,
    I64Attr:$channel,
    Halo_GroupingAttr:$grouping,
    Halo_ProcessesAttr:$groups,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$group_size);
  let results = (outs Halo_Number:$ticket);
  let assemblyFormat = [{
    $source_op `(` $inputs `)` attr-dict (`:` type($inputs)^)?
  }];
}

def Halo_CollectiveWaitOp : Halo_CommunicationOp<"collective_wait"> {
  let summary = "Waits for the group of the process in a collective";
  let description = [{
    Returns the index of the process in its group, and the size of the group.
    Both are 0 if the process receives nothing.
  }];
  let arguments = (ins Halo_Number:$ticket, StrAttr:$source_op);
  let results = (outs Halo_Number:$place, Halo_Number:$size);
  let assemblyFormat = "$source_op $ticket attr-dict";
}

def Halo_CollectiveMemberOp : Halo_CommunicationOp<"collective_member"> {
  let summary = "Gets the operands of one group member of a collective";
  let description = [{
    The results are zeros if the process receives nothing.
  }];
  let arguments = (ins
    Halo_Number:$ticket, Halo_Number:$place, StrAttr:$source_op);
  let results = (outs Variadic<Hlo_TensorOrPerAxis>:$results);
  let assemblyFormat = [{
    $source_op $ticket `[` $place `]` attr-dict (`:` type($results)^)?
  }];
}

def Halo_CollectiveEndOp : Halo_CommunicationOp<"collective_end"> {
  let summary = "Ends a collective for the process";
  let description = [{
    The ticket is no longer valid.
  }];
  let arguments = (ins Halo_Number:$ticket, StrAttr:$source_op);
  let assemblyFormat = "$source_op $ticket attr-dict";
}

def Halo_SendOp : Halo_CommunicationOp<"send"> {
  let summary = "Sends the operands over a channel";
  let description = [{
    Each process that is the source of one of `pairs` sends to the target.
    Without pairs, it sends to the process that receives on the channel.

    ```mlir
    %1 = halo.send(%x, %0) {channel = 1 : i64, pairs = [array<i64: 0, 1>]}
           : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
    ```
  }];
  let arguments = (ins
    Variadic<Halo_TensorOrToken>:$inputs,
    I64Attr:$channel,
    Halo_ProcessesAttr:$pairs);
  let results = (outs Variadic<Hlo_Token>:$tokens);
  let assemblyFormat =
      "`(` $inputs `)` attr-dict `:` functional-type($inputs, $tokens)";
}

def Halo_RecvOp : Halo_CommunicationOp<"recv"> {
  let summary = "Receives the results over a channel";
  let description = [{
    The counterpart of `halo.send`.
  }];
  let arguments = (ins
    Variadic<Hlo_Token>:$tokens,
    I64Attr:$channel,
    Halo_ProcessesAttr:$pairs);
  let results = (outs Variadic<Halo_TensorOrToken>:$results);
  let assemblyFormat =
      "`(` $tokens `)` attr-dict `:` functional-type($tokens, $results)";
}

def Halo_InfeedOp : Halo_CommunicationOp<"infeed"> {
  let summary = "Takes the results from the infeed queue of the host";
  let arguments = (ins Variadic<Hlo_Token>:$tokens);
  let results = (outs Variadic<Halo_TensorOrToken>:$results);
  let assemblyFormat =
      "`(` $tokens `)` attr-dict `:` functional-type($tokens, $results)";
}

def Halo_OutfeedOp : Halo_CommunicationOp<"outfeed"> {
  let summary = "Appends the operands to the outfeed queue of the host";
  let arguments = (ins Variadic<Halo_TensorOrToken>:$inputs);
  let results = (outs Variadic<Hlo_Token>:$tokens);
  let assemblyFormat =
      "`(` $inputs `)` attr-dict `:` functional-type($inputs, $tokens)";
}

def Halo_RunParallelOp : Halo_CommunicationOp<"run_parallel"> {
  let summary = "Runs programs on a grid of processes";
  let description = [{
    `programs` has a row for each replica, with the program of each partition.
    The operands and results are the concatenated operands and results of the
    programs. The results of the programs in `infeed` are first appended to the
    infeed queue.

    The programs are named by strings, not by symbols: each is compiled
    separately, so the functions can be removed from this program.

    ```mlir
    %0 = halo.run_parallel(%x) {programs = [["one"], ["two"]]} : (tensor<i32>) -> tensor<i32>
    ```
  }];
  let arguments = (ins
    Variadic<Halo_TensorOrToken>:$inputs,
    TypedArrayAttrBase<StrArrayAttr, "array of arrays of programs">:$programs,
    OptionalAttr<StrArrayAttr>:$infeed);
  let results = (outs Variadic<Halo_TensorOrToken>:$results);
  let assemblyFormat =
      "`(` $inputs `)` attr-dict `:` functional-type($inputs, $results)";
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

def Halo_GemmOp : Halo_Op<"gemm"> {
  let summary = "Matrix product computed by the library of a device";
  let description = [{
    `batch` products of an m by k matrix and a k by n matrix. The output is
    written but not read, and does not alias the other buffers.

    ```mlir
    halo.gemm %a, %b into %c {batch = 1 : i64, m = 64 : i64, n = 48 : i64, k = 32 : i64,
        precision = #halo.gemm_precision<full>,
        lhs_matrix = #halo.matrix<start = 0, leading_dimension = 32, batch_stride = 0, transposed = false>,
        rhs_matrix = #halo.matrix<start = 0, leading_dimension = 32, batch_stride = 0, transposed = true>,
        output_matrix = #halo.matrix<start = 0, leading_dimension = 48, batch_stride = 0, transposed = false>}
        : memref<64x32xf32>, memref<48x32xf32>, memref<64x48xf32>
    ```
  }];
  let arguments = (ins
    AnyMemRef:$lhs,
    AnyMemRef:$rhs,
    AnyMemRef:$output,
    ConfinedAttr<I64Attr, [IntPositive]>:$batch,
    ConfinedAttr<I64Attr, [IntPositive]>:$m,
    ConfinedAttr<I64Attr, [IntPositive]>:$n,
    ConfinedAttr<I64Attr, [IntPositive]>:$k,
    Halo_GemmPrecisionAttr:$precision,
    Halo_MatrixAttr:$lhs_matrix,
    Halo_MatrixAttr:$rhs_matrix,
    Halo_MatrixAttr:$output_matrix);
  let assemblyFormat = [{
    $lhs `,` $rhs `into` $output attr-dict
    `:` type($lhs) `,` type($rhs) `,` type($output)
  }];
}

#endif // HALO_HALO_OPS
