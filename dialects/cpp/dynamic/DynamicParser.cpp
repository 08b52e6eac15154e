//===- DynamicParser.cpp - Reads the syntax of declared ops ---------------===//
//
// src/ir/dialect/format.rs has parsed a format, checked it against its op and translated it to
// directives, which this file interprets.
//
//===----------------------------------------------------------------------===//

#include "DynamicDialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace halo;

//===----------------------------------------------------------------------===//
// Literals
//===----------------------------------------------------------------------===//

bool halo::isKeyword(StringRef text) {
  return llvm::isAlpha(text.front()) || text.front() == '_';
}

ParseResult halo::parseLiteral(AsmParser &parser, StringRef text) {
  // The element is only printed.
  if (text.trim().empty())
    return success();
  if (isKeyword(text))
    return parser.parseKeyword(text);
  auto parse = llvm::StringSwitch<ParseResult (AsmParser::*)()>(text)
                   .Case("->", &AsmParser::parseArrow)
                   .Case(":", &AsmParser::parseColon)
                   .Case(",", &AsmParser::parseComma)
                   .Case("=", &AsmParser::parseEqual)
                   .Case("<", &AsmParser::parseLess)
                   .Case(">", &AsmParser::parseGreater)
                   .Case("{", &AsmParser::parseLBrace)
                   .Case("}", &AsmParser::parseRBrace)
                   .Case("(", &AsmParser::parseLParen)
                   .Case(")", &AsmParser::parseRParen)
                   .Case("[", &AsmParser::parseLSquare)
                   .Case("]", &AsmParser::parseRSquare)
                   .Case("?", &AsmParser::parseQuestion)
                   .Case("+", &AsmParser::parsePlus)
                   .Case("*", &AsmParser::parseStar)
                   .Case("|", &AsmParser::parseVerticalBar)
                   .Case("...", &AsmParser::parseEllipsis)
                   .Default(nullptr);
  return parse ? (parser.*parse)() : ParseResult(failure());
}

bool halo::parseOptionalLiteral(AsmParser &parser, StringRef text) {
  if (isKeyword(text))
    return succeeded(parser.parseOptionalKeyword(text));
  auto parse = llvm::StringSwitch<ParseResult (AsmParser::*)()>(text)
                   .Case("->", &AsmParser::parseOptionalArrow)
                   .Case(":", &AsmParser::parseOptionalColon)
                   .Case(",", &AsmParser::parseOptionalComma)
                   .Case("=", &AsmParser::parseOptionalEqual)
                   .Case("<", &AsmParser::parseOptionalLess)
                   .Case(">", &AsmParser::parseOptionalGreater)
                   .Case("{", &AsmParser::parseOptionalLBrace)
                   .Case("}", &AsmParser::parseOptionalRBrace)
                   .Case("(", &AsmParser::parseOptionalLParen)
                   .Case(")", &AsmParser::parseOptionalRParen)
                   .Case("[", &AsmParser::parseOptionalLSquare)
                   .Case("]", &AsmParser::parseOptionalRSquare)
                   .Case("?", &AsmParser::parseOptionalQuestion)
                   .Case("+", &AsmParser::parseOptionalPlus)
                   .Case("*", &AsmParser::parseOptionalStar)
                   .Case("|", &AsmParser::parseOptionalVerticalBar)
                   .Case("...", &AsmParser::parseOptionalEllipsis)
                   .Default(nullptr);
  return parse && succeeded((parser.*parse)());
}

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

OptionalParseResult halo::parseCase(AsmParser &parser,
                                    const HaloNamedSyntax &syntax, Type type,
                                    Attribute &value, bool isOptional) {
  SmallVector<StringRef> names;
  for (intptr_t i = 0; i < syntax.numCases; ++i)
    names.push_back(unwrap(syntax.cases[i].name));
  StringRef found;
  SMLoc location = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&found, names))) {
    if (isOptional)
      return std::nullopt;
    return parser.emitError(location)
           << "expected '" << unwrap(syntax.name) << "' to be one of "
           << llvm::join(names, ", ");
  }
  const HaloCase &one = syntax.cases[llvm::find(names, found) - names.begin()];
  value = parser.getBuilder().getIntegerAttr(type, int64_t(one.number));
  return success();
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

