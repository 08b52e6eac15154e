//===- Attrs.td - Structured attributes of the chlo dialect ---------------===//

#ifndef HALO_CHLO_ATTRS
#define HALO_CHLO_ATTRS

include "chlo/Dialect.td"
include "chlo/Enums.td"

def Chlo_Dims : ArrayRefParameter<"int64_t", "list of dimensions">;

def Chlo_RaggedDotDimensionNumbers
    : AttrDef<Chlo_Dialect, "RaggedDotDimensionNumbers"> {
  let mnemonic = "ragged_dot";
  let summary = "Batching, contracting and group dimensions of ragged_dot";
  let parameters = (ins
    Chlo_Dims:$lhsBatchingDimensions,
    Chlo_Dims:$rhsBatchingDimensions,
    Chlo_Dims:$lhsContractingDimensions,
    Chlo_Dims:$rhsContractingDimensions,
    Chlo_Dims:$lhsRaggedDimensions,
    Chlo_Dims:$rhsGroupDimensions);
  let hasCustomAssemblyFormat = 1;
}

#endif // HALO_CHLO_ATTRS
