//===- ReductionOps.td - Ops that apply a body to many elements -----------===//

#ifndef HALO_STABLEHLO_REDUCTION_OPS
#define HALO_STABLEHLO_REDUCTION_OPS

include "stablehlo/Attrs.td"
include "stablehlo/Dialect.td"

// The effects are the effects of the ops in the body.
class Stablehlo_BodyOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, traits # [
        RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">]>;

def Stablehlo_MapOp : Stablehlo_BodyOp<"map", [Hlo_InfersTypes]> {
  let summary = "A body applied elementwise";
  let description = [{
    Applies `computation` to the elements of the inputs at every position.
    Specification: `map`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$inputs, DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$computation);
  let results = (outs Hlo_Tensor:$result);
}

def Stablehlo_ReduceOp : Stablehlo_BodyOp<"reduce", [
    SameVariadicOperandSize, Hlo_InfersTypes]> {
  let summary = "Reduction along dimensions";
  let description = [{
    Combines all elements along `dimensions` with `body`, starting from
    `init_values`, in any order. Prints its body as `applies op` if that is one
    commutative op of two operands.
    Specification: `reduce`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$inputs,
    Variadic<Hlo_Tensor>:$init_values,
    DenseI64ArrayAttr:$dimensions);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Hlo_Tensor>:$results);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ReduceWindowOp
    : Stablehlo_BodyOp<"reduce_window", [
      SameVariadicOperandSize, Hlo_InfersTypes]> {
  let summary = "Reduction of every window";
  let description = [{
    Slides a window over the inputs and reduces its elements with `body`. By
    default, strides and dilations are one, without padding.
    Specification: `reduce_window`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$inputs,
    Variadic<Hlo_Tensor>:$init_values,
    DenseI64ArrayAttr:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
    OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
    OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$body);
  let results = (outs Variadic<Hlo_Tensor>:$results);
}

def Stablehlo_ScatterOp
    : Stablehlo_BodyOp<"scatter", [
      SameVariadicOperandSize, Hlo_InfersTypes]> {
  let summary = "Updates at positions listed in a tensor";
  let description = [{
    Combines slices of `inputs` with `updates` through `update_computation`.
    Specification: `scatter`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$inputs,
    Hlo_IndexTensor:$scatter_indices,
    Variadic<Hlo_Tensor>:$updates,
    Stablehlo_ScatterDimensionNumbers:$scatter_dimension_numbers,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let regions = (region SizedRegion<1>:$update_computation);
  let results = (outs Variadic<Hlo_Tensor>:$results);
}

def Stablehlo_SelectAndScatterOp : Stablehlo_BodyOp<"select_and_scatter", [
    Hlo_InfersOperandTypes]> {
  let summary = "The gradient of pooling";
  let description = [{
    Chooses one element in every window of `operand` with `select`, and combines
    the value of `source` into its position with `scatter`.
    Specification: `select_and_scatter`.
  }];
  let arguments = (ins
    Hlo_Tensor:$operand,
    Hlo_Tensor:$source,
    Hlo_Tensor:$init_value,
    OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
    OptionalAttr<DenseI64ArrayAttr>:$window_strides,
    OptionalAttr<I64ElementsAttr>:$padding);
  let regions = (region SizedRegion<1>:$select, SizedRegion<1>:$scatter);
  let results = (outs Hlo_Tensor:$result);
}

def Stablehlo_SortOp : Stablehlo_BodyOp<"sort", [Hlo_InfersOperandTypes]> {
  let summary = "Sorting along a dimension";
  let description = [{
    Sorts all inputs together along `dimension`. `comparator` returns whether
    one entry is ordered before another.
    Specification: `sort`.
  }];
  let arguments = (ins
    Variadic<Hlo_Tensor>:$inputs,
    DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let regions = (region SizedRegion<1>:$comparator);
  let results = (outs Variadic<Hlo_Tensor>:$results);
}

#endif // HALO_STABLEHLO_REDUCTION_OPS