namespace {

using Unresolved = OpAsmParser::UnresolvedOperand;

class FormatParser {
public:
  FormatParser(const DeclaredOp &op, OpAsmParser &parser, OperationState &state)
      : op(op), definition(op.getDefinition()), parser(parser), state(state),
        operands(definition.numOperands), operandTypes(definition.numOperands),
        resultTypes(definition.numResults), regions(definition.numRegions) {}

  ParseResult parse() {
    location = parser.getCurrentLocation();
    if (sequence(definition.directives, definition.numDirectives))
      return failure();
    for (auto &bodies : regions) {
      // A region that the text leaves out is empty.
      bool isLast = &bodies == &regions.back();
      if (bodies.empty() && !(isLast && definition.lastRegionIsVariadic))
        bodies.push_back(std::make_unique<Region>());
      for (std::unique_ptr<Region> &body : bodies)
        state.addRegion(std::move(body));
    }
    if (resolveOperands() || addSizes())
      return failure();
    if (auto duplicate = state.attributes.findDuplicate())
      return parser.emitError(location)
             << "attribute '" << duplicate->getName().getValue()
             << "' occurs more than once";
    return addResults();
  }

private:
  /// A list of types, if the text has determined it.
  using Types = std::optional<SmallVector<Type>>;

  const HaloGroup &group(HaloList list) const {
    return (list.areResults ? definition.results
                            : definition.operands)[list.group];
  }

  Types &types(HaloList list) {
    if (list.group < 0)
      return list.areResults ? allResultTypes : allOperandTypes;
    return (list.areResults ? resultTypes : operandTypes)[list.group];
  }

  ParseResult sequence(const HaloDirective *first, intptr_t count) {
    const HaloDirective *end = first + count;
    while (first != end) {
      if (first->kind != HaloDirectiveGroup) {
        if (failed(*element(*first, /*isOptional=*/false)))
          return failure();
        ++first;
        continue;
      }
      const HaloDirective *elements = first + 1;
      const HaloDirective *otherwise = elements + first->elements;
      OptionalParseResult result = element(*elements, /*isOptional=*/true);
      if (result.has_value()) {
        if (failed(*result))
          return failure();
        const HaloDirective &anchor = elements[first->index];
        if (isUnit(anchor))
          state.addAttribute(nameOf(anchor), parser.getBuilder().getUnitAttr());
        if (sequence(elements + 1, first->elements - 1))
          return failure();
      } else if (sequence(otherwise, first->otherwise)) {
        return failure();
      }
      first = otherwise + first->otherwise;
    }
    return success();
  }

  StringRef nameOf(const HaloDirective &attribute) const {
    return unwrap(definition.attributes[attribute.index].name);
  }

  bool isUnit(const HaloDirective &directive) const {
    return directive.kind == HaloDirectiveAttribute &&
           definition.attributes[directive.index].syntax == HaloSyntaxUnit;
  }

  /// Parses an element. An absent optional element has no value.
  OptionalParseResult element(const HaloDirective &directive, bool isOptional) {
    switch (directive.kind) {
    case HaloDirectiveLiteral:
      if (!isOptional)
        return parseLiteral(parser, unwrap(directive.text));
      if (parseOptionalLiteral(parser, unwrap(directive.text)))
        return success();
      return std::nullopt;
    case HaloDirectiveOperands:
      return operandList(directive, isOptional);
    case HaloDirectiveAttribute:
      return attribute(directive, isOptional);
    case HaloDirectiveRegion:
      return region(directive, isOptional);
    case HaloDirectiveSuccessor:
      return successor(directive);
    case HaloDirectiveType:
      return typeList(directive.first);
    case HaloDirectiveFunctionalType:
      return functionalType(directive);
    case HaloDirectiveAttrDict:
      return parser.parseOptionalAttrDict(state.attributes);
    case HaloDirectiveAttrDictWithKeyword:
      return parser.parseOptionalAttrDictWithKeyword(state.attributes);
    default:
      return failure();
    }
  }

