//===- DimensionSyntax.cpp - Lists and structs of dimensions --------------===//

#include "StablehloAttrs.h"

#include "llvm/ADT/SmallBitVector.h"

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

/// `name = value` for one of the fields.
static ParseResult parseField(AsmParser &parser, SMLoc loc, StringRef name,
                              ArrayRef<halo::DimensionField> fields,
                              llvm::SmallBitVector &seen) {
  const auto *field = llvm::find_if(
      fields, [&](const halo::DimensionField &f) { return f.name == name; });
  if (field == fields.end()) {
    InFlightDiagnostic diagnostic = parser.emitError(loc);
    diagnostic << "unknown member '" << name << "', expected one of: ";
    llvm::interleaveComma(fields, diagnostic, [&](const auto &f) {
      diagnostic << f.name;
    });
    return diagnostic;
  }
  unsigned index = field - fields.begin();
  if (seen.test(index))
    return parser.emitError(loc) << "member '" << name << "' given twice";
  seen.set(index);
  if (parser.parseEqual())
    return failure();
  return field->list ? halo::parseDimensionList(parser, *field->list)
                     : parser.parseInteger(*field->number);
}

ParseResult halo::parseDimensionMembers(AsmParser &parser,
                                        ArrayRef<DimensionField> fields) {
  llvm::SmallBitVector seen(fields.size());
  do {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    // None at all, or none after the last comma.
    if (failed(parser.parseOptionalKeyword(&name)))
      return success();
    if (parseField(parser, loc, name, fields, seen))
      return failure();
  } while (succeeded(parser.parseOptionalComma()));
  return success();
}

void halo::printDimensionMembers(AsmPrinter &printer,
                                 ArrayRef<PrintedDimensionField> fields) {
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
}

ParseResult halo::parseDimensionStruct(AsmParser &parser,
                                       ArrayRef<DimensionField> fields) {
  if (succeeded(parser.parseLess()) &&
      succeeded(parseDimensionMembers(parser, fields)) &&
      succeeded(parser.parseGreater()))
    return success();
  // The first message says what was expected; this one where parsing stopped.
  return parser.emitError(parser.getCurrentLocation(),
                          "cannot read the dimension numbers from here on");
}

void halo::printDimensionStruct(AsmPrinter &printer,
                                ArrayRef<PrintedDimensionField> fields) {
  printer << '<';
  printDimensionMembers(printer, fields);
  printer << '>';
}
