//===- AssemblyFormat.h - Directives of the ops' declarative formats ------===//
//
// `custom<Name>(...)` in an op's format calls printName and parseName. These are the abbreviations
// of StableHLO's syntax; if an abbreviation cannot express everything, the function type or
// attribute dictionary is printed in full.
//
//===----------------------------------------------------------------------===//

#ifndef HALO_DIALECTS_ASSEMBLY_FORMAT_H
#define HALO_DIALECTS_ASSEMBLY_FORMAT_H

#include "StablehloAttrs.h"

namespace halo::assembly {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void printUniformType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::TypeRange operands, mlir::Type result);
mlir::ParseResult parseUniformType(mlir::OpAsmParser &parser,
                                   llvm::ArrayRef<mlir::Type *> operands,
                                   mlir::Type &result);

/// One type if all operands and the result have it, else the function type.
/// The last element of `types` is the type of the result.
template <typename... Types>
void printSameOperandsAndResultType(mlir::OpAsmPrinter &printer,
                                    mlir::Operation *op, Types... types) {
  std::array<mlir::Type, sizeof...(types)> all{types...};
  llvm::ArrayRef<mlir::Type> range(all);
  printUniformType(printer, op, range.drop_back(), range.back());
}

template <typename... Types>
mlir::ParseResult parseSameOperandsAndResultType(mlir::OpAsmParser &parser,
                                                 Types &...types) {
  std::array<mlir::Type *, sizeof...(types)> all{&types...};
  llvm::ArrayRef<mlir::Type *> range(all);
  return parseUniformType(parser, range.drop_back(), *range.back());
}

/// The same for any number of operands.
void printVariadicSameOperandsAndResultType(mlir::OpAsmPrinter &printer,
                                            mlir::Operation *op,
                                            mlir::OperandRange operands,
                                            mlir::TypeRange operandTypes,
                                            mlir::Type result);
mlir::ParseResult parseVariadicSameOperandsAndResultType(
    mlir::OpAsmParser &parser,
    llvm::ArrayRef<mlir::OpAsmParser::UnresolvedOperand> operands,
    llvm::SmallVectorImpl<mlir::Type> &operandTypes, mlir::Type &result);

/// The complex type alone if the operands have its parts, else the function
/// type.
void printComplexOpType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::Type lhs, mlir::Type rhs, mlir::Type result);
mlir::ParseResult parseComplexOpType(mlir::OpAsmParser &parser, mlir::Type &lhs,
                                     mlir::Type &rhs, mlir::Type &result);

/// The types of predicate and result if both choices have the latter, else the
/// function type.
void printSelectOpType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                       mlir::Type pred, mlir::Type onTrue, mlir::Type onFalse,
                       mlir::Type result);
mlir::ParseResult parseSelectOpType(mlir::OpAsmParser &parser, mlir::Type &pred,
                                    mlir::Type &onTrue, mlir::Type &onFalse,
                                    mlir::Type &result);

/// The tuple type, which holds the types of the operands.
void printTupleOpType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::TypeRange operands, mlir::Type result);
mlir::ParseResult parseTupleOpType(mlir::OpAsmParser &parser,
                                   llvm::SmallVectorImpl<mlir::Type> &operands,
                                   mlir::Type &result);

/// The operand types, which equal the result types.
void printPairwiseOpType(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                         mlir::TypeRange operands, mlir::TypeRange results);
mlir::ParseResult
parsePairwiseOpType(mlir::OpAsmParser &parser,
                    llvm::SmallVectorImpl<mlir::Type> &operands,
                    llvm::SmallVectorImpl<mlir::Type> &results);

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Operands that are each followed by a comma: `%a, %b,`.
void printVariadicOperandWithAttribute(mlir::OpAsmPrinter &printer,
                                       mlir::Operation *op,
                                       mlir::OperandRange operands);
mlir::ParseResult parseVariadicOperandWithAttribute(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);

/// The same after an operand that is always there: `%a, %b, %c,` or `%a,`.
void printOperandsWithAttribute(mlir::OpAsmPrinter &printer,
                                mlir::Operation *op, mlir::Value first,
                                mlir::OperandRange rest);
mlir::ParseResult parseOperandsWithAttribute(
    mlir::OpAsmParser &parser, mlir::OpAsmParser::UnresolvedOperand &first,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &rest);

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