  OptionalParseResult operandList(const HaloDirective &directive,
                                  bool isOptional) {
    bool isAll = directive.first.group < 0;
    auto &values = isAll ? allOperands.emplace() : operands[directive.index];
    int32_t arity = isAll ? HaloVariadic : definition.operands[directive.index].arity;
    if (arity == HaloOne)
      return parser.parseOperand(values.emplace_back());
    Unresolved first;
    OptionalParseResult result = parser.parseOptionalOperand(first);
    if (!result.has_value())
      return isOptional ? OptionalParseResult(std::nullopt) : success();
    if (failed(*result))
      return failure();
    values.push_back(first);
    while (arity == HaloVariadic && succeeded(parser.parseOptionalComma()))
      if (parser.parseOperand(values.emplace_back()))
        return failure();
    return success();
  }

  OptionalParseResult attribute(const HaloDirective &directive,
                                bool isOptional) {
    StringRef name = nameOf(directive);
    Attribute value;
    Type type = op.attributeType(directive.index);
    OptionalParseResult result;
    const HaloNamedSyntax &syntax = definition.attributes[directive.index];
    switch (syntax.syntax) {
    case HaloSyntaxUnit:
      return success();
    case HaloSyntaxCase:
      result = parseCase(parser, syntax, type, value, isOptional);
      break;
    case HaloSyntaxParameters:
      result = parameters(unwrap(syntax.type), value);
      break;
    case HaloSyntaxSymbolName: {
      StringAttr symbol;
      result = isOptional
                   ? OptionalParseResult(presence(parser.parseOptionalSymbolName(symbol)))
                   : OptionalParseResult(parser.parseSymbolName(symbol));
      value = symbol;
      break;
    }
    case HaloSyntaxType: {
      Type held;
      result = isOptional ? parser.parseOptionalType(held)
                          : OptionalParseResult(parser.parseType(held));
      if (held)
        value = TypeAttr::get(held);
      break;
    }
    default:
      result = isOptional ? parser.parseOptionalAttribute(value, type)
                          : OptionalParseResult(parser.parseAttribute(value, type));
    }
    if (result.has_value() && succeeded(*result))
      state.attributes.append(name, value);
    return result;
  }

  /// Parses the parameters of an attribute of the dialect.
  ParseResult parameters(StringRef name, Attribute &value) {
    const DeclaredDialect &dialect = op.getDeclaredDialect();
    const HaloParametricDefinition *of = dialect.attributeOf(name);
    DynamicAttr parsed;
    if (!of || DynamicAttr::parse(
                   parser, dialect.lookupAttrDefinition(unwrap(of->name)), parsed))
      return failure();
    value = parsed;
    return success();
  }

  static OptionalParseResult presence(ParseResult result) {
    return succeeded(result) ? OptionalParseResult(success())
                             : OptionalParseResult(std::nullopt);
  }

