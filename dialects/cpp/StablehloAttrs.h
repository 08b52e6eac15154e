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

/// The body of `#stablehlo.conv<...>`, which ops print without the frame.
void printConvDimensions(mlir::AsmPrinter &printer,
                         mlir::stablehlo::ConvDimensionNumbersAttr dims);
mlir::ParseResult
parseConvDimensions(mlir::AsmParser &parser,
                    mlir::stablehlo::ConvDimensionNumbersAttr &dims);

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

/// `<name = value, ...>`, members in any order, each at most once; those left
/// out keep the value that they have.
mlir::ParseResult parseDimensionStruct(mlir::AsmParser &parser,
                                       llvm::ArrayRef<DimensionField> fields);

/// A member to print; empty lists and zeros are left out.
struct PrintedDimensionField {
  llvm::StringRef name;
  llvm::ArrayRef<int64_t> list;
  int64_t number = 0;
};
void printDimensionStruct(mlir::AsmPrinter &printer,
                          llvm::ArrayRef<PrintedDimensionField> fields);

} // namespace halo

#endif // HALO_DIALECTS_STABLEHLO_ATTRS_H
