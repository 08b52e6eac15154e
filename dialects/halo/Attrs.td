//===- Attrs.td - Attributes of the halo dialect --------------------------===//

#ifndef HALO_HALO_ATTRS
#define HALO_HALO_ATTRS

include "mlir/IR/EnumAttr.td"
include "halo/Dialect.td"

// Prints as `#halo.mnemonic<value>`.
class Halo_EnumAttr<EnumAttrInfo info, string mnemonic>
    : EnumAttr<Halo_Dialect, info, mnemonic> {
  let assemblyFormat = "`<` $value `>`";
}

class Halo_Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::halo::dialect";
}

def Halo_Precision : Halo_Enum<"Precision",
    "Precision of an f32 product, if it is not that of TF32 in three parts", [
      I32EnumAttrCase<"Tf32", 0, "tf32">,
      I32EnumAttrCase<"Highest", 1, "highest">]>;
def Halo_PrecisionAttr : Halo_EnumAttr<Halo_Precision, "precision">;

def Halo_Scatter : Halo_Enum<"Scatter",
    "Reason why the updates of a scatter may run in any order", [
      // No two updates are of the same element.
      I32EnumAttrCase<"Unique", 0, "unique">,
      // Updates of the same element may be combined in any order.
      I32EnumAttrCase<"Combine", 1, "combine">]>;
def Halo_ScatterAttr : Halo_EnumAttr<Halo_Scatter, "scatter">;

def Halo_GemmPrecision : Halo_Enum<"GemmPrecision",
    "Precision of a matrix product by a library", [
      I32EnumAttrCase<"Full", 0, "full">,
      I32EnumAttrCase<"Tf32", 1, "tf32">]>;
def Halo_GemmPrecisionAttr
    : Halo_EnumAttr<Halo_GemmPrecision, "gemm_precision">;

def Halo_Grouping : Halo_Enum<"Grouping",
    "Kind of the process numbers in the groups of a collective", [
      // Replicas within the same partition.
      I32EnumAttrCase<"CrossReplica", 0, "cross_replica">,
      // Partitions within the same replica.
      I32EnumAttrCase<"CrossPartition", 1, "cross_partition">,
      // Replicas, each with all its partitions.
      I32EnumAttrCase<"CrossReplicaAndPartition", 2,
                      "cross_replica_and_partition">,
      // Processes, counted replica by replica.
      I32EnumAttrCase<"FlattenedIds", 3, "flattened_ids">]>;
def Halo_GroupingAttr : Halo_EnumAttr<Halo_Grouping, "grouping">;

def Halo_MatrixAttr : AttrDef<Halo_Dialect, "Matrix"> {
  let mnemonic = "matrix";
  let summary = "Layout of the elements of a matrix in a buffer";
  let description = [{
    All members are in elements: `start` is the offset of the first element,
    `leading_dimension` the stride of the rows, or of the columns if the matrix
    is `transposed`, and `batch_stride` the stride of the matrices.
  }];
  let parameters = (ins
    "int64_t":$start,
    "int64_t":$leading_dimension,
    "int64_t":$batch_stride,
    "bool":$transposed);
  let assemblyFormat = "`<` struct(params) `>`";
}

def Halo_ProcessesAttr : TypedArrayAttrBase<
    DenseI64ArrayAttr, "array of groups of processes">;

def Halo_LayoutsAttr : TypedArrayAttrBase<
    DenseI64ArrayAttr, "array of orders of dimensions, minor to major">;

#endif // HALO_HALO_ATTRS
