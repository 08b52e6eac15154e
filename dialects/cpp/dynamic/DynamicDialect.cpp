//===- DynamicDialect.cpp - Dialects that are declared in Rust ------------===//

#include "DynamicDialect.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"

#include <mutex>
#include <vector>

using namespace mlir;
using namespace halo;

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

namespace {

/// Functions with these ops may be inlined anywhere, except for ops with the no-inline trait.
struct Inlines : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *, bool) const final {
    return !DeclaredOp::of(call->getName()).has(HaloTraitNoInline);
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final {
    return true;
  }
  bool isLegalToInline(Operation *op, Region *, bool, IRMapping &) const final {
    if (auto name = op->getRegisteredInfo();
        name && DeclaredOp::of(*name).has(HaloTraitNoInline))
      return false;
    // For other terminators, the values returned from a function are unknown.
    return !op->hasTrait<OpTrait::IsTerminator>() ||
           !isa_and_nonnull<CallableOpInterface>(op->getParentOp()) ||
           op->hasTrait<OpTrait::ReturnLike>() || isa<BranchOpInterface>(op);
  }

  void handleTerminator(Operation *op, Block *next) const final {
    if (!op->hasTrait<OpTrait::ReturnLike>())
      return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), next, op->getOperands());
    op->erase();
  }
  void handleTerminator(Operation *op, ValueRange results) const final {
    for (auto [result, value] : llvm::zip(results, op->getOperands()))
      result.replaceAllUsesWith(value);
  }
};

void appendText(MlirStringRef text, void *data) {
  static_cast<std::string *>(data)->append(text.data, text.length);
}

LogicalResult verifyParameters(const HaloDynamicHooks &hooks,
                               const HaloParametricDefinition &definition,
                               function_ref<InFlightDiagnostic()> emitError,
                               ArrayRef<Attribute> parameters) {
  SmallVector<MlirAttribute> wrapped(
      llvm::map_range(parameters, [](Attribute parameter) {
        return wrap(parameter);
      }));
  std::string message;
  if (hooks.verifyParameters(definition.declaration, wrapped.size(),
                             wrapped.data(), appendText, &message))
    return success();
  return emitError() << message;
}

/// Creates the definition of a type or an attribute.
template <typename Definition>
std::unique_ptr<Definition> define(const HaloDynamicHooks &hooks,
                                   const HaloParametricDefinition &definition,
                                   ExtensibleDialect *dialect) {
  return Definition::get(
      unwrap(definition.name), dialect,
      [hooks = &hooks, definition = &definition](
          function_ref<InFlightDiagnostic()> emitError,
          ArrayRef<Attribute> parameters) {
        return verifyParameters(*hooks, *definition, emitError, parameters);
      },
      [definition = &definition](AsmParser &parser,
                                 SmallVectorImpl<Attribute> &parameters) {
        return parseParameters(*definition, parser, parameters);
      },
      [definition = &definition](AsmPrinter &printer,
                                 ArrayRef<Attribute> parameters) {
        // A space separates the name from parameters that are not in `<>`.
        if (definition->numDirectives > 0 &&
            definition->directives[0].kind != HaloDirectiveLiteral)
          printer << ' ';
        printParameters(*definition, printer, parameters);
      });
}

TypeID typeIDOf(const HaloDialectDefinition *definition) {
  return TypeID::getFromOpaquePointer(definition);
}

} // namespace

DeclaredDialect::DeclaredDialect(const HaloDialectDefinition *definition,
                               MLIRContext *context)
    : ExtensibleDialect(unwrap(definition->name), context,
                        typeIDOf(definition)),
      definition(definition) {
  for (intptr_t i = 0; i < definition->numDependencies; ++i)
    (void)context->getOrLoadDialect(unwrap(definition->dependencies[i]));
  if (definition->constant.length == 0)
    context->getOrLoadDialect<arith::ArithDialect>();
  for (intptr_t i = 0; i < definition->numTypes; ++i)
    registerDynamicType(define<DynamicTypeDefinition>(
        hooks(), definition->types[i], this));
  for (intptr_t i = 0; i < definition->numAttributes; ++i)
    registerDynamicAttr(define<DynamicAttrDefinition>(
        hooks(), definition->attributes[i], this));
  for (intptr_t i = 0; i < definition->numOps; ++i) {
    const HaloOpDefinition &op = definition->ops[i];
    // Terminators that return from a function are inlined as branches.
    if (op.traits >> HaloTraitReturnLike & 1)
      context->getOrLoadDialect<cf::ControlFlowDialect>();
    SmallVector<StringRef> names;
    for (intptr_t j = 0; j < op.numAttributes; ++j)
      names.push_back(unwrap(op.attributes[j].name));
    RegisteredOperationName::insert(std::make_unique<DeclaredOp>(&op, this),
                                    names);
  }
  addInterfaces<Inlines>();
}

const HaloParametricDefinition *
DeclaredDialect::attributeOf(StringRef name) const {
  if (!name.consume_front(getNamespace()) || !name.consume_front("."))
    return nullptr;
  for (intptr_t i = 0; i < definition->numAttributes; ++i)
    if (unwrap(definition->attributes[i].name) == name)
      return &definition->attributes[i];
  return nullptr;
}

Operation *DeclaredDialect::materializeConstant(OpBuilder &builder,
                                               Attribute value, Type type,
                                               Location location) {
  if (definition->constant.length == 0)
    return arith::ConstantOp::materialize(builder, value, type, location);
  OperationState state(location, unwrap(definition->constant));
  state.addAttribute("value", value);
  state.addTypes(type);
  return builder.create(state);
}

