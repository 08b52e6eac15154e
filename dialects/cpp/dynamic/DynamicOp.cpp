//===- DynamicOp.cpp - Ops that are declared in Rust ----------------------===//
//
// The bits of the definition select MLIR's traits and interfaces. The hooks implement the semantics
// of an op.
//
//===----------------------------------------------------------------------===//

#include "DynamicDialect.h"
#include "Fold.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Bytecode/BytecodeImplementation.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Rewrite.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace halo;

static constexpr StringLiteral operandSegments = "operandSegmentSizes";
static constexpr StringLiteral resultSegments = "resultSegmentSizes";

static void appendText(MlirStringRef text, void *data) {
  static_cast<std::string *>(data)->append(text.data, text.length);
}

//===----------------------------------------------------------------------===//
// Interfaces
//===----------------------------------------------------------------------===//

namespace {

struct Effects : MemoryEffectOpInterface::Concept {
  using Interface = MemoryEffectOpInterface;
  Effects() : Concept{get} {}

  static void get(const Concept *, Operation *op,
                  SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
    const DeclaredOp &definition = DeclaredOp::of(op->getName());
    if (definition.has(HaloTraitReads))
      effects.emplace_back(MemoryEffects::Read::get());
    if (definition.has(HaloTraitWrites))
      effects.emplace_back(MemoryEffects::Write::get());
    if (definition.has(HaloTraitAllocates))
      effects.emplace_back(MemoryEffects::Allocate::get());
    if (definition.has(HaloTraitFrees))
      effects.emplace_back(MemoryEffects::Free::get());
    const HaloOpDefinition &declared = definition.getDefinition();
    for (intptr_t i = 0; i < declared.numEffects; ++i)
      getOnValues(definition, op, declared.effects[i], effects);
  }

  static MemoryEffects::Effect *effectOf(int32_t kind) {
    switch (kind) {
    case HaloTraitReads:
      return MemoryEffects::Read::get();
    case HaloTraitWrites:
      return MemoryEffects::Write::get();
    case HaloTraitAllocates:
      return MemoryEffects::Allocate::get();
    default:
      return MemoryEffects::Free::get();
    }
  }

  static void
  getOnValues(const DeclaredOp &definition, Operation *op,
              const HaloValueEffect &declared,
              SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
    MemoryEffects::Effect *effect = effectOf(declared.effect);
    auto [start, size] = declared.isResult
                             ? definition.resultGroup(op, declared.group)
                             : definition.operandGroup(op, declared.group);
    for (unsigned i = start; i < start + size; ++i) {
      if (declared.isResult)
        effects.emplace_back(effect, op->getOpResult(i));
      else
        effects.emplace_back(effect, &op->getOpOperand(i));
    }
  }
};

struct Speculates : ConditionallySpeculatable::Concept {
  using Interface = ConditionallySpeculatable;
  Speculates() : Concept{get} {}

  static Speculation::Speculatability get(const Concept *, Operation *op) {
    return op->getNumRegions() == 0 ? Speculation::Speculatable
                                    : Speculation::RecursivelySpeculatable;
  }
};

struct Infers : InferTypeOpInterface::Concept {
  using Interface = InferTypeOpInterface;
  Infers() : Concept{infer, refine, areEqual} {}

  static LogicalResult infer(MLIRContext *context,
                             std::optional<Location> location,
                             ValueRange operands, DictionaryAttr attributes,
                             OpaqueProperties opaque, RegionRange regions,
                             SmallVectorImpl<Type> &types) {
    auto *properties = opaque.as<const DeclaredProperties *>();
    if (!properties || !properties->op)
      return emitOptionalError(location, "an op without properties has no "
                                         "type inference");
    NamedAttrList all(attributes);
    if (properties->attributes)
      for (NamedAttribute attribute : properties->attributes)
        all.set(attribute.getName(), attribute.getValue());
    return properties->op->infer(context, location, operands,
                                 all.getDictionary(context), regions, types);
  }

  static LogicalResult refine(MLIRContext *context,
                              std::optional<Location> location,
                              ValueRange operands, DictionaryAttr attributes,
                              OpaqueProperties properties, RegionRange regions,
                              SmallVectorImpl<Type> &types) {
    SmallVector<Type> inferred;
    if (failed(infer(context, location, operands, attributes, properties,
                     regions, inferred)))
      return failure();
    if (!areEqual(inferred, types))
      return emitOptionalError(
          location, "'",
          properties.as<const DeclaredProperties *>()->op->getName().getValue(),
          "' op inferred type(s) ", TypeRange(inferred),
          " are incompatible with return type(s) of operation ",
          TypeRange(types));
    return success();
  }

