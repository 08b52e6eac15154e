// Checked changes of ops. MLIR makes these changes without checks.

#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Support.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "llvm/Support/Threading.h"

#include <numeric>
#include <optional>
#include <vector>

using namespace mlir;

// Returns the value of an inherent attribute, or null if it is absent. Returns nothing if the op's
// definition does not name it.
static std::optional<Attribute> inherent(Operation *op, StringRef name) {
  if (op->getPropertiesStorageSize() == 0)
    return std::nullopt;
  return op->getInherentAttr(name);
}

// Returns true if an attribute, if it holds segment sizes, matches a number of values.
static bool segmentsFit(Operation *op, StringRef name, Attribute value) {
  bool ofOperands = name == "operandSegmentSizes";
  if (!ofOperands && name != "resultSegmentSizes")
    return true;
  auto sizes = llvm::dyn_cast_if_present<DenseI32ArrayAttr>(value);
  if (!sizes || llvm::any_of(sizes.asArrayRef(), [](int32_t size) { return size < 0; }))
    return false;
  ArrayRef<int32_t> numbers = sizes.asArrayRef();
  int64_t sum = std::accumulate(numbers.begin(), numbers.end(), int64_t(0));
  return sum == (ofOperands ? op->getNumOperands() : op->getNumResults());
}

// Returns true if an op satisfies its definition, ignoring its regions. Emits no diagnostics.
static bool isValid(Operation *op) {
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler silence(op->getContext(), [&](Diagnostic &) {
    return success(llvm::get_threadid() == thread);
  });
  return succeeded(op->getName().verifyInvariants(op));
}

// Returns true if the definition of an op accepts these attributes. Emits no diagnostics.
static bool takes(Operation *op, NamedAttrList &attributes) {
  uint64_t thread = llvm::get_threadid();
  ScopedDiagnosticHandler silence(op->getContext(), [&](Diagnostic &) {
    return success(llvm::get_threadid() == thread);
  });
  return succeeded(op->getRegisteredInfo()->verifyInherentAttrs(
      attributes, [&] { return op->emitOpError(); }));
}

// Returns the default value of an attribute of an op.
static Attribute initialValue(Operation *op, StringRef name) {
  OperationState state(op->getLoc(), op->getName());
  Operation *fresh = Operation::create(state);
  Attribute value = fresh->getInherentAttr(name).value_or(Attribute());
  fresh->destroy();
  return value;
}

static bool regionsFit(Operation *op) {
  unsigned count = op->getNumRegions();
  if (op->hasTrait<OpTrait::ZeroRegions>())
    return count == 0;
  if (op->hasTrait<OpTrait::OneRegion>())
    return count == 1;
  if (op->hasTrait<OpTrait::NRegions<2>::Impl>())
    return count == 2;
  return count > 0 || !op->hasTrait<OpTrait::AtLeastNRegions<1>::Impl>();
}

static bool successorsFit(Operation *op) {
  unsigned count = op->getNumSuccessors();
  if (op->hasTrait<OpTrait::ZeroSuccessors>())
    return count == 0;
  if (op->hasTrait<OpTrait::OneSuccessor>())
    return count == 1;
  if (op->hasTrait<OpTrait::NSuccessors<2>::Impl>())
    return count == 2;
  return count > 0 || !op->hasTrait<OpTrait::AtLeastNSuccessors<1>::Impl>();
}

