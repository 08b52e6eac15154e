//===- BytecodeBase.td - Bytecode shared by Halo's dialects ---------------===//
//
// Kinds of attributes and types, and of their members. Input is untrusted: attributes with a
// verifier are created through it.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_STABLEHLO_BYTECODE_BASE
#define HALO_STABLEHLO_BYTECODE_BASE

include "mlir/IR/BytecodeBase.td"

// An attribute that is valid for any values of its members.
class PlainAttribute<dag members> : DialectAttribute<members> {
  let cBuilder = "$_resultType::get(context, $_args)";
}

// An attribute that is created through its verifier.
class Checked<string arguments> {
  string builder = "$_resultType::getChecked([&] { return reader.emitError(); }, "
                   "context, " # arguments # ")";
}
class CheckedAttribute<dag members> : DialectAttribute<members> {
  let cBuilder = Checked<"$_args">.builder;
}
class CheckedType<dag members> : DialectType<members> {
  let cBuilder = Checked<"$_args">.builder;
}

// A case, encoded by its number.
class EnumAttribute<string enumeration> : PlainAttribute<(attr
  WithParser<"succeeded(halo::readCase($_reader, $_var, symbolize"
             # enumeration # "))",
  WithBuilder<"$_args",
  WithPrinter<"$_writer.writeVarInt(static_cast<uint32_t>($_getter))",
  WithType<enumeration>>>>:$value)>;

def Text :
  WithParser<"succeeded($_reader.readString($_var))",
  WithBuilder<"$_args",
  WithPrinter<"$_writer.writeOwnedString($_getter)",
  WithType<"StringRef">>>>;

def Double :
  WithParser<"succeeded(halo::readDouble($_reader, $_var))",
  WithBuilder<"$_args",
  WithPrinter<"$_writer.writeAPFloatWithKnownSemantics($_getter)",
  WithType<"FailureOr<APFloat>">>>>;

def AttributeList :
  WithParser<"succeeded(halo::readAttributeList($_reader, $_var))",
  WithBuilder<"$_args",
  WithPrinter<"$_writer.writeAttributes($_getter.getValue())",
  WithType<"ArrayAttr">>>>;

// An optional attribute, preceded by a presence byte.
class FlaggedAttribute<string attribute> :
  WithParser<"succeeded(halo::readFlagged($_reader, $_var))",
  WithBuilder<"$_args",
  WithPrinter<"halo::writeFlagged($_writer, $_getter)",
  WithType<attribute>>>>;

#endif // HALO_STABLEHLO_BYTECODE_BASE