  OptionalParseResult region(const HaloDirective &directive, bool isOptional) {
    auto &bodies = regions[directive.index];
    bool isVariadic = definition.lastRegionIsVariadic &&
                      directive.index + 1 == definition.numRegions;
    if (isOptional || isVariadic) {
      std::unique_ptr<Region> body;
      OptionalParseResult result = parser.parseOptionalRegion(body);
      if (!result.has_value())
        return isOptional ? OptionalParseResult(std::nullopt) : success();
      if (failed(*result))
        return failure();
      bodies.push_back(std::move(body));
    } else {
      bodies.push_back(std::make_unique<Region>());
      if (parser.parseRegion(*bodies.back()))
        return failure();
    }
    while (isVariadic && succeeded(parser.parseOptionalComma())) {
      bodies.push_back(std::make_unique<Region>());
      if (parser.parseRegion(*bodies.back()))
        return failure();
    }
    if (op.has(HaloTraitSingleBlock) && op.has(HaloTraitNoTerminator))
      for (std::unique_ptr<Region> &body : bodies)
        if (body->empty())
          body->emplaceBlock();
    StringRef end = unwrap(definition.implicitTerminator);
    if (!end.empty())
      for (std::unique_ptr<Region> &body : bodies)
        impl::ensureRegionTerminator(
            *body, parser.getBuilder(), state.location,
            [&](OpBuilder &, Location location) {
              return Operation::create(OperationState(location, end));
            });
    return success();
  }

  OptionalParseResult successor(const HaloDirective &directive) {
    bool isVariadic = definition.lastSuccessorIsVariadic &&
                      directive.index + 1 == definition.numSuccessors;
    Block *block = nullptr;
    if (isVariadic) {
      OptionalParseResult result = parser.parseOptionalSuccessor(block);
      if (!result.has_value())
        return success();
      if (failed(*result))
        return failure();
    } else if (parser.parseSuccessor(block)) {
      return failure();
    }
    state.addSuccessors(block);
    while (isVariadic && succeeded(parser.parseOptionalComma())) {
      if (parser.parseSuccessor(block))
        return failure();
      state.addSuccessors(block);
    }
    return success();
  }

  OptionalParseResult typeList(HaloList list) {
    SmallVector<Type> &into = types(list).emplace();
    int32_t arity = list.group < 0 ? HaloVariadic : group(list).arity;
    Type type;
    if (arity == HaloOne) {
      if (parser.parseType(type))
        return failure();
      into.push_back(type);
      return success();
    }
    OptionalParseResult result = parser.parseOptionalType(type);
    if (!result.has_value())
      return success();
    if (failed(*result))
      return failure();
    into.push_back(type);
    while (arity == HaloVariadic && succeeded(parser.parseOptionalComma())) {
      if (parser.parseType(type))
        return failure();
      into.push_back(type);
    }
    return success();
  }

  OptionalParseResult functionalType(const HaloDirective &directive) {
    SMLoc place = parser.getCurrentLocation();
    FunctionType type;
    if (parser.parseType(type))
      return failure();
    for (auto [list, given] : {std::pair(directive.first, type.getInputs()),
                               std::pair(directive.second, type.getResults())}) {
      if (list.group >= 0 && ((group(list).arity == HaloOne && given.size() != 1) ||
                              (group(list).arity == HaloOptional && given.size() > 1)))
        return parser.emitError(place)
               << "expected one type for '" << unwrap(group(list).name)
               << "', but got " << given.size();
      types(list) = llvm::to_vector(given);
    }
    return success();
  }

  /// Returns the common type of all operands and results, if the op has the trait.
  Type commonType() const {
    if (!op.has(HaloTraitSameOperandsAndResultType))
      return {};
    for (auto *all : {&operandTypes, &resultTypes})
      for (const Types &types : *all)
        if (types && !types->empty())
          return types->front();
    for (auto *types : {&allOperandTypes, &allResultTypes})
      if (*types && !(*types)->empty())
        return (*types)->front();
    return {};
  }

  /// Returns the common type of the groups of a set, if the type of one is determined.
  Type typeOfSet(int32_t set) const {
    if (set < 0)
      return {};
    for (intptr_t i = 0; i < definition.numOperands; ++i) {
      if (definition.operands[i].typeSet != set)
        continue;
      if (operandTypes[i] && !operandTypes[i]->empty())
        return operandTypes[i]->front();
      if (Type only = op.operandType(i))
        return only;
    }
    for (intptr_t i = 0; i < definition.numResults; ++i)
      if (definition.results[i].typeSet == set && resultTypes[i] &&
          !resultTypes[i]->empty())
        return resultTypes[i]->front();
    return {};
  }