  static bool areEqual(TypeRange left, TypeRange right) {
    return left == right;
  }
};

struct WritesBytecode : BytecodeOpInterface::Concept {
  using Interface = BytecodeOpInterface;
  WritesBytecode() : Concept{read, write} {}

  static LogicalResult read(DialectBytecodeReader &reader,
                            OperationState &state) {
    DictionaryAttr attributes;
    if (failed(reader.readOptionalAttribute(attributes)))
      return failure();
    const DeclaredOp &op = DeclaredOp::of(state.name);
    if (attributes)
      for (NamedAttribute attribute : attributes)
        if (!op.isAttribute(attribute.getName()))
          return reader.emitError() << "'" << state.name << "' op has no attribute '"
                                    << attribute.getName().getValue() << "'";
    NamedAttrList own(attributes);
    op.dropDefaults(own);
    state.getOrAddProperties<DeclaredProperties>().attributes =
        attributes ? own.getDictionary(attributes.getContext()) : attributes;
    return success();
  }

  static void write(const Concept *, Operation *op,
                    DialectBytecodeWriter &writer) {
    writer.writeOptionalAttribute(
        op->getPropertiesStorage().as<DeclaredProperties *>()->attributes);
  }
};

} // namespace

namespace halo {

/// Any symbol op, which need not be registered as this class.
class AnySymbol : public Op<AnySymbol, SymbolOpInterface::Trait> {
public:
  using Op::Op;
  static bool classof(Operation *) { return true; }
  static StringRef getOperationName() { return "halo.any_symbol"; }
};

} // namespace halo

static detail::InterfaceMap interfacesOf(const HaloOpDefinition &definition) {
  auto has = [&](unsigned trait) { return definition.traits >> trait & 1; };
  detail::InterfaceMap interfaces;
  interfaces.insertModels<WritesBytecode>();
  bool hasEffects = has(HaloTraitReads) || has(HaloTraitWrites) ||
                    has(HaloTraitAllocates) || has(HaloTraitFrees) ||
                    definition.numEffects > 0;
  if (has(HaloTraitPure) || has(HaloTraitNoMemoryEffect) || hasEffects)
    interfaces.insertModels<Effects>();
  if (has(HaloTraitPure) ||
      (has(HaloTraitRecursiveEffects) && !hasEffects))
    interfaces.insertModels<Speculates>();
  if (definition.infers)
    interfaces.insertModels<Infers>();
  if (has(HaloTraitSymbol))
    interfaces.insertModels<
        SymbolOpInterface::Trait<AnySymbol>::ModelT>();
  insertControlFlowInterfaces(definition, interfaces);
  return interfaces;
}

//===----------------------------------------------------------------------===//
// The definition
//===----------------------------------------------------------------------===//

DeclaredOp::DeclaredOp(const HaloOpDefinition *definition,
                     DeclaredDialect *dialect)
    : Impl(unwrap(definition->name), dialect,
           TypeID::getFromOpaquePointer(definition),
           interfacesOf(*definition)),
      definition(definition) {
  auto parse = [&](MlirStringRef text) {
    return text.length == 0
               ? Type()
               : mlir::parseType(unwrap(text), dialect->getContext());
  };
  for (intptr_t i = 0; i < definition->numOperands; ++i)
    operandTypes.push_back(parse(definition->operands[i].type));
  for (intptr_t i = 0; i < definition->numResults; ++i)
    resultTypes.push_back(parse(definition->results[i].type));
  for (intptr_t i = 0; i < definition->numAttributes; ++i) {
    const HaloNamedSyntax &attribute = definition->attributes[i];
    bool isTyped = attribute.syntax == HaloSyntaxTyped ||
                   attribute.syntax == HaloSyntaxCase;
    attributeTypes.push_back(isTyped ? parse(attribute.type) : Type());
  }
}

const DeclaredOp &DeclaredOp::of(OperationName name) {
  // The name of an op holds its implementation.
  return *static_cast<const DeclaredOp *>(
      static_cast<const Impl *>(name.getAsOpaquePointer()));
}

