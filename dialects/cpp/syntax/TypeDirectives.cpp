//===- TypeDirectives.cpp - Abbreviated types of operands and results -----===//

#include "AssemblyFormat.h"

using namespace mlir;

namespace halo::assembly {

/// Assigns the types of a function type to the operands and the result of an op.
static ParseResult assignFunctionType(OpAsmParser &parser, SMLoc loc,
                                      FunctionType type,
                                      ArrayRef<Type *> operands,
                                      Type &result) {
  if (type.getNumInputs() != operands.size())
    return parser.emitError(loc)
           << "expected the types of " << operands.size()
           << " operands, but got " << type.getNumInputs();
  if (type.getNumResults() != 1)
    return parser.emitError(loc, "expected the type of one result");
  for (auto [operand, input] : llvm::zip_equal(operands, type.getInputs()))
    *operand = input;
  result = type.getResult(0);
  return success();
}

void printUniformType(OpAsmPrinter &printer, Operation *op, TypeRange operands,
                      Type result) {
  if (llvm::all_of(operands, [&](Type type) { return type == result; }))
    printer.printType(result);
  else
    printer.printFunctionalType(op);
}

ParseResult parseUniformType(OpAsmParser &parser, ArrayRef<Type *> operands,
                             Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignFunctionType(parser, loc, function, operands, result);
  for (Type *operand : operands)
    *operand = type;
  result = type;
  return success();
}

void printVariadicSameOperandsAndResultType(OpAsmPrinter &printer,
                                            Operation *op, OperandRange,
                                            TypeRange operandTypes,
                                            Type result) {
  printUniformType(printer, op, operandTypes, result);
}

ParseResult parseVariadicSameOperandsAndResultType(
    OpAsmParser &parser, ArrayRef<OpAsmParser::UnresolvedOperand> operands,
    SmallVectorImpl<Type> &operandTypes, Type &result) {
  operandTypes.resize(operands.size());
  SmallVector<Type *> types(
      llvm::map_range(operandTypes, [](Type &type) { return &type; }));
  return parseUniformType(parser, types, result);
}

/// Returns the tensor type of the parts of a complex tensor, or null.
static Type getPartsType(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto complex =
      tensor ? dyn_cast<ComplexType>(tensor.getElementType()) : ComplexType();
  return complex ? tensor.clone(complex.getElementType()) : Type();
}

void printComplexOpType(OpAsmPrinter &printer, Operation *op, Type lhs,
                        Type rhs, Type result) {
  Type parts = getPartsType(result);
  if (lhs == parts && rhs == parts)
    printer.printType(result);
  else
    printer.printFunctionalType(op);
}

ParseResult parseComplexOpType(OpAsmParser &parser, Type &lhs, Type &rhs,
                               Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  Type type;
  if (parser.parseType(type))
    return failure();
  if (auto function = dyn_cast<FunctionType>(type))
    return assignFunctionType(parser, loc, function, {&lhs, &rhs}, result);
  lhs = rhs = getPartsType(type);
  if (!lhs)
    return parser.emitError(loc, "expected a tensor of complex numbers");
  result = type;
  return success();
}

void printSelectOpType(OpAsmPrinter &printer, Operation *op, Type pred,
                       Type onTrue, Type onFalse, Type result) {
  if (onTrue == result && onFalse == result)
    printer << pred << ", " << result;
  else
    printer.printFunctionalType(op);
}

ParseResult parseSelectOpType(OpAsmParser &parser, Type &pred, Type &onTrue,
                              Type &onFalse, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<Type> types;
  if (parser.parseTypeList(types))
    return failure();
  if (types.size() == 2) {
    pred = types[0];
    onTrue = onFalse = result = types[1];
    return success();
  }
  if (auto function =
          types.size() == 1 ? dyn_cast<FunctionType>(types[0]) : FunctionType())
    return assignFunctionType(parser, loc, function,
                              {&pred, &onTrue, &onFalse}, result);
  return parser.emitError(
      loc, "expected the types of predicate and result, or a function type");
}

void printTupleOpType(OpAsmPrinter &printer, Operation *, TypeRange,
                      Type result) {
  printer.printType(result);
}

ParseResult parseTupleOpType(OpAsmParser &parser,
                             SmallVectorImpl<Type> &operands, Type &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseType(result))
    return failure();
  auto tuple = dyn_cast<TupleType>(result);
  if (!tuple)
    return parser.emitError(loc, "expected a tuple type");
  llvm::append_range(operands, tuple.getTypes());
  return success();
}

void printPairwiseOpType(OpAsmPrinter &printer, Operation *, TypeRange operands,
                         TypeRange) {
  llvm::interleaveComma(operands, printer);
}

ParseResult parsePairwiseOpType(OpAsmParser &parser,
                                SmallVectorImpl<Type> &operands,
                                SmallVectorImpl<Type> &results) {
  if (parser.parseTypeList(operands))
    return failure();
  llvm::append_range(results, operands);
  return success();
}

void printVariadicOperandWithAttribute(OpAsmPrinter &printer, Operation *,
                                       OperandRange operands) {
  llvm::interleaveComma(operands, printer);
  printer << ',';
}

ParseResult parseVariadicOperandWithAttribute(
    OpAsmParser &parser,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  OpAsmParser::UnresolvedOperand operand;
  OptionalParseResult parsed = parser.parseOptionalOperand(operand);
  for (; parsed.has_value(); parsed = parser.parseOptionalOperand(operand)) {
    if (failed(*parsed) || parser.parseComma())
      return failure();
    operands.push_back(operand);
  }
  if (operands.empty())
    (void)parser.parseOptionalComma();
  return success();
}

void printOperandsWithAttribute(OpAsmPrinter &printer, Operation *op,
                                Value first, OperandRange rest) {
  printer << first << ',';
  if (rest.empty())
    return;
  printer << ' ';
  printVariadicOperandWithAttribute(printer, op, rest);
}

ParseResult parseOperandsWithAttribute(
    OpAsmParser &parser, OpAsmParser::UnresolvedOperand &first,
    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &rest) {
  return failure(parser.parseOperand(first) || parser.parseComma() ||
                 parseVariadicOperandWithAttribute(parser, rest));
}

void printUlpLimits(OpAsmPrinter &printer, Operation *, IntegerAttr maximum,
                    IntegerAttr minimum) {
  if (maximum)
    printer << ", max_ulp_difference = " << maximum.getUInt();
  if (minimum)
    printer << ", min_ulp_difference = " << minimum.getUInt();
}

ParseResult parseUlpLimits(OpAsmParser &parser, IntegerAttr &maximum,
                           IntegerAttr &minimum) {
  Type type = parser.getBuilder().getIntegerType(64, /*isSigned=*/false);
  while (succeeded(parser.parseOptionalComma())) {
    bool isMaximum =
        !maximum && !minimum &&
        succeeded(parser.parseOptionalKeyword("max_ulp_difference"));
    if (!isMaximum &&
        (minimum || parser.parseKeyword("min_ulp_difference")))
      return parser.emitError(parser.getCurrentLocation(),
                              "expected the types of the operands");
    if (parser.parseEqual() ||
        parser.parseAttribute(isMaximum ? maximum : minimum, type))
      return failure();
  }
  return success();
}

} // namespace halo::assembly
