//===- signal.td - Ops on sampled signals ---------------------------------===//

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Signal_Dialect : Dialect {
  let name = "signal";
  let summary = "Sampled signals";
  let cppNamespace = "::signal";
}

def Signal_Boundary : I32Enum<"Boundary", "The samples before the first", [
    I32EnumCase<"Zero", 0, "zero">,
    I32EnumCase<"Clamp", 1, "clamp">,
    I32EnumCase<"Wrap", 2, "wrap">
  ]> {
  let cppNamespace = "::signal";
}

def Signal_BoundaryAttr
    : EnumAttr<Signal_Dialect, Signal_Boundary, "boundary">;

def Signal_Filter : TypeDef<Signal_Dialect, "Filter"> {
  let mnemonic = "filter";
  let summary = "The coefficients of a filter";
  let parameters = (ins "int64_t":$length);
  let assemblyFormat = "`<` $length `>`";
  let genVerifyDecl = 1;
}

def Signal_Samples
    : Type<And<[1DTensorOf<[F32]>.predicate, HasStaticShapePred]>,
           "a static number of samples of f32">;

/// MLIR has no predicate for it, so a function of Rust has.
def Signal_ShortSamples
    : Type<CPred<"isShort($_self)">, "64 samples of f32 or fewer">;

class Signal_Op<string mnemonic, list<Trait> traits = []>
    : Op<Signal_Dialect, mnemonic, traits>;

def Signal_GainOp : Signal_Op<"gain", [Pure, SameOperandsAndResultType]> {
  let summary = "Multiplies samples by a factor";
  let arguments = (ins
    Signal_Samples:$input,
    DefaultValuedAttr<F64Attr, "1.0">:$factor
  );
  let results = (outs Signal_Samples:$output);
  let assemblyFormat = "$input (`by` $factor^)? attr-dict `:` type($input)";
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Signal_MixOp : Signal_Op<"mix",
    [Pure, SameTypeOperands, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Adds signals";
  let arguments = (ins Variadic<Signal_Samples>:$inputs);
  let results = (outs Signal_Samples:$output);
  let assemblyFormat = "$inputs attr-dict `:` type($inputs)";
}

def Signal_TapsOp : Signal_Op<"taps",
    [Pure, DeclareOpInterfaceMethods<InferTypeOpInterface>]> {
  let summary = "Makes a filter of its coefficients";
  let arguments = (ins Signal_ShortSamples:$coefficients);
  let results = (outs Signal_Filter:$filter);
  let assemblyFormat = "$coefficients attr-dict `:` type($coefficients)";
}

def Signal_FirOp : Signal_Op<"fir",
    [Pure, AllTypesMatch<["input", "output"]>]> {
  let summary = "Filters samples";
  let description = [{
    Sample `i` of the result is the sum of `coefficients[k] * input[i - k]`
    for all `k`. What `input` has before its first sample is the boundary:

    ```mlir
    %f = signal.taps %c : tensor<3xf32>
    %y = signal.fir %x, %f boundary wrap : tensor<8xf32>, !signal.filter<3>
    ```
  }];
  let arguments = (ins
    Signal_Samples:$input,
    Signal_Filter:$filter,
    DefaultValuedAttr<Signal_BoundaryAttr, "::signal::Boundary::Zero">:$boundary
  );
  let results = (outs Signal_Samples:$output);
  let assemblyFormat = [{
    $input `,` $filter (`boundary` $boundary^)? attr-dict
    `:` type($input) `,` type($filter)
  }];
  let hasVerifier = 1;
}

def Signal_CascadeOp : Signal_Op<"cascade",
    [SingleBlock, RecursiveMemoryEffects, AllTypesMatch<["input", "output"]>]> {
  let summary = "Applies its body several times";
  let arguments = (ins
    Signal_Samples:$input,
    ConfinedAttr<I64Attr, [IntPositive]>:$stages
  );
  let results = (outs Signal_Samples:$output);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $input `stages` $stages $body attr-dict `:` type($input)
  }];
  let hasVerifier = 1;
}

def Signal_YieldOp
    : Signal_Op<"yield", [Pure, Terminator, HasParent<"CascadeOp">]> {
  let summary = "Ends the body of a cascade";
  let arguments = (ins Signal_Samples:$value);
  let assemblyFormat = "$value attr-dict `:` type($value)";
}