std::pair<unsigned, unsigned> halo::rangeOfGroup(ArrayRef<HaloGroup> groups,
                                                 int32_t group, unsigned total,
                                                 DenseI32ArrayAttr sizes) {
  unsigned start = 0;
  if (sizes) {
    for (auto [index, number] : llvm::enumerate(sizes.asArrayRef())) {
      unsigned size = std::max(number, 0);
      if (start + size > total)
        break;
      if (index == size_t(group))
        return {start, size};
      start += size;
    }
    return {0, 0};
  }
  unsigned fixed = llvm::count_if(
      groups, [](const HaloGroup &one) { return one.arity == HaloOne; });
  unsigned rest = total < fixed ? 0 : total - fixed;
  for (int32_t i = 0; i < group; ++i)
    start += groups[i].arity == HaloOne ? 1 : rest;
  unsigned size = groups[group].arity == HaloOne ? 1 : rest;
  if (start + size > total)
    return {0, 0};
  return {start, size};
}

std::pair<unsigned, unsigned> DeclaredOp::operandGroup(Operation *op,
                                                       int32_t group) const {
  DenseI32ArrayAttr sizes;
  if (definition->hasOperandSegments)
    sizes = op->getAttrOfType<DenseI32ArrayAttr>(operandSegments);
  return rangeOfGroup({definition->operands, size_t(definition->numOperands)},
                      group, op->getNumOperands(), sizes);
}

std::pair<unsigned, unsigned> DeclaredOp::resultGroup(Operation *op,
                                                      int32_t group) const {
  DenseI32ArrayAttr sizes;
  if (definition->hasResultSegments)
    sizes = op->getAttrOfType<DenseI32ArrayAttr>(resultSegments);
  return rangeOfGroup({definition->results, size_t(definition->numResults)},
                      group, op->getNumResults(), sizes);
}

bool DeclaredOp::isAttribute(StringRef name) const {
  for (intptr_t i = 0; i < definition->numAttributes; ++i)
    if (unwrap(definition->attributes[i].name) == name)
      return true;
  return (definition->hasOperandSegments && name == operandSegments) ||
         (definition->hasResultSegments && name == resultSegments);
}

bool DeclaredOp::hasTrait(TypeID id) {
  auto is = [&](TypeID other) { return id == other; };
  if (is(TypeID::get<OpTrait::IsTerminator>()))
    return has(HaloTraitTerminator);
  if (is(TypeID::get<OpTrait::IsCommutative>()))
    return has(HaloTraitCommutative);
  if (is(TypeID::get<OpTrait::SameOperandsAndResultType>()))
    return has(HaloTraitSameOperandsAndResultType);
  if (is(TypeID::get<OpTrait::IsIsolatedFromAbove>()))
    return has(HaloTraitIsolatedFromAbove);
  if (is(TypeID::get<OpTrait::SingleBlock>()))
    return has(HaloTraitSingleBlock);
  if (is(TypeID::get<OpTrait::NoTerminator>()))
    return has(HaloTraitNoTerminator);
  if (is(TypeID::get<OpTrait::SymbolTable>()))
    return has(HaloTraitSymbolTable);
  if (is(TypeID::get<OpTrait::ConstantLike>()))
    return has(HaloTraitConstantLike);
  if (is(TypeID::get<OpTrait::SameTypeOperands>()))
    return has(HaloTraitSameTypeOperands);
  if (is(TypeID::get<OpTrait::SameOperandsElementType>()))
    return has(HaloTraitSameOperandsElementType);
  if (is(TypeID::get<OpTrait::SameOperandsAndResultElementType>()))
    return has(HaloTraitSameOperandsAndResultElementType);
  if (is(TypeID::get<OpTrait::SameOperandsShape>()))
    return has(HaloTraitSameOperandsShape);
  if (is(TypeID::get<OpTrait::SameOperandsAndResultShape>()))
    return has(HaloTraitSameOperandsAndResultShape);
  if (is(TypeID::get<OpTrait::IsIdempotent>()))
    return has(HaloTraitIdempotent);
  if (is(TypeID::get<OpTrait::IsInvolution>()))
    return has(HaloTraitInvolution);
  if (is(TypeID::get<OpTrait::ReturnLike>()))
    return has(HaloTraitReturnLike);
  if (is(TypeID::get<OpTrait::NoRegionArguments>()))
    return has(HaloTraitNoRegionArguments);
  if (is(TypeID::get<OpTrait::Elementwise>()))
    return has(HaloTraitElementwise);
  if (is(TypeID::get<OpTrait::Scalarizable>()))
    return has(HaloTraitScalarizable);
  if (is(TypeID::get<OpTrait::Vectorizable>()))
    return has(HaloTraitVectorizable);
  if (is(TypeID::get<OpTrait::Tensorizable>()))
    return has(HaloTraitTensorizable);
  if (is(TypeID::get<OpTrait::HasRecursiveMemoryEffects>()))
    // A pure op has no effects of its own; its regions may.
    return has(HaloTraitRecursiveEffects) ||
           (has(HaloTraitPure) && definition->numRegions > 0);
  if (is(TypeID::get<OpTrait::AttrSizedOperandSegments>()))
    return definition->hasOperandSegments;
  if (is(TypeID::get<OpTrait::AttrSizedResultSegments>()))
    return definition->hasResultSegments;
  bool fixedRegions = !definition->lastRegionIsVariadic;
  if (is(TypeID::get<OpTrait::ZeroRegions>()))
    return fixedRegions && definition->numRegions == 0;
  if (is(TypeID::get<OpTrait::OneRegion>()))
    return fixedRegions && definition->numRegions == 1;
  if (is(TypeID::get<OpTrait::NRegions<2>::Impl>()))
    return fixedRegions && definition->numRegions == 2;
  if (is(TypeID::get<OpTrait::AtLeastNRegions<1>::Impl>()))
    return definition->numRegions > 1 || (fixedRegions && definition->numRegions > 0);
  bool fixedSuccessors = !definition->lastSuccessorIsVariadic;
  if (is(TypeID::get<OpTrait::ZeroSuccessors>()))
    return fixedSuccessors && definition->numSuccessors == 0;
  if (is(TypeID::get<OpTrait::OneSuccessor>()))
    return fixedSuccessors && definition->numSuccessors == 1;
  if (is(TypeID::get<OpTrait::NSuccessors<2>::Impl>()))
    return fixedSuccessors && definition->numSuccessors == 2;
  if (is(TypeID::get<OpTrait::ZeroOperands>()))
    return definition->numOperands == 0;
  if (is(TypeID::get<OpTrait::ZeroResults>()))
    return definition->numResults == 0;
  return false;
}