  /// Returns the number of operands of a group.
  size_t sizeOf(unsigned number) const {
    if (!allOperands)
      return operands[number].size();
    if (definition.operands[number].arity == HaloOne)
      return 1;
    size_t fixed = 0;
    for (intptr_t i = 0; i < definition.numOperands; ++i)
      fixed += definition.operands[i].arity == HaloOne;
    return allOperands->size() < fixed ? 0 : allOperands->size() - fixed;
  }

  ParseResult resolveOperands() {
    SmallVector<Unresolved> values;
    if (allOperands)
      values = *allOperands;
    else
      for (auto &group : operands)
        llvm::append_range(values, group);
    if (allOperandTypes)
      return parser.resolveOperands(values, *allOperandTypes, location,
                                    state.operands);
    Type common = commonType();
    SmallVector<Type> all;
    for (auto [number, types] : llvm::enumerate(operandTypes)) {
      StringRef name = unwrap(definition.operands[number].name);
      size_t size = sizeOf(number);
      if (types) {
        if (types->size() != size)
          return parser.emitError(location)
                 << "'" << name << "' has " << size << " operands, but "
                 << types->size() << " types";
        llvm::append_range(all, *types);
        continue;
      }
      Type type = op.operandType(number);
      if (!type)
        type = typeOfSet(definition.operands[number].typeSet);
      if (!type)
        type = common;
      if (!type && size > 0)
        return parser.emitError(location)
               << "the type of operand '" << name << "' is not given";
      all.append(size, type);
    }
    return parser.resolveOperands(values, all, location, state.operands);
  }

  ParseResult addSizes() {
    auto add = [&](StringRef name, ArrayRef<int32_t> sizes) {
      state.attributes.append(name, parser.getBuilder().getDenseI32ArrayAttr(sizes));
    };
    if (definition.hasOperandSegments) {
      SmallVector<int32_t> sizes;
      for (intptr_t i = 0; i < definition.numOperands; ++i)
        sizes.push_back(sizeOf(i));
      add("operandSegmentSizes", sizes);
    }
    if (definition.hasResultSegments) {
      SmallVector<int32_t> sizes;
      for (auto [number, types] : llvm::enumerate(resultTypes))
        sizes.push_back(types ? types->size()
                              : definition.results[number].arity == HaloOne);
      add("resultSegmentSizes", sizes);
    }
    return success();
  }

  ParseResult addResults() {
    if (allResultTypes) {
      state.addTypes(*allResultTypes);
      return success();
    }
    Type common = commonType();
    SmallVector<Type> all;
    for (auto [number, types] : llvm::enumerate(resultTypes)) {
      Type type = op.resultType(number);
      if (!type)
        type = typeOfSet(definition.results[number].typeSet);
      if (!type)
        type = common;
      if (types)
        llvm::append_range(all, *types);
      else if (definition.results[number].arity == HaloOne && type)
        all.push_back(type);
      else if (definition.results[number].arity == HaloOne)
        return inferResults();
    }
    state.addTypes(all);
    return success();
  }

  ParseResult inferResults() {
    if (!definition.infers)
      return parser.emitError(location) << "the types of the results are not given";
    MLIRContext *context = parser.getContext();
    SmallVector<Region *> bodies;
    for (std::unique_ptr<Region> &body : state.regions)
      bodies.push_back(body.get());
    return op.infer(context, state.location, state.operands,
                    state.attributes.getDictionary(context), bodies,
                    state.types);
  }

  const DeclaredOp &op;
  const HaloOpDefinition &definition;
  OpAsmParser &parser;
  OperationState &state;
  SMLoc location;
  std::vector<SmallVector<Unresolved>> operands;
  std::optional<SmallVector<Unresolved>> allOperands;
  std::vector<Types> operandTypes, resultTypes;
  Types allOperandTypes, allResultTypes;
  std::vector<std::vector<std::unique_ptr<Region>>> regions;
};

} // namespace

