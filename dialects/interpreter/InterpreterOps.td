//===- InterpreterOps.td - The interpreter dialect ------------------------===//
//
// Instructions for the reference interpreter, in programs that test other programs: run functions
// in parallel, print a value, record a value. Compiled programs have calls of the runtime instead.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_INTERPRETER_OPS
#define HALO_INTERPRETER_OPS

include "stablehlo/Base.td"

def Interpreter_Dialect : Dialect {
  let name = "interpreter";
  let cppNamespace = "::mlir::stablehlo::interpreter";
  let summary = "Instructions for the reference interpreter in test programs";
}

class Interpreter_Op<string mnemonic, list<Trait> traits = []>
    : Op<Interpreter_Dialect, mnemonic, traits # [
        Hlo_ExternalEffects, Hlo_Semantics]>;

def Interpreter_RunParallelOp
    : Interpreter_Op<"run_parallel", [Hlo_SymbolUser]> {
  let summary = "Runs functions on a grid of processes";
  let description = [{
    `programs` has a row for each replica, with the function of each partition.
    The operands and results are the concatenated operands and results of the
    functions. The functions in `infeed` return the values that `infeed` reads.
  }];
  let arguments = (ins
    Variadic<AnyTypeOf<[Hlo_TensorOrPerAxis, Hlo_Token]>>:$inputs,
    OptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr, "array of functions">>:$infeed,
    TypedArrayAttrBase<
      TypedArrayAttrBase<FlatSymbolRefAttr, "array of functions">,
      "array of arrays of functions">:$programs);
  let results = (outs
    Variadic<AnyTypeOf<[Hlo_TensorOrPerAxis, Hlo_Token]>>:$results);
}

def Interpreter_PrintOp : Interpreter_Op<"print"> {
  let summary = "Prints a value at run time";
  let arguments = (ins Hlo_TensorOrPerAxis:$operand);
  let assemblyFormat = "$operand attr-dict `:` type($operand)";
}

def Interpreter_ProbeOp
    : Interpreter_Op<"probe", [AllTypesMatch<["operand", "result"]>]> {
  let summary = "Records a value for `check.expect_serialized_eq`";
  let arguments = (ins Hlo_TensorOrPerAxis:$operand, StrAttr:$probe_id);
  let results = (outs Hlo_TensorOrPerAxis:$result);
  let assemblyFormat = [{
    $operand `,` `probe_id` `=` $probe_id attr-dict `:` type($operand)
  }];
}

#endif // HALO_INTERPRETER_OPS