//===----------------------------------------------------------------------===//
// Verification and inference
//===----------------------------------------------------------------------===//

LogicalResult DeclaredOp::judge(Operation *op,
                               decltype(HaloDynamicHooks::verify) hook) const {
  std::string message;
  if (hook(definition->declaration, wrap(op), appendText, &message))
    return success();
  return op->emitOpError(message);
}

LogicalResult DeclaredOp::verifyInvariants(Operation *op) {
  if (failed(judge(op, hooks().verifyParts)))
    return failure();
  if (has(HaloTraitTerminator) && failed(OpTrait::impl::verifyIsTerminator(op)))
    return failure();
  if (has(HaloTraitSameOperandsAndResultType) &&
      failed(OpTrait::impl::verifySameOperandsAndResultType(op)))
    return failure();
  using Verify = LogicalResult (*)(Operation *);
  std::pair<unsigned, Verify> verifiers[] = {
      {HaloTraitSameTypeOperands, OpTrait::impl::verifySameTypeOperands},
      {HaloTraitSameOperandsElementType,
       OpTrait::impl::verifySameOperandsElementType},
      {HaloTraitSameOperandsAndResultElementType,
       OpTrait::impl::verifySameOperandsAndResultElementType},
      {HaloTraitSameOperandsShape, OpTrait::impl::verifySameOperandsShape},
      {HaloTraitSameOperandsAndResultShape,
       OpTrait::impl::verifySameOperandsAndResultShape},
      {HaloTraitNoRegionArguments, OpTrait::impl::verifyNoRegionArguments},
      {HaloTraitElementwise, OpTrait::impl::verifyElementwise},
      {HaloTraitSymbol, detail::verifySymbol},
  };
  for (auto [trait, verify] : verifiers)
    if (has(trait) && failed(verify(op)))
      return failure();
  if (failed(verifyControlFlow(*definition, op)))
    return failure();
  if (definition->infers) {
    SmallVector<Type> types(op->getResultTypes());
    if (failed(Infers::refine(op->getContext(), op->getLoc(),
                              op->getOperands(), op->getRawDictionaryAttrs(),
                              op->getPropertiesStorage(), op->getRegions(),
                              types)))
      return failure();
  }
  return judge(op, hooks().verify);
}

