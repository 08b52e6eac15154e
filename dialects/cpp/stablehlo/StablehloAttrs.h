//===- StablehloAttrs.h - Attributes and types of the stablehlo dialect ---===//

#ifndef HALO_DIALECTS_STABLEHLO_ATTRS_H
#define HALO_DIALECTS_STABLEHLO_ATTRS_H

#include "Base.h"

#include "StablehloDialect.h.inc"

#include "StablehloEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "StablehloTypes.h.inc"

#define GET_ATTRDEF_CLASSES
#include "StablehloAttrs.h.inc"

namespace halo {

/// `[0, 1]`, with nothing between the brackets for an empty list.
void printDimensionList(mlir::AsmPrinter &printer,
                        llvm::ArrayRef<int64_t> dims);
mlir::ParseResult parseDimensionList(mlir::AsmParser &parser,
                                     llvm::SmallVectorImpl<int64_t> &dims);

/// A member of a struct-like attribute: a list of dimensions or a number.
struct DimensionField {
  llvm::StringRef name;
  llvm::SmallVectorImpl<int64_t> *list = nullptr;
  int64_t *number = nullptr;
};

/// Parses `name = value, ...`: members in any order, each at most once. Omitted members keep their
/// values. A trailing comma is allowed.
mlir::ParseResult parseDimensionMembers(mlir::AsmParser &parser,
                                        llvm::ArrayRef<DimensionField> fields);
/// The same in angle brackets.
mlir::ParseResult parseDimensionStruct(mlir::AsmParser &parser,
                                       llvm::ArrayRef<DimensionField> fields);

/// A member to print. Empty lists and zeros are omitted.
struct PrintedDimensionField {
  llvm::StringRef name;
  llvm::ArrayRef<int64_t> list;
  int64_t number = 0;
};
void printDimensionMembers(mlir::AsmPrinter &printer,
                           llvm::ArrayRef<PrintedDimensionField> fields);
void printDimensionStruct(mlir::AsmPrinter &printer,
                          llvm::ArrayRef<PrintedDimensionField> fields);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`, or `raw<name = value, ...>` for inconsistent
/// dimension numbers.
void printConvDimensions(mlir::AsmPrinter &printer,
                         mlir::stablehlo::ConvDimensionNumbersAttr dims);
mlir::ParseResult
parseConvDimensions(mlir::AsmParser &parser,
                    mlir::stablehlo::ConvDimensionNumbersAttr &dims);

} // namespace halo

#endif // HALO_DIALECTS_STABLEHLO_ATTRS_H