ParseResult DeclaredOp::parse(OpAsmParser &parser, OperationState &state) const {
  return FormatParser(*this, parser, state).parse();
}

OperationName::ParseAssemblyFn DeclaredOp::getParseAssemblyFn() {
  if (definition->hasFormat)
    return [this](OpAsmParser &parser, OperationState &state) {
      return parse(parser, state);
    };
  return [this](OpAsmParser &parser, OperationState &) -> ParseResult {
    return parser.emitError(parser.getNameLoc())
           << "'" << getName().getValue()
           << "' op has no assembly format; write its generic form";
  };
}

//===----------------------------------------------------------------------===//
// Parameters of types and attributes
//===----------------------------------------------------------------------===//

ParseResult halo::parseParameters(const HaloParametricDefinition &definition,
                                  AsmParser &parser,
                                  SmallVectorImpl<Attribute> &parameters) {
  parameters.resize(definition.numParameters);
  Builder &builder = parser.getBuilder();
  ArrayRef<HaloDirective> directives(definition.directives,
                                     definition.numDirectives);
  auto isX = [&](size_t i) {
    return i < directives.size() &&
           directives[i].kind == HaloDirectiveLiteral &&
           unwrap(directives[i].text) == "x";
  };
  auto isNumber = [&](size_t i) {
    return i < directives.size() &&
           directives[i].kind == HaloDirectiveAttribute &&
           definition.parameters[directives[i].index].syntax == HaloSyntaxInteger;
  };
  for (size_t i = 0; i < directives.size(); ++i) {
    const HaloDirective &directive = directives[i];
    if (isNumber(i) && isX(i + 1)) {
      // The lexer splits `4x8` into a number and a name, and reads `0x8` as a hexadecimal number.
      SmallVector<size_t> numbers{i};
      while (isX(i + 1) && isNumber(i + 2))
        numbers.push_back(i += 2);
      bool endsWithX = isX(i + 1);
      i += endsWithX;
      SmallVector<int64_t> sizes;
      SMLoc location = parser.getCurrentLocation();
      if (parser.parseDimensionList(sizes, /*allowDynamic=*/false, endsWithX))
        return failure();
      if (sizes.size() != numbers.size())
        return parser.emitError(location)
               << "expected " << numbers.size() << " sizes, but got "
               << sizes.size();
      for (auto [number, size] : llvm::zip_equal(numbers, sizes))
        parameters[directives[number].index] = builder.getI64IntegerAttr(size);
      continue;
    }
    if (directive.kind == HaloDirectiveLiteral) {
      if (parseLiteral(parser, unwrap(directive.text)))
        return failure();
      continue;
    }
    Attribute &parameter = parameters[directive.index];
    switch (definition.parameters[directive.index].syntax) {
    case HaloSyntaxInteger: {
      int64_t number = 0;
      if (parser.parseInteger(number))
        return failure();
      parameter = builder.getI64IntegerAttr(number);
      break;
    }
    case HaloSyntaxCase: {
      const HaloNamedSyntax &cases = definition.parameters[directive.index];
      OptionalParseResult result = parseCase(
          parser, cases, builder.getI64Type(), parameter, /*isOptional=*/false);
      if (failed(*result))
        return failure();
      break;
    }
    case HaloSyntaxString: {
      std::string text;
      if (parser.parseString(&text))
        return failure();
      parameter = builder.getStringAttr(text);
      break;
    }
    case HaloSyntaxType: {
      Type type;
      if (parser.parseType(type))
        return failure();
      parameter = TypeAttr::get(type);
      break;
    }
    default:
      if (parser.parseAttribute(parameter))
        return failure();
    }
  }
  return success();
}