LogicalResult DeclaredOp::verifyRegionInvariants(Operation *op) {
  if (has(HaloTraitIsolatedFromAbove) &&
      failed(OpTrait::impl::verifyIsIsolatedFromAbove(op)))
    return failure();
  if (has(HaloTraitSymbolTable) && failed(detail::verifySymbolTable(op)))
    return failure();
  StringRef end = unwrap(definition->implicitTerminator);
  for (Region &region : op->getRegions()) {
    if (end.empty() || region.empty())
      continue;
    Block &block = region.front();
    if (block.empty() || block.back().getName().getStringRef() != end)
      return op->emitOpError("expects regions to end with '") << end << "'";
  }
  return verifyControlFlowOfRegions(*definition, op);
}

LogicalResult DeclaredOp::infer(MLIRContext *context,
                               std::optional<Location> location,
                               ValueRange operands, DictionaryAttr attributes,
                               RegionRange regions,
                               SmallVectorImpl<Type> &types) const {
  SmallVector<MlirValue> values(llvm::map_range(
      operands, [](Value operand) { return wrap(operand); }));
  SmallVector<MlirRegion> bodies(llvm::map_range(
      regions, [](Region *region) { return wrap(region); }));
  HaloOpParts parts = {wrap(context),
                       definition->name,
                       static_cast<intptr_t>(values.size()),
                       values.data(),
                       wrap(static_cast<Attribute>(attributes)),
                       static_cast<intptr_t>(bodies.size()),
                       bodies.data()};
  auto append = [](MlirType type, void *data) {
    static_cast<SmallVectorImpl<Type> *>(data)->push_back(unwrap(type));
  };
  SmallVector<Type> inferred;
  std::string message;
  if (!hooks().infer(definition->declaration, &parts, append, &inferred,
                     appendText, &message))
    return emitOptionalError(location, "'", unwrap(definition->name), "' op ",
                             message);
  llvm::append_range(types, inferred);
  return success();
}

//===----------------------------------------------------------------------===//
// Folding and canonicalization
//===----------------------------------------------------------------------===//

LogicalResult DeclaredOp::foldHook(Operation *op, ArrayRef<Attribute> operands,
                                  SmallVectorImpl<OpFoldResult> &results) {
  if (has(HaloTraitConstantLike)) {
    // Upstream requires that a constant folds, even before it is verified.
    Attribute value = op->getAttr("value");
    results.push_back(value ? value : UnitAttr::get(op->getContext()));
    return success();
  }
  auto fold = [&](intptr_t count, const MlirAttribute *constants,
                  HaloFoldResultCallback append, void *data) {
    return hooks().fold(definition->declaration, wrap(op), count, constants,
                        append, data);
  };
  if (succeeded(foldBy(fold, op, operands, results)))
    return success();
  if (has(HaloTraitIdempotent) || has(HaloTraitInvolution)) {
    OpFoldResult value = has(HaloTraitIdempotent)
                             ? OpTrait::impl::foldIdempotent(op)
                             : OpTrait::impl::foldInvolution(op);
    if (value) {
      results.push_back(value);
      return success();
    }
  }
  if (has(HaloTraitCommutative))
    return OpTrait::impl::foldCommutative(op, operands, results);
  return failure();
}

namespace {

struct Canonicalization : RewritePattern {
  Canonicalization(const DeclaredOp &op, MLIRContext *context)
      : RewritePattern(op.getName().getValue(), PatternBenefit(1), context),
        op(op) {}

  LogicalResult matchAndRewrite(Operation *operation,
                                PatternRewriter &rewriter) const override {
    return success(op.hooks().canonicalize(
        op.getDefinition().declaration, wrap(operation), wrap(rootOf(operation)),
        wrap(static_cast<RewriterBase *>(&rewriter))));
  }

  /// Returns the outermost op. In a multithreaded context, returns the outermost op that only this
  /// thread uses.
  static Operation *rootOf(Operation *operation) {
    bool hasThreads = operation->getContext()->isMultithreadingEnabled();
    while (Operation *parent = operation->getParentOp()) {
      operation = parent;
      if (hasThreads && operation->hasTrait<OpTrait::IsIsolatedFromAbove>())
        break;
    }
    return operation;
  }

  const DeclaredOp &op;
};

} // namespace

void DeclaredOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  if (definition->canonicalizes)
    patterns.add<Canonicalization>(*this, context);
}

//===----------------------------------------------------------------------===//
// Attributes, which are properties
//===----------------------------------------------------------------------===//

static DeclaredProperties &propertiesOf(Operation *op) {
  return *op->getPropertiesStorage().as<DeclaredProperties *>();
}

std::optional<Attribute> DeclaredOp::getInherentAttr(Operation *op,
                                                    StringRef name) {
  if (!isAttribute(name))
    return std::nullopt;
  DictionaryAttr attributes = propertiesOf(op).attributes;
  return attributes ? attributes.get(name) : Attribute();
}