Type DeclaredDialect::parseType(DialectAsmParser &parser) const {
  SMLoc location = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return {};
  Type type;
  OptionalParseResult result = parseOptionalDynamicType(name, parser, type);
  if (!result.has_value()) {
    parser.emitError(location) << "dialect '" << getNamespace()
                               << "' has no type '" << name << "'";
    return {};
  }
  return succeeded(*result) ? type : Type();
}

void DeclaredDialect::printType(Type type, DialectAsmPrinter &printer) const {
  (void)printIfDynamicType(type, printer);
}

Attribute DeclaredDialect::parseAttribute(DialectAsmParser &parser, Type) const {
  SMLoc location = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return {};
  Attribute attribute;
  OptionalParseResult result =
      parseOptionalDynamicAttr(name, parser, attribute);
  if (!result.has_value()) {
    parser.emitError(location) << "dialect '" << getNamespace()
                               << "' has no attribute '" << name << "'";
    return {};
  }
  return succeeded(*result) ? attribute : Attribute();
}

void DeclaredDialect::printAttribute(Attribute attribute,
                                    DialectAsmPrinter &printer) const {
  (void)printIfDynamicAttr(attribute, printer);
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {

std::mutex &mutex() {
  static std::mutex mutex;
  return mutex;
}

std::vector<const HaloDialectDefinition *> &definitions() {
  static std::vector<const HaloDialectDefinition *> definitions;
  return definitions;
}

DeclaredDialect *loaded(MLIRContext *context, MlirStringRef name) {
  Dialect *dialect = context->getLoadedDialect(unwrap(name));
  std::lock_guard<std::mutex> lock(mutex());
  for (const HaloDialectDefinition *definition : definitions())
    if (dialect && dialect->getTypeID() == typeIDOf(definition))
      return static_cast<DeclaredDialect *>(dialect);
  return nullptr;
}

} // namespace

void halo::registerDynamicDialects(DialectRegistry &registry) {
  std::lock_guard<std::mutex> lock(mutex());
  for (const HaloDialectDefinition *definition : definitions())
    registry.insert(
        typeIDOf(definition), unwrap(definition->name),
        [definition](MLIRContext *context) {
          return context->getOrLoadDialect(
              unwrap(definition->name), typeIDOf(definition), [&] {
                return std::make_unique<DeclaredDialect>(definition, context);
              });
        });
}

extern "C" {

/// Returns true if a registry, or every context, has a dialect of a name.
bool haloHasDialect(MlirDialectRegistry registry, MlirStringRef name) {
  return unwrap(name) == "builtin" ||
         static_cast<bool>(unwrap(registry)->getDialectAllocator(unwrap(name)));
}

/// Adds a dialect to all registries that are filled afterwards.
void haloDeclareDialect(const HaloDialectDefinition *definition) {
  std::lock_guard<std::mutex> lock(mutex());
  definitions().push_back(definition);
}

/// Returns a type of a loaded dialect, or null if there is none or its parameters are invalid.
/// Invalid parameters are reported at an unknown location.
MlirType haloDynamicTypeGet(MlirContext context, MlirStringRef dialect,
                            MlirStringRef name, intptr_t count,
                            const MlirAttribute *wrapped) {
  DeclaredDialect *owner = loaded(unwrap(context), dialect);
  auto *definition =
      owner ? owner->lookupTypeDefinition(unwrap(name)) : nullptr;
  if (!definition)
    return wrap(Type());
  SmallVector<Attribute> parameters;
  (void)unwrapList(count, wrapped, parameters);
  return wrap(DynamicType::getChecked(
      [&] { return emitError(UnknownLoc::get(unwrap(context))); }, definition,
      parameters));
}

MlirAttribute haloDynamicAttributeGet(MlirContext context,
                                      MlirStringRef dialect, MlirStringRef name,
                                      intptr_t count,
                                      const MlirAttribute *wrapped) {
  DeclaredDialect *owner = loaded(unwrap(context), dialect);
  auto *definition =
      owner ? owner->lookupAttrDefinition(unwrap(name)) : nullptr;
  if (!definition)
    return wrap(Attribute());
  SmallVector<Attribute> parameters;
  (void)unwrapList(count, wrapped, parameters);
  return wrap(DynamicAttr::getChecked(
      [&] { return emitError(UnknownLoc::get(unwrap(context))); }, definition,
      parameters));
}

/// Passes the parameters of a type of this name to the callback. Returns false for any other type.
bool haloDynamicTypeRead(MlirType type, MlirStringRef dialect,
                         MlirStringRef name,
                         void (*append)(MlirAttribute, void *), void *data) {
  auto dynamic = llvm::dyn_cast<DynamicType>(unwrap(type));
  if (!dynamic || dynamic.getTypeDef()->getName() != unwrap(name) ||
      dynamic.getTypeDef()->getDialect()->getNamespace() != unwrap(dialect))
    return false;
  for (Attribute parameter : dynamic.getParams())
    append(wrap(parameter), data);
  return true;
}

bool haloDynamicAttributeRead(MlirAttribute attribute, MlirStringRef dialect,
                              MlirStringRef name,
                              void (*append)(MlirAttribute, void *),
                              void *data) {
  auto dynamic = llvm::dyn_cast<DynamicAttr>(unwrap(attribute));
  if (!dynamic || dynamic.getAttrDef()->getName() != unwrap(name) ||
      dynamic.getAttrDef()->getDialect()->getNamespace() != unwrap(dialect))
    return false;
  for (Attribute parameter : dynamic.getParams())
    append(wrap(parameter), data);
  return true;
}

} // extern "C"
