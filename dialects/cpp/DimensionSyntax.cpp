//===- DimensionSyntax.cpp - Lists and structs of dimensions --------------===//

#include "StablehloAttrs.h"

using namespace mlir;

void halo::printDimensionList(AsmPrinter &printer, ArrayRef<int64_t> dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer);
  printer << ']';
}

ParseResult halo::parseDimensionList(AsmParser &parser,
                                     SmallVectorImpl<int64_t> &dims) {
  return parser.parseCommaSeparatedList(
      AsmParser::Delimiter::Square,
      [&]() { return parser.parseInteger(dims.emplace_back()); });
}

ParseResult halo::parseDimensionStruct(AsmParser &parser,
                                       ArrayRef<DimensionField> fields) {
  llvm::SmallBitVector seen(fields.size());
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name))
      return failure();
    const auto *field = llvm::find_if(
        fields, [&](const DimensionField &f) { return f.name == name; });
    if (field == fields.end()) {
      auto diagnostic = parser.emitError(loc)
                        << "unknown member '" << name << "', expected one of: ";
      llvm::interleaveComma(fields, diagnostic,
                            [&](const auto &f) { diagnostic << f.name; });
      return diagnostic;
    }
    unsigned index = field - fields.begin();
    if (seen.test(index))
      return parser.emitError(loc) << "member '" << name << "' given twice";
    seen.set(index);
    if (parser.parseEqual())
      return failure();
    return field->list ? parseDimensionList(parser, *field->list)
                       : parser.parseInteger(*field->number);
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                        parseField);
}

void halo::printDimensionStruct(AsmPrinter &printer,
                                ArrayRef<PrintedDimensionField> fields) {
  printer << '<';
  bool first = true;
  for (const PrintedDimensionField &field : fields) {
    if (field.list.empty() && field.number == 0)
      continue;
    if (!first)
      printer << ", ";
    first = false;
    printer << field.name << " = ";
    if (field.number != 0)
      printer << field.number;
    else
      printDimensionList(printer, field.list);
  }
  printer << '>';
}
