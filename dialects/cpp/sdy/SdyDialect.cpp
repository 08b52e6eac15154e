//===- SdyDialect.cpp - The ops of Shardy ---------------------------------===//
//
// Attributes of the dialect are stored as text, which Rust parses. Ops print them in a short form:
//
//   sdy.mesh @mesh = <["x"=2]>          #sdy.mesh<["x"=2]>
//   in_shardings=[<@mesh, [{"x"}]>]     #sdy.sharding_per_value<[<@mesh, ...>]>
//   manual_axes={"x"}                   #sdy<manual_axes{"x"}>
//
//===----------------------------------------------------------------------===//

#include "SdyDialect.h"

#include "StablehloInlining.h"

#include "mlir/IR/DialectImplementation.h"

using namespace mlir;
using namespace mlir::sdy;

#include "SdyDialect.cpp.inc"

static Attribute textAttribute(MLIRContext *context, const Twine &text) {
  return OpaqueAttr::get(StringAttr::get(context, "sdy"),
                         StringAttr::get(context, text).getValue(),
                         NoneType::get(context));
}

Attribute SdyDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  return textAttribute(getContext(), parser.getFullSymbolSpec());
}

/// Parses one token of a sharding other than a bracket; returns false if there is none.
static bool parseToken(OpAsmParser &parser) {
  std::string text;
  StringRef keyword;
  StringAttr symbol;
  int64_t number;
  if (succeeded(parser.parseOptionalComma()) ||
      succeeded(parser.parseOptionalColon()) ||
      succeeded(parser.parseOptionalEqual()) ||
      succeeded(parser.parseOptionalQuestion()) ||
      succeeded(parser.parseOptionalString(&text)) ||
      succeeded(parser.parseOptionalSymbolName(symbol)) ||
      succeeded(parser.parseOptionalKeyword(&keyword)))
    return true;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  return parsed.has_value() && succeeded(*parsed);
}

/// Parses bracketed text, including the brackets.
static ParseResult parseBracketed(OpAsmParser &parser, std::string &text) {
  llvm::SMLoc begin = parser.getCurrentLocation();
  SmallVector<char> open;
  do {
    if (succeeded(parser.parseOptionalLess()))
      open.push_back('<');
    else if (succeeded(parser.parseOptionalLSquare()))
      open.push_back('[');
    else if (succeeded(parser.parseOptionalLBrace()))
      open.push_back('{');
    else if (succeeded(parser.parseOptionalLParen()))
      open.push_back('(');
    else if (open.empty())
      return parser.emitError(begin, "expected a sharding");
    else if (parseToken(parser))
      continue;
    else if (open.back() == '<' ? parser.parseGreater()
             : open.back() == '[' ? parser.parseRSquare()
             : open.back() == '{' ? parser.parseRBrace()
                                  : parser.parseRParen())
      return failure();
    else
      open.pop_back();
  } while (!open.empty());
  const char *end = parser.getCurrentLocation().getPointer();
  text = StringRef(begin.getPointer(), end - begin.getPointer()).rtrim().str();
  return success();
}

/// Returns the text of an attribute without the parts that its short form omits.
static StringRef shortForm(Attribute attribute, StringRef prefix,
                           StringRef suffix) {
  auto opaque = dyn_cast_or_null<OpaqueAttr>(attribute);
  StringRef text = opaque ? opaque.getAttrData() : StringRef();
  text.consume_front(prefix);
  text.consume_back(suffix);
  return text;
}

#define SHORT_FORM(name, prefix, suffix)                                       \
  static ParseResult parse##name(OpAsmParser &parser, Attribute &attribute) {  \
    std::string text;                                                          \
    if (parseBracketed(parser, text))                                          \
      return failure();                                                        \
    attribute = textAttribute(parser.getContext(), prefix + text + suffix);    \
    return success();                                                          \
  }                                                                            \
  static void print##name(OpAsmPrinter &printer, Operation *,                  \
                          Attribute attribute) {                               \
    printer << shortForm(attribute, prefix, suffix);                           \
  }

SHORT_FORM(Mesh, "mesh", "")
SHORT_FORM(Sharding, "sharding", "")
SHORT_FORM(ShardingPerValue, "sharding_per_value<", ">")
SHORT_FORM(ManualAxes, "manual_axes", "")

static ParseResult parseRegionWithArguments(OpAsmParser &parser,
                                            Region &region) {
  SmallVector<OpAsmParser::Argument> arguments;
  if (parser.parseArgumentList(arguments, AsmParser::Delimiter::Paren,
                               /*allowType=*/true))
    return failure();
  return parser.parseRegion(region, arguments);
}

static void printRegionWithArguments(OpAsmPrinter &printer, Operation *,
                                     Region &region) {
  printer << '(';
  llvm::interleaveComma(region.getArguments(), printer,
                        [&](BlockArgument argument) {
                          printer.printRegionArgument(argument);
                        });
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

#define GET_OP_CLASSES
#include "SdyOps.cpp.inc"

void SdyDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "SdyOps.cpp.inc"
      >();
  addInterfaces<halo::InlinesEverywhere>();
}
