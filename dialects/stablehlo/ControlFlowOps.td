//===- ControlFlowOps.td - Branches, loops, tuples, calls -----------------===//

#ifndef HALO_STABLEHLO_CONTROL_FLOW_OPS
#define HALO_STABLEHLO_CONTROL_FLOW_OPS

include "stablehlo/Attrs.td"
include "stablehlo/Dialect.td"

//===----------------------------------------------------------------------===//
// Branches and loops
//===----------------------------------------------------------------------===//

def Stablehlo_ReturnOp
    : Stablehlo_Op<"return", [NoMemoryEffect, ReturnLike, Terminator]> {
  let summary = "End of a body";
  let description = [{
    Returns the values of a region to its parent op.
    Specification: `Programs`.
  }];
  let arguments = (ins Variadic<Hlo_ReturnValue>:$results);
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, {}); }]>];
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def Stablehlo_IfOp : Stablehlo_Op<"if", [
    RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"ReturnOp">, Hlo_RunsRegions,
    Hlo_InfersTypes]> {
  let summary = "Choice between two regions";
  let description = [{
    Runs one region and returns its results.
    Specification: `if`.
  }];
  let arguments = (ins Hlo_PredTensor:$pred);
  let regions = (region
    SizedRegion<1>:$true_branch, SizedRegion<1>:$false_branch);
  let results = (outs Variadic<Hlo_BranchValue>:$results);
}

def Stablehlo_CaseOp : Stablehlo_Op<"case", [
    RecursiveMemoryEffects,
    SingleBlockImplicitTerminator<"ReturnOp">, Hlo_RunsRegions,
    Hlo_InfersTypes]> {
  let summary = "Choice between several regions";
  let description = [{
    Runs the region numbered `index`, or the last one if there is none, and
    returns its results.
    Specification: `case`.
  }];
  let arguments = (ins Hlo_I32Tensor:$index);
  let regions = (region VariadicRegion<SizedRegion<1>>:$branches);
  let results = (outs Variadic<Hlo_BranchValue>:$results);
}

def Stablehlo_WhileOp : Stablehlo_Op<"while", [
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"ReturnOp">,
    DeclareOpInterfaceMethods<LoopLikeOpInterface>,
    DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>,
    Hlo_InfersOperandTypes]> {
  let summary = "Loop with a condition";
  let description = [{
    Runs `body` on the carried values while `cond` is true for them. May not
    terminate, and so is not speculatable.
    Specification: `while`.
  }];
  let arguments = (ins Variadic<Hlo_LoopValue>:$operand);
  let regions = (region SizedRegion<1>:$cond, SizedRegion<1>:$body);
  let results = (outs Variadic<Hlo_LoopValue>:$results);
  let hasCustomAssemblyFormat = 1;
}

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

def Stablehlo_AfterAllOp : Stablehlo_Op<"after_all", [
    NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Join of tokens";
  let description = [{
    Returns a token that is ordered after all inputs.
    Specification: `after_all`.
  }];
  let arguments = (ins Variadic<Hlo_Token>:$inputs);
  let results = (outs Hlo_Token:$result);
  let assemblyFormat = [{
    $inputs attr-dict
    `:` custom<VariadicSameOperandsAndResultType>(
          ref($inputs), type($inputs), type($result))
  }];
}

def Stablehlo_CreateTokenOp : Stablehlo_Op<"create_token", [
    NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "A new token";
  let description = [{
    Not in the specification; equivalent to `after_all` without inputs.
  }];
  let results = (outs Hlo_Token:$output);
  let assemblyFormat = "attr-dict `:` type(results)";
}

def Stablehlo_OptimizationBarrierOp : Stablehlo_Op<"optimization_barrier", [
    NoMemoryEffect, Hlo_InfersOperandTypes]> {
  let summary = "Values that are computed together";
  let description = [{
    The identity, across which no optimization moves an op.
    Specification: `optimization_barrier`.
  }];
  let arguments = (ins Variadic<Hlo_TensorOrToken>:$operand);
  let results = (outs Variadic<Hlo_TensorOrToken>:$result);
  // The parentheses of an op without operands keep a value on the next line
  // from being read as its operand.
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseOpType>(type($operand),
                                                    type($result))):(`(` `)`)?
  }];
}

//===----------------------------------------------------------------------===//
// Tuples
//===----------------------------------------------------------------------===//

def Stablehlo_TupleOp : Stablehlo_Op<"tuple", [
    NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "Values grouped into one";
  let description = [{
    Specification: `tuple`.
  }];
  let arguments = (ins Variadic<Hlo_TupleElement>:$val);
  let results = (outs Hlo_Tuple:$result);
  let assemblyFormat = [{
    $val attr-dict `:` custom<TupleOpType>(type($val), type($result))
  }];
}

def Stablehlo_GetTupleElementOp : Stablehlo_Op<"get_tuple_element", [
    NoMemoryEffect, Hlo_InfersTypes]> {
  let summary = "One value of a tuple";
  let description = [{
    Specification: `get_tuple_element`.
  }];
  let arguments = (ins Hlo_Tuple:$operand, Hlo_IndexAttr:$index);
  let results = (outs Hlo_TupleElement:$result);
  let assemblyFormat = [{
    $operand `[` $index `]` attr-dict `:` functional-type(operands, results)
  }];
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

def Stablehlo_CompositeOp : Stablehlo_Op<"composite", [Hlo_SymbolUser]> {
  let summary = "A named computation and its decomposition";
  let description = [{
    Equivalent to a call of the function `decomposition`; a backend that
    supports `name` and `version` may implement it differently.
    Specification: `composite`.
  }];
  let arguments = (ins
    Variadic<Hlo_CompositeValue>:$inputs,
    StrAttr:$name,
    DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$composite_attributes,
    FlatSymbolRefAttr:$decomposition,
    DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let results = (outs Variadic<Hlo_CompositeValue>:$results);
  let assemblyFormat = [{
    $name $inputs (`(` $composite_regions^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
}

def Stablehlo_CustomCallOp : Stablehlo_Op<"custom_call", [
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "A call of an external function by name";
  let description = [{
    Calls `call_target_name`. Unless `has_side_effect` is false, the call may
    have any effect.
    Specification: `custom_call`.
  }];
  let arguments = (ins
    Variadic<Hlo_CustomCallValue>:$inputs,
    StrAttr:$call_target_name,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
    OptionalAttr<Stablehlo_BackendConfigAttr>:$backend_config,
    DefaultValuedOptionalAttr<Stablehlo_CustomCallApiVersionAttr,
        "::mlir::stablehlo::CustomCallApiVersion::API_VERSION_ORIGINAL">
        :$api_version,
    DefaultValuedOptionalAttr<Stablehlo_FlatSymbolRefArrayAttr, "{}">
        :$called_computations,
    OptionalAttr<Stablehlo_ArrayOfLayoutAttr>:$operand_layouts,
    OptionalAttr<Stablehlo_ArrayOfLayoutAttr>:$result_layouts,
    DefaultValuedOptionalAttr<Stablehlo_OutputOperandAliasArrayAttr, "{}">
        :$output_operand_aliases);
  let results = (outs Variadic<Hlo_CustomCallValue>:$results);
  let assemblyFormat = [{
    custom<CustomCallTarget>($call_target_name) `(` $inputs `)` attr-dict
    `:` functional-type(operands, results)
  }];
}

#endif // HALO_STABLEHLO_CONTROL_FLOW_OPS
