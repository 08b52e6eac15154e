//===- ReduceSyntax.cpp - The two forms of reduce -------------------------===//
//
//   stablehlo.reduce(%x init: %z) applies stablehlo.add across dimensions = [1]
//       : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
//
//   stablehlo.reduce(%x init: %z), (%y init: %w) across dimensions = [1] : ...
//    reducer(%a: tensor<f32>, %b: tensor<f32>)
//           (%c: tensor<f32>, %d: tensor<f32>) { ... }
//
// The first form is used for a body of one op, which it determines completely.
//
//===----------------------------------------------------------------------===//

#include "StablehloReductionOps.h"

using namespace mlir;
using namespace mlir::stablehlo;

/// The only op of the body except for its terminator, if the body follows from the op's name and
/// the type of the input alone.
static Operation *getAppliedOp(ReduceOp op) {
  if (op.getInputs().size() != 1 || op.getInitValues().size() != 1 ||
      !op.getBody().hasOneBlock())
    return nullptr;
  Block &block = op.getBody().front();
  if (block.getNumArguments() != 2 || !llvm::hasNItems(block, 2))
    return nullptr;

  Operation &applied = block.front();
  auto input = dyn_cast<RankedTensorType>(op.getInputs()[0].getType());
  if (!input || !isa<StablehloDialect>(applied.getDialect()) ||
      !applied.hasTrait<mlir::OpTrait::IsCommutative>() ||
      applied.getNumOperands() != 2 || applied.getNumResults() != 1 ||
      applied.getNumRegions() != 0 || !applied.getAttrs().empty() ||
      applied.getOperand(0) != block.getArgument(0) ||
      applied.getOperand(1) != block.getArgument(1))
    return nullptr;

  Type scalar = RankedTensorType::get({}, input.getElementType());
  if (applied.getResult(0).getType() != scalar ||
      block.getArgument(0).getType() != scalar ||
      block.getArgument(1).getType() != scalar)
    return nullptr;

  auto terminator = dyn_cast<ReturnOp>(block.back());
  if (!terminator || !terminator->getAttrs().empty() ||
      terminator->getOperands() != applied.getResults())
    return nullptr;
  return &applied;
}

void ReduceOp::print(OpAsmPrinter &printer) {
  // ODS requires the same number of inputs and initial values.
  for (auto [number, pair] :
       llvm::enumerate(llvm::zip(getInputs(), getInitValues())))
    printer << (number == 0 ? "(" : ", (") << std::get<0>(pair)
            << " init: " << std::get<1>(pair) << ')';
  if (getInputs().empty())
    printer << "()";

  Operation *applied = getAppliedOp(*this);
  if (applied)
    printer << " applies " << applied->getName().getStringRef();
  printer << " across dimensions = ";
  halo::printDimensionList(printer, getDimensions());
  printer.printOptionalAttrDict((*this)->getAttrs(), {getDimensionsAttrName()});
  printer << " : ";
  printer.printFunctionalType(*this);
  if (applied)
    return;

  printer.printNewline();
  printer << " reducer";
  // Argument i and argument i + n belong to input i.
  Region::BlockArgListType arguments = getBody().getArguments();
  size_t count = arguments.size() / 2;
  for (size_t i = 0; i < count; ++i) {
    printer << (i == 0 ? "(" : " (");
    printer.printRegionArgument(arguments[i]);
    printer << ", ";
    printer.printRegionArgument(arguments[i + count]);
    printer << ')';
  }
  printer << "  ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

/// Builds the body that `applies name` abbreviates.
static ParseResult buildAppliedBody(OpAsmParser &parser, SMLoc nameLoc,
                                    OperationName name, Type inputType,
                                    Location loc, Region &body) {
  auto input = dyn_cast<RankedTensorType>(inputType);
  if (!input)
    return parser.emitError(nameLoc, "expected a ranked tensor to reduce");
  if (!name.isRegistered())
    return parser.emitError(nameLoc) << "unknown op '" << name << "'";
  if (!isa<StablehloDialect>(name.getDialect()) ||
      !name.hasTrait<mlir::OpTrait::IsCommutative>())
    return parser.emitError(nameLoc)
           << "expected a commutative op of the stablehlo dialect, but got '"
           << name << "'";
  Type scalar = RankedTensorType::get({}, input.getElementType());
  OpBuilder builder(parser.getContext());
  Block *block = builder.createBlock(&body, {}, {scalar, scalar}, {loc, loc});
  OperationState applied(loc, name);
  applied.addOperands(block->getArguments());
  applied.addTypes(scalar);
  Operation *op = builder.create(applied);
  ReturnOp::create(builder, loc, op->getResults());
  return success();
}

/// `(%a: type, %b: type) (...)`, the arguments of the body pair by pair.
static ParseResult
parseReducerArguments(OpAsmParser &parser, size_t count,
                      SmallVectorImpl<OpAsmParser::Argument> &arguments) {
  arguments.resize(2 * count);
  for (size_t i = 0; i < count; ++i)
    if (parser.parseLParen() ||
        parser.parseArgument(arguments[i], /*allowType=*/true) ||
        parser.parseComma() ||
        parser.parseArgument(arguments[i + count], /*allowType=*/true) ||
        parser.parseRParen())
      return failure();
  return success();
}

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  SMLoc loc = parser.getCurrentLocation();
  SmallVector<OpAsmParser::UnresolvedOperand> inputs, initValues;
  if (parser.parseLParen())
    return failure();
  if (failed(parser.parseOptionalRParen())) {
    do {
      if ((!inputs.empty() && parser.parseLParen()) ||
          parser.parseOperand(inputs.emplace_back()) ||
          parser.parseKeyword("init") || parser.parseColon() ||
          parser.parseOperand(initValues.emplace_back()) ||
          parser.parseRParen())
        return failure();
    } while (succeeded(parser.parseOptionalComma()));
  }

  std::optional<OperationName> applied;
  SMLoc appliedLoc;
  if (succeeded(parser.parseOptionalKeyword("applies"))) {
    appliedLoc = parser.getCurrentLocation();
    FailureOr<OperationName> name = parser.parseCustomOperationName();
    if (failed(name))
      return failure();
    applied = *name;
  }

  SmallVector<int64_t> dimensions;
  FunctionType type;
  if (parser.parseKeyword("across") || parser.parseKeyword("dimensions") ||
      parser.parseEqual() || halo::parseDimensionList(parser, dimensions) ||
      parser.parseOptionalAttrDict(result.attributes) ||
      parser.parseColonType(type))
    return failure();
  result.addAttribute(getDimensionsAttrName(result.name),
                      parser.getBuilder().getDenseI64ArrayAttr(dimensions));
  llvm::append_range(inputs, initValues);
  if (parser.resolveOperands(inputs, type.getInputs(), loc, result.operands))
    return failure();
  result.addTypes(type.getResults());

  Region &body = *result.addRegion();
  if (!applied) {
    SmallVector<OpAsmParser::Argument> arguments;
    if (parser.parseKeyword("reducer") ||
        parseReducerArguments(parser, initValues.size(), arguments) ||
        parser.parseRegion(body, arguments))
      return failure();
    ensureTerminator(body, parser.getBuilder(), result.location);
    return success();
  }
  if (type.getNumInputs() != 2)
    return parser.emitError(appliedLoc,
                            "'applies' needs one input and one initial value");
  // The op and the whole implied body have one location.
  std::optional<Location> location;
  if (parser.parseOptionalLocationSpecifier(location))
    return failure();
  if (location)
    result.location = *location;
  return buildAppliedBody(parser, appliedLoc, *applied, type.getInput(0),
                          result.location, body);
}
