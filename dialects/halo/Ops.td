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
  let summary = "A call of the handler that the runtime has for a target";
  let description = [{
    The call reads its inputs. On tensors it has results; in
    destination-passing style it writes to as many buffers instead:

    ```mlir
    %0 = halo.custom_call "f"(%x) {operand_types = [tensor<4xui8>], result_types = [tensor<4xui8>]}
           : (tensor<4xi8>) -> tensor<4xi8>
    halo.custom_call "f"(%x) outs(%place : memref<4xi8>)
           {operand_types = [tensor<4xui8>], result_types = [tensor<4xui8>]}
           : (memref<4xi8>) -> ()
    ```

    `operand_types` and `result_types` are those of the program, with its signs
    and its order of dimensions. Where `operand_layouts` or `result_layouts` are
    given, the dimensions of the values are in the order of the memory that
    these describe. `backend_config` is the text that the program gives the
    handler, `dictionary` the same as named attributes.

    A call may have any effect: it is neither moved, merged nor dropped.
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
  let summary = "A call of a kernel by tasks that may run side by side";
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

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

def Halo_GemmOp : Halo_Op<"gemm"> {
  let summary = "A product of matrices that the library of a device computes";
  let description = [{
    `batch` products of an m by k matrix and a k by n matrix. The output is
    written and not read; it shares no memory with the others.

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