extern "C" {

// Sets an attribute. Returns false and changes nothing if the op's definition names it and rejects
// the value.
bool haloSetAttribute(MlirOperation wrapped, MlirStringRef wrappedName,
                      MlirAttribute wrappedValue) {
  Operation *op = unwrap(wrapped);
  Attribute value = unwrap(wrappedValue);
  StringAttr name = StringAttr::get(op->getContext(), unwrap(wrappedName));
  std::optional<Attribute> before = inherent(op, name);
  if (before && !segmentsFit(op, name, value))
    return false;
  NamedAttrList changed(ArrayRef<NamedAttribute>(NamedAttribute(name, value)));
  if (before && !takes(op, changed))
    return false;
  op->setAttr(name, value);
  if (!before || inherent(op, name) == value)
    return true;
  op->setInherentAttr(name, *before);
  return false;
}

// Removes an attribute, or resets it to its default value. Returns false and changes nothing if the
// op would be invalid.
bool haloRemoveAttribute(MlirOperation wrapped, MlirStringRef wrappedName) {
  Operation *op = unwrap(wrapped);
  StringAttr name = StringAttr::get(op->getContext(), unwrap(wrappedName));
  std::optional<Attribute> before = inherent(op, name);
  if (!before) {
    op->removeAttr(name);
    return true;
  }
  if (!*before)
    return true;
  if (name == "operandSegmentSizes" || name == "resultSegmentSizes")
    return false;
  if (Attribute initial = initialValue(op, name)) {
    op->setInherentAttr(name, initial);
    return true;
  }
  bool wasValid = isValid(op);
  op->setInherentAttr(name, Attribute());
  if (!wasValid || isValid(op))
    return true;
  op->setInherentAttr(name, *before);
  return false;
}

// Returns true if an op has the numbers of regions and successors of its definition, and segment
// sizes that match its operands and results.
bool haloPartsFit(MlirOperation wrapped) {
  Operation *op = unwrap(wrapped);
  if (!regionsFit(op) || !successorsFit(op))
    return false;
  for (StringRef name : {"operandSegmentSizes", "resultSegmentSizes"})
    if (std::optional<Attribute> sizes = inherent(op, name))
      if (!segmentsFit(op, name, *sizes))
        return false;
  return true;
}

// Returns true if the attributes that an op was created with satisfy its definition. Reports a
// mismatch.
bool haloAttributesFit(MlirOperation wrapped, intptr_t count,
                       const MlirNamedAttribute *attributes) {
  Operation *op = unwrap(wrapped);
  std::optional<RegisteredOperationName> info = op->getRegisteredInfo();
  if (!info)
    return true;
  NamedAttrList list;
  for (intptr_t i = 0; i < count; ++i)
    list.append(unwrap(attributes[i].name), unwrap(attributes[i].attribute));
  return succeeded(
      info->verifyInherentAttrs(list, [&] { return op->emitOpError(); }));
}

// Infers the result types of an op under construction, like `mlirOperationCreate`, which destroys
// the regions on failure.
bool haloInferResultTypes(const MlirOperationState *state,
                          void (*append)(MlirType, void *), void *data) {
  Location location = unwrap(state->location);
  MLIRContext *context = location.getContext();
  OperationName name(unwrap(state->name), context);
  std::optional<RegisteredOperationName> info = name.getRegisteredInfo();
  auto *interface = info ? info->getInterface<InferTypeOpInterface>() : nullptr;
  if (!interface) {
    emitError(location) << "'" << name << "' op has no type inference";
    return false;
  }
  SmallVector<Value> operands;
  (void)unwrapList(state->nOperands, state->operands, operands);
  NamedAttrList attributes;
  for (intptr_t i = 0; i < state->nAttributes; ++i)
    attributes.append(unwrap(state->attributes[i].name),
                      unwrap(state->attributes[i].attribute));
  DictionaryAttr dictionary = attributes.getDictionary(context);
  SmallVector<Region *> regions;
  for (intptr_t i = 0; i < state->nRegions; ++i)
    regions.push_back(unwrap(state->regions[i]));

  std::vector<std::max_align_t> storage(
      info->getOpPropertyByteSize() / sizeof(std::max_align_t) + 1);
  OpaqueProperties properties(storage.data());
  bool hasProperties = info->getOpPropertyByteSize() > 0;
  if (hasProperties) {
    info->initOpProperties(properties, nullptr);
    auto complain = [&] { return emitError(location); };
    if (!dictionary.empty() &&
        failed(info->setOpPropertiesFromAttribute(*info, properties, dictionary,
                                                  complain))) {
      info->destroyOpProperties(properties);
      return false;
    }
  }
  SmallVector<Type> types;
  bool inferred = succeeded(interface->inferReturnTypes(
      context, location, operands, dictionary,
      hasProperties ? properties : OpaqueProperties(nullptr), regions, types));
  if (hasProperties)
    info->destroyOpProperties(properties);
  if (inferred)
    for (Type type : types)
      append(wrap(type), data);
  return inferred;
}

} // extern "C"