Attribute DeclaredOp::defaultOf(unsigned index, MLIRContext *context) const {
  return unwrap(hooks().defaultAttribute(definition->declaration, index,
                                         wrap(context)));
}

bool DeclaredOp::isDefault(StringRef name, Attribute value) const {
  for (intptr_t i = 0; i < definition->numAttributes; ++i)
    if (unwrap(definition->attributes[i].name) == name)
      return defaultOf(i, value.getContext()) == value;
  return false;
}

void DeclaredOp::dropDefaults(NamedAttrList &attributes) const {
  SmallVector<StringAttr> defaults;
  for (NamedAttribute entry : attributes)
    if (isDefault(entry.getName(), entry.getValue()))
      defaults.push_back(entry.getName());
  for (StringAttr name : defaults)
    attributes.erase(name);
}

void DeclaredOp::setInherentAttr(Operation *op, StringAttr name,
                                Attribute value) {
  DeclaredProperties &properties = propertiesOf(op);
  NamedAttrList attributes(properties.attributes);
  if (value && !isDefault(name, value))
    attributes.set(name, value);
  else
    attributes.erase(name);
  properties.attributes = attributes.getDictionary(op->getContext());
}

void DeclaredOp::populateInherentAttrs(Operation *op,
                                      NamedAttrList &attributes) {
  if (DictionaryAttr own = propertiesOf(op).attributes)
    attributes.append(own.getValue());
}

LogicalResult DeclaredOp::verifyInherentAttrs(
    OperationName, NamedAttrList &attributes,
    function_ref<InFlightDiagnostic()> emitError) {
  for (intptr_t i = 0; i < definition->numAttributes; ++i) {
    Attribute value = attributes.get(unwrap(definition->attributes[i].name));
    std::string message;
    if (value && !hooks().verifyAttribute(definition->declaration, i,
                                          wrap(value), appendText, &message))
      return emitError() << message;
  }
  for (StringRef name : {StringRef(operandSegments), StringRef(resultSegments)})
    if (Attribute value = isAttribute(name) ? attributes.get(name) : nullptr)
      if (!isa<DenseI32ArrayAttr>(value))
        return emitError() << "attribute '" << name
                           << "' must be an array of 32-bit integers";
  return success();
}

void DeclaredOp::initProperties(OperationName, OpaqueProperties storage,
                               OpaqueProperties init) {
  auto *properties = new (storage.as<DeclaredProperties *>()) DeclaredProperties;
  properties->op = this;
  if (init)
    properties->attributes = init.as<const DeclaredProperties *>()->attributes;
}

LogicalResult DeclaredOp::setPropertiesFromAttr(
    OperationName name, OpaqueProperties opaque, Attribute attribute,
    function_ref<InFlightDiagnostic()> emitError) {
  auto dictionary = dyn_cast<DictionaryAttr>(attribute);
  if (!dictionary)
    return emitError() << "expected DictionaryAttr to set properties";
  NamedAttrList own;
  for (NamedAttribute entry : dictionary)
    if (isAttribute(entry.getName()))
      own.append(entry);
  if (failed(verifyInherentAttrs(name, own, emitError)))
    return failure();
  dropDefaults(own);
  auto *properties = opaque.as<DeclaredProperties *>();
  properties->op = this;
  properties->attributes = own.getDictionary(dictionary.getContext());
  return success();
}

Attribute DeclaredOp::getPropertiesAsAttr(Operation *op) {
  DictionaryAttr attributes = propertiesOf(op).attributes;
  return attributes && !attributes.empty() ? attributes : Attribute();
}

void DeclaredOp::copyProperties(OpaqueProperties to, OpaqueProperties from) {
  to.as<DeclaredProperties *>()->attributes =
      from.as<const DeclaredProperties *>()->attributes;
}

// An empty dictionary counts as null.
static DictionaryAttr contentOf(OpaqueProperties opaque) {
  DictionaryAttr attributes = opaque.as<const DeclaredProperties *>()->attributes;
  return attributes && !attributes.empty() ? attributes : DictionaryAttr();
}

bool DeclaredOp::compareProperties(OpaqueProperties left,
                                  OpaqueProperties right) {
  return contentOf(left) == contentOf(right);
}

llvm::hash_code DeclaredOp::hashProperties(OpaqueProperties properties) {
  return hash_value(static_cast<Attribute>(contentOf(properties)));
}
