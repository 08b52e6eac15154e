//===- DynamicPrinter.cpp - Writes the syntax of declared ops -------------===//
//
// The counterpart of DynamicParser.cpp.
//
//===----------------------------------------------------------------------===//

#include "DynamicDialect.h"

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace mlir;
using namespace halo;

//===----------------------------------------------------------------------===//
// Spaces
//===----------------------------------------------------------------------===//

void Spacing::literal(AsmPrinter &printer, StringRef text) {
  if (text.trim().empty()) {
    printer << text;
    wantsSpace = false;
    afterPunctuation = text.empty();
    return;
  }
  bool isLong = text.size() != 1 && text != "->";
  StringRef withoutSpace = afterPunctuation ? ">)}]," : "<>(){}[],";
  bool wanted = isLong || !withoutSpace.contains(text.front());
  if (wanted && wantsSpace)
    printer << ' ';
  printer << text;
  wantsSpace = text.size() != 1 || !StringRef("<({[").contains(text.front());
  afterPunctuation = !isKeyword(text);
}

void Spacing::element(AsmPrinter &printer) {
  if (wantsSpace)
    printer << ' ';
  reset();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

namespace {

class FormatPrinter {
public:
  FormatPrinter(const DeclaredOp &op, Operation *operation, OpAsmPrinter &printer)
      : definition(op.getDefinition()), op(op), operation(operation), printer(printer) {}

  void print() {
    markPrinted(definition.directives, definition.numDirectives);
    sequence(definition.directives, definition.numDirectives);
  }

private:
  /// The values of a list. An invalid op may have fewer than its definition requires.
  template <typename Range>
  Range valuesOf(const HaloGroup *groups, intptr_t count, int32_t group,
                 StringRef sizes, Range all) const {
    if (group < 0)
      return all;
    DenseI32ArrayAttr segments;
    if (op.isAttribute(sizes))
      segments = operation->getAttrOfType<DenseI32ArrayAttr>(sizes);
    auto [start, size] = rangeOfGroup({groups, size_t(count)}, group,
                                      all.size(), segments);
    return all.slice(start, size);
  }

  OperandRange operandsOf(int32_t group) const {
    return valuesOf(definition.operands, definition.numOperands, group,
                    "operandSegmentSizes", operation->getOperands());
  }

  ResultRange resultsOf(int32_t group) const {
    return valuesOf(definition.results, definition.numResults, group,
                    "resultSegmentSizes", operation->getResults());
  }

  SmallVector<Type> typesOf(HaloList list) const {
    if (list.areResults)
      return llvm::to_vector(resultsOf(list.group).getTypes());
    return llvm::to_vector(operandsOf(list.group).getTypes());
  }

  MutableArrayRef<Region> regionsOf(int32_t number) const {
    MutableArrayRef<Region> all = operation->getRegions();
    if (size_t(number) >= all.size())
      return {};
    bool isLast = number + 1 == definition.numRegions;
    return isLast && definition.lastRegionIsVariadic ? all.drop_front(number)
                                                     : all.slice(number, 1);
  }

  Attribute attributeOf(const HaloDirective &directive) const {
    return operation->getAttr(unwrap(definition.attributes[directive.index].name));
  }

  bool isPresent(const HaloDirective &directive) const {
    switch (directive.kind) {
    case HaloDirectiveOperands:
      return !operandsOf(directive.first.group).empty();
    case HaloDirectiveAttribute:
      return static_cast<bool>(attributeOf(directive));
    case HaloDirectiveRegion:
      return llvm::any_of(regionsOf(directive.index),
                          [](Region &region) { return !region.empty(); });
    case HaloDirectiveType:
      return !typesOf(directive.first).empty();
    default:
      return false;
    }
  }

  /// Runs a function on each directive that is printed.
  template <typename Function>
  void forEach(const HaloDirective *first, intptr_t count, Function function) {
    const HaloDirective *end = first + count;
    while (first != end) {
      if (first->kind != HaloDirectiveGroup) {
        function(*first++);
        continue;
      }
      const HaloDirective *elements = first + 1;
      const HaloDirective *otherwise = elements + first->elements;
      if (isPresent(elements[first->index]))
        forEach(elements, first->elements, function);
      else
        forEach(otherwise, first->otherwise, function);
      first = otherwise + first->otherwise;
    }
  }

  /// Marks the attributes that are not in the printed dictionary.
  void markPrinted(const HaloDirective *first, intptr_t count) {
    printed = {"operandSegmentSizes", "resultSegmentSizes"};
    forEach(first, count, [&](const HaloDirective &directive) {
      if (directive.kind == HaloDirectiveAttribute)
        printed.push_back(unwrap(definition.attributes[directive.index].name));
    });
  }

  void sequence(const HaloDirective *first, intptr_t count) {
    forEach(first, count, [&](const HaloDirective &directive) { element(directive); });
  }

  /// Returns true if the parser would read a type after an attribute as part of it, though none is
  /// printed.
  static bool takesType(Attribute value, int32_t syntax) {
    if (auto string = dyn_cast<StringAttr>(value))
      return syntax != HaloSyntaxTyped && isa<NoneType>(string.getType());
    return value.getDialect().getNamespace() != "builtin";
  }

  void element(const HaloDirective &directive) {
    bool isBehindAttribute = std::exchange(mayTakeType, false);
    switch (directive.kind) {
    case HaloDirectiveLiteral:
      if (isBehindAttribute && unwrap(directive.text) == ":")
        printer << " : none";
      return spacing.literal(printer, unwrap(directive.text));
    case HaloDirectiveAttrDict:
      // An empty dictionary is not printed.
      mayTakeType =
          isBehindAttribute &&
          llvm::all_of(operation->getAttrs(), [&](NamedAttribute attribute) {
            return llvm::is_contained(printed, attribute.getName().getValue());
          });
      printer.printOptionalAttrDict(operation->getAttrs(), printed);
      return spacing.reset();
    case HaloDirectiveAttrDictWithKeyword:
      printer.printOptionalAttrDictWithKeyword(operation->getAttrs(), printed);
      return spacing.reset();
    case HaloDirectiveOperands: {
      OperandRange values = operandsOf(directive.first.group);
      if (values.empty())
        return;
      spacing.element(printer);
      return printer.printOperands(values);
    }
    case HaloDirectiveAttribute:
      return attribute(directive);
    case HaloDirectiveRegion: {
      MutableArrayRef<Region> regions = regionsOf(directive.index);
      if (regions.empty())
        return;
      spacing.element(printer);
      return llvm::interleaveComma(regions, printer, [&](Region &region) {
        printer.printRegion(region, /*printEntryBlockArgs=*/true,
                            /*printBlockTerminators=*/!endsByItself(region));
      });
    }
    case HaloDirectiveSuccessor: {
      SuccessorRange all = operation->getSuccessors();
      bool isLast = directive.index + 1 == definition.numSuccessors;
      size_t start = directive.index;
      if (start >= all.size())
        return;
      spacing.element(printer);
      size_t size =
          isLast && definition.lastSuccessorIsVariadic ? all.size() - start : 1;
      return llvm::interleaveComma(all.slice(start, size), printer, [&](Block *block) {
        printer.printSuccessor(block);
      });
    }
    case HaloDirectiveType: {
      SmallVector<Type> types = typesOf(directive.first);
      if (types.empty())
        return;
      spacing.element(printer);
      return llvm::interleaveComma(types, printer,
                                   [&](Type type) { printer.printType(type); });
    }
    case HaloDirectiveFunctionalType:
      spacing.element(printer);
      return printer.printFunctionalType(typesOf(directive.first),
                                         typesOf(directive.second));
    default:
      return;
    }
  }

  /// Returns true if the parser adds the terminator of a region.
  bool endsByItself(Region &region) const {
    StringRef end = unwrap(definition.implicitTerminator);
    if (end.empty() || region.empty() || region.front().empty())
      return false;
    Operation &last = region.front().back();
    return last.getName().getStringRef() == end && last.getNumOperands() == 0 &&
           last.getAttrs().empty() && last.getAttrDictionary().empty();
  }

  void attribute(const HaloDirective &directive) {
    Attribute value = attributeOf(directive);
    const HaloNamedSyntax &named = definition.attributes[directive.index];
    int32_t syntax = named.syntax;
    if (!value)
      value = op.defaultOf(directive.index, operation->getContext());
    if (!value || syntax == HaloSyntaxUnit)
      return;
    spacing.element(printer);
    if (syntax == HaloSyntaxCase && printCase(printer, named, value))
      return;
    auto dynamic = dyn_cast<DynamicAttr>(value);
    if (syntax == HaloSyntaxParameters && dynamic)
      if (auto *of = op.getDeclaredDialect().attributeOf(unwrap(named.type));
          of && unwrap(of->name) == dynamic.getAttrDef()->getName())
        return printParameters(*of, printer, dynamic.getParams());
    auto symbol = dyn_cast<StringAttr>(value);
    auto type = dyn_cast<TypeAttr>(value);
    if (syntax == HaloSyntaxSymbolName && symbol)
      printer.printSymbolName(symbol);
    else if (syntax == HaloSyntaxType && type)
      printer.printType(type.getValue());
    else if (syntax == HaloSyntaxTyped)
      printer.printAttributeWithoutType(value);
    else
      printer.printAttribute(value);
    mayTakeType = syntax != HaloSyntaxSymbolName && syntax != HaloSyntaxType &&
                  takesType(value, syntax);
  }

  const HaloOpDefinition &definition;
  const DeclaredOp &op;
  Operation *operation;
  OpAsmPrinter &printer;
  /// The last printed attribute takes a following `:` as its own type suffix.
  bool mayTakeType = false;
  Spacing spacing{/*isOpen=*/false};
  SmallVector<StringRef> printed;
};

} // namespace

void DeclaredOp::print(Operation *op, OpAsmPrinter &printer) const {
  FormatPrinter(*this, op, printer).print();
}

void DeclaredOp::printAssembly(Operation *op, OpAsmPrinter &printer,
                              StringRef defaultDialect) {
  if (!definition->hasFormat)
    return printer.printGenericOp(op);
  struct Name : OpState {
    using OpState::printOpName;
  };
  Name::printOpName(op, printer, defaultDialect);
  print(op, printer);
}

//===----------------------------------------------------------------------===//
// Parameters of types and attributes
//===----------------------------------------------------------------------===//

bool halo::printCase(AsmPrinter &printer, const HaloNamedSyntax &syntax,
                     Attribute value) {
  auto integer = dyn_cast<IntegerAttr>(value);
  for (intptr_t i = 0; integer && i < syntax.numCases; ++i)
    if (integer.getValue() == syntax.cases[i].number) {
      printer << unwrap(syntax.cases[i].name);
      return true;
    }
  return false;
}

void halo::printParameters(const HaloParametricDefinition &definition,
                           AsmPrinter &printer,
                           ArrayRef<Attribute> parameters) {
  Spacing spacing(/*isOpen=*/true);
  for (intptr_t i = 0; i < definition.numDirectives; ++i) {
    const HaloDirective &directive = definition.directives[i];
    if (directive.kind == HaloDirectiveLiteral) {
      StringRef text = unwrap(directive.text);
      if (text == "x") {
        printer << 'x';
        spacing = Spacing(/*isOpen=*/true);
      } else {
        spacing.literal(printer, text);
      }
      continue;
    }
    spacing.element(printer);
    Attribute parameter = parameters[directive.index];
    if (auto number = dyn_cast<IntegerAttr>(parameter);
        number && definition.parameters[directive.index].syntax == HaloSyntaxInteger)
      printer << number.getInt();
    else if (definition.parameters[directive.index].syntax == HaloSyntaxCase &&
             printCase(printer, definition.parameters[directive.index], parameter))
      continue;
    else if (auto type = dyn_cast<TypeAttr>(parameter);
             type && definition.parameters[directive.index].syntax == HaloSyntaxType)
      printer.printType(type.getValue());
    else
      printer.printAttribute(parameter);
  }
}