/// `, max_ulp_difference = 5, min_ulp_difference = 1`, either or nothing.
void printUlpLimits(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    mlir::IntegerAttr maximum, mlir::IntegerAttr minimum);
mlir::ParseResult parseUlpLimits(mlir::OpAsmParser &parser,
                                 mlir::IntegerAttr &maximum,
                                 mlir::IntegerAttr &minimum);

/// `batching_dims = [0] x [0], contracting_dims = [2] x [1]`.
void printDotDimensionNumbers(
    mlir::OpAsmPrinter &printer, mlir::Operation *op,
    mlir::stablehlo::DotDimensionNumbersAttr dims);
mlir::ParseResult
parseDotDimensionNumbers(mlir::OpAsmParser &parser,
                         mlir::stablehlo::DotDimensionNumbersAttr &dims);

/// `, precision = [DEFAULT, HIGH]`, or nothing.
void printPrecisionConfig(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                          mlir::ArrayAttr config);
mlir::ParseResult parsePrecisionConfig(mlir::OpAsmParser &parser,
                                       mlir::ArrayAttr &config);

/// `, precision = [...], algorithm = <...>`, either or nothing.
void printPrecisionConfigAndAlgorithm(
    mlir::OpAsmPrinter &printer, mlir::Operation *op, mlir::ArrayAttr config,
    mlir::stablehlo::DotAlgorithmAttr algorithm);
mlir::ParseResult parsePrecisionConfigAndAlgorithm(
    mlir::OpAsmParser &parser, mlir::ArrayAttr &config,
    mlir::stablehlo::DotAlgorithmAttr &algorithm);

/// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`.
void printConvolutionDimensions(mlir::OpAsmPrinter &printer,
                                mlir::Operation *op,
                                mlir::stablehlo::ConvDimensionNumbersAttr dims);
mlir::ParseResult
parseConvolutionDimensions(mlir::OpAsmParser &parser,
                           mlir::stablehlo::ConvDimensionNumbersAttr &dims);

/// `stride = [2, 2], pad = [[0, 1], [0, 1]]` and so on, as far as given.
void printWindowAttributes(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::DenseI64ArrayAttr strides,
                           mlir::DenseIntElementsAttr padding,
                           mlir::DenseI64ArrayAttr lhsDilation,
                           mlir::DenseI64ArrayAttr rhsDilation,
                           mlir::DenseBoolArrayAttr reversal);
mlir::ParseResult parseWindowAttributes(mlir::OpAsmParser &parser,
                                        mlir::DenseI64ArrayAttr &strides,
                                        mlir::DenseIntElementsAttr &padding,
                                        mlir::DenseI64ArrayAttr &lhsDilation,
                                        mlir::DenseI64ArrayAttr &rhsDilation,
                                        mlir::DenseBoolArrayAttr &reversal);

/// `[1:2, 0:4:2]`.
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::DenseI64ArrayAttr starts,
                      mlir::DenseI64ArrayAttr limits,
                      mlir::DenseI64ArrayAttr strides);
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser,
                                   mlir::DenseI64ArrayAttr &starts,
                                   mlir::DenseI64ArrayAttr &limits,
                                   mlir::DenseI64ArrayAttr &strides);

/// `@name`, quoted where it is no identifier.
void printCustomCallTarget(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::StringAttr target);
mlir::ParseResult parseCustomCallTarget(mlir::OpAsmParser &parser,
                                        mlir::StringAttr &target);

/// `e5m2`.
void printExponentMantissa(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                           mlir::IntegerAttr exponent,
                           mlir::IntegerAttr mantissa);
mlir::ParseResult parseExponentMantissa(mlir::OpAsmParser &parser,
                                        mlir::IntegerAttr &exponent,
                                        mlir::IntegerAttr &mantissa);

} // namespace halo::assembly

// The generated code looks directives up from inside the dialects' namespaces.
namespace mlir::stablehlo {
using namespace ::halo::assembly;
} // namespace mlir::stablehlo
namespace mlir::check {
using namespace ::halo::assembly;
} // namespace mlir::check
namespace mlir::chlo {
using namespace ::halo::assembly;
} // namespace mlir::chlo

#endif // HALO_DIALECTS_ASSEMBLY_FORMAT_H
