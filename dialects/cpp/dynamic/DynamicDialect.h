/*===- DynamicDialect.h - Dialects that are declared in Rust --------------===*\
|*
|* The C side of src/ir/dialect/raw.rs. A definition lives as long as the
|* program. Its hooks are called from any thread.
|*
\*===----------------------------------------------------------------------===*/

#ifndef HALO_DIALECTS_DYNAMIC_DIALECT_H
#define HALO_DIALECTS_DYNAMIC_DIALECT_H

#include "Hooks.h"
#include "mlir-c/Rewrite.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The declaration of an op, a type or an attribute, in Rust. */
typedef const void *HaloDeclaration;

typedef struct HaloDynamicHooks {
  /* Judge an op by its declaration, and by the declaration's own hook. */
  bool (*verifyParts)(HaloDeclaration op, MlirOperation operation,
                      MlirStringCallback report, void *data);
  bool (*verify)(HaloDeclaration op, MlirOperation operation,
                 MlirStringCallback report, void *data);
  /* The default of an attribute, or null. */
  MlirAttribute (*defaultAttribute)(HaloDeclaration op, intptr_t number,
                                    MlirContext context);
  bool (*verifyAttribute)(HaloDeclaration op, intptr_t number,
                          MlirAttribute attribute, MlirStringCallback report,
                          void *data);
  bool (*fold)(HaloDeclaration op, MlirOperation operation,
               intptr_t numOperands, const MlirAttribute *operands,
               HaloFoldResultCallback result, void *resultData);
  bool (*infer)(HaloDeclaration op, const HaloOpParts *parts,
                HaloTypeCallback type, void *typeData,
                MlirStringCallback report, void *reportData);
  /* `root` is an op around it that nothing but this thread changes. */
  bool (*canonicalize)(HaloDeclaration op, MlirOperation operation,
                       MlirOperation root, MlirRewriterBase rewriter);
  /* Judges the parameters of a type or an attribute. */
  bool (*verifyParameters)(HaloDeclaration declaration, intptr_t count,
                           const MlirAttribute *parameters,
                           MlirStringCallback report, void *data);
} HaloDynamicHooks;

/* Bits of HaloOpDefinition.traits, in the order of `OpTrait` in Rust. */
enum {
  HaloTraitPure,
  HaloTraitReads,
  HaloTraitWrites,
  HaloTraitAllocates,
  HaloTraitFrees,
  HaloTraitRecursiveEffects,
  HaloTraitTerminator,
  HaloTraitCommutative,
  HaloTraitSameOperandsAndResultType,
  HaloTraitIsolatedFromAbove,
  HaloTraitSingleBlock,
  HaloTraitNoTerminator,
  HaloTraitSymbol,
  HaloTraitSymbolTable,
  HaloTraitConstantLike,
  HaloTraitNoMemoryEffect,
  HaloTraitSameTypeOperands,
  HaloTraitSameOperandsElementType,
  HaloTraitSameOperandsAndResultElementType,
  HaloTraitSameOperandsShape,
  HaloTraitSameOperandsAndResultShape,
  HaloTraitIdempotent,
  HaloTraitInvolution,
  HaloTraitReturnLike,
  HaloTraitNoRegionArguments,
  HaloTraitElementwise,
  HaloTraitScalarizable,
  HaloTraitVectorizable,
  HaloTraitTensorizable,
  HaloTraitNoInline,
};

typedef enum HaloArity { HaloOne, HaloOptional, HaloVariadic } HaloArity;

/* Operands or results of one name. `type` is their only type, or empty. Groups
 * of one `typeSet` have one type; it is negative for groups of none. */
typedef struct HaloGroup {
  MlirStringRef name;
  int32_t arity;
  MlirStringRef type;
  int32_t typeSet;
} HaloGroup;

/* A case of an enum. */
typedef struct HaloCase {
  MlirStringRef name;
  uint64_t number;
} HaloCase;

/* How an attribute, or a parameter, is written. */
typedef enum HaloSyntax {
  /* As any attribute. */
  HaloSyntaxAttribute,
  /* Without its type, which `type` is. */
  HaloSyntaxTyped,
  /* Not at all: the attribute is `unit`. */
  HaloSyntaxUnit,
  HaloSyntaxSymbolName,
  HaloSyntaxType,
  /* A number, for parameters. */
  HaloSyntaxInteger,
  HaloSyntaxString,
  /* An integer, by the name of its case. */
  HaloSyntaxCase,
  /* An attribute of the dialect, which `type` is the name of, by its
   * parameters. */
  HaloSyntaxParameters,
} HaloSyntax;

typedef struct HaloNamedSyntax {
  MlirStringRef name;
  int32_t syntax;
  MlirStringRef type;
  intptr_t numCases;
  const HaloCase *cases;
} HaloNamedSyntax;

typedef enum HaloDirectiveKind {
  HaloDirectiveLiteral,
  HaloDirectiveOperands,
  HaloDirectiveAttribute,
  HaloDirectiveRegion,
  HaloDirectiveSuccessor,
  HaloDirectiveType,
  HaloDirectiveFunctionalType,
  HaloDirectiveAttrDict,
  HaloDirectiveAttrDictWithKeyword,
  HaloDirectiveGroup,
} HaloDirectiveKind;

/* A list of values: a group by its number, or all of them. */
typedef struct HaloList {
  bool areResults;
  int32_t group; /* negative for all */
} HaloList;

/* An element of an assembly format. An optional group is followed by its
 * elements, of which `index` is the anchor, and those that stand in its
 * place. */
typedef struct HaloDirective {
  int32_t kind;
  int32_t index;
  int32_t elements;
  int32_t otherwise;
  HaloList first;
  HaloList second;
  MlirStringRef text;
} HaloDirective;

/* An effect on the operands or results of a group. */
typedef struct HaloValueEffect {
  bool isResult;
  int32_t group;
  int32_t effect; /* HaloTraitReads, Writes, Allocates or Frees */
} HaloValueEffect;

/* Where control goes from an op or a region of it: to regions by their number, or, if
 * negative, to what follows the op. */
typedef struct HaloRegionTargets {
  intptr_t count;
  const int32_t *regions;
} HaloRegionTargets;

typedef struct HaloOpDefinition {
  HaloDeclaration declaration;
  MlirStringRef name;
  uint64_t traits;
  intptr_t numOperands;
  const HaloGroup *operands;
  intptr_t numResults;
  const HaloGroup *results;
  intptr_t numAttributes; /* without the sizes of groups */
  const HaloNamedSyntax *attributes;
  intptr_t numRegions;
  intptr_t numSuccessors;
  intptr_t numDirectives;
  const HaloDirective *directives;
  /* The op that ends regions where the text leaves it out, or empty. */
  MlirStringRef implicitTerminator;
  bool hasOperandSegments;
  bool hasResultSegments;
  bool lastRegionIsVariadic;
  bool lastSuccessorIsVariadic;
  bool hasFormat;
  bool infers;
  bool canonicalizes;
  intptr_t numEffects;
  const HaloValueEffect *effects;
  MlirStringRef callee;  /* the attribute of a call; else empty */
  int32_t callArguments; /* a group of operands */
  /* The group of operands of each successor of a branch; else null. */
  const int32_t *successorOperands;
  /* Those of the op, then those of each region; null where nothing is known. */
  const HaloRegionTargets *regionTargets;
  int32_t regionInputs;      /* a group of operands, or negative */
  int32_t producedArguments; /* of each region, by the op itself */
} HaloOpDefinition;

/* A type or an attribute. */
typedef struct HaloParametricDefinition {
  HaloDeclaration declaration;
  MlirStringRef name; /* without the dialect */
  intptr_t numParameters;
  const HaloNamedSyntax *parameters;
  intptr_t numDirectives;
  const HaloDirective *directives;
} HaloParametricDefinition;

typedef struct HaloDialectDefinition {
  MlirStringRef name;
  const HaloDynamicHooks *hooks;
  intptr_t numOps;
  const HaloOpDefinition *ops;
  intptr_t numTypes;
  const HaloParametricDefinition *types;
  intptr_t numAttributes;
  const HaloParametricDefinition *attributes;
  intptr_t numDependencies;
  const MlirStringRef *dependencies;
  MlirStringRef constant; /* the op that makes constants, or empty */
} HaloDialectDefinition;

#ifdef __cplusplus
}

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpImplementation.h"

namespace halo {

class DeclaredOp;

/// The properties of an op: its attributes. They also name the op, because MLIR queries result
/// types without naming the op.
struct DeclaredProperties {
  const DeclaredOp *op = nullptr;
  mlir::DictionaryAttr attributes;
};

/// A dialect declared in Rust, in one context.
class DeclaredDialect final : public mlir::ExtensibleDialect {
public:
  DeclaredDialect(const HaloDialectDefinition *definition,
                 mlir::MLIRContext *context);

  const HaloDynamicHooks &hooks() const { return *definition->hooks; }
  /// Returns the attribute of a name in the dialect, or null.
  const HaloParametricDefinition *attributeOf(llvm::StringRef name) const;

  mlir::Operation *materializeConstant(mlir::OpBuilder &builder,
                                       mlir::Attribute value, mlir::Type type,
                                       mlir::Location location) override;
  mlir::Type parseType(mlir::DialectAsmParser &parser) const override;
  void printType(mlir::Type type,
                 mlir::DialectAsmPrinter &printer) const override;
  mlir::Attribute parseAttribute(mlir::DialectAsmParser &parser,
                                 mlir::Type type) const override;
  void printAttribute(mlir::Attribute attribute,
                      mlir::DialectAsmPrinter &printer) const override;

private:
  const HaloDialectDefinition *definition;
};

/// An op of such a dialect. Implements MLIR's op interface by the definition.
class DeclaredOp final : public mlir::OperationName::Impl {
public:
  DeclaredOp(const HaloOpDefinition *definition, DeclaredDialect *dialect);

  /// Returns the op that the dialect registered under a name.
  static const DeclaredOp &of(mlir::OperationName name);

  const HaloOpDefinition &getDefinition() const { return *definition; }
  const HaloDynamicHooks &hooks() const {
    return static_cast<DeclaredDialect *>(getDialect())->hooks();
  }
  bool has(unsigned trait) const { return definition->traits >> trait & 1; }
  bool isAttribute(llvm::StringRef name) const;
  /// Returns the default value of an optional attribute, or null.
  mlir::Attribute defaultOf(unsigned index, mlir::MLIRContext *context) const;
  /// Erases attributes that have their default value.
  void dropDefaults(mlir::NamedAttrList &attributes) const;
  /// Returns the first operand of a group and their number; zero if the op has none.
  std::pair<unsigned, unsigned> operandGroup(mlir::Operation *op,
                                             int32_t group) const;
  std::pair<unsigned, unsigned> resultGroup(mlir::Operation *op,
                                            int32_t group) const;
  /// Returns the only type that a group may have, or null.
  mlir::Type operandType(unsigned group) const { return operandTypes[group]; }
  mlir::Type resultType(unsigned group) const { return resultTypes[group]; }
  /// Returns the implicit type of an attribute, which is not printed, or null.
  mlir::Type attributeType(unsigned index) const {
    return attributeTypes[index];
  }
  const DeclaredDialect &getDeclaredDialect() const {
    return *static_cast<DeclaredDialect *>(getDialect());
  }
  llvm::LogicalResult infer(mlir::MLIRContext *context,
                            std::optional<mlir::Location> location,
                            mlir::ValueRange operands,
                            mlir::DictionaryAttr attributes,
                            mlir::RegionRange regions,
                            llvm::SmallVectorImpl<mlir::Type> &types) const;

  mlir::ParseResult parse(mlir::OpAsmParser &parser,
                          mlir::OperationState &state) const;
  void print(mlir::Operation *op, mlir::OpAsmPrinter &printer) const;

  llvm::LogicalResult
  foldHook(mlir::Operation *op, llvm::ArrayRef<mlir::Attribute> operands,
           llvm::SmallVectorImpl<mlir::OpFoldResult> &results) override;
  void getCanonicalizationPatterns(mlir::RewritePatternSet &patterns,
                                   mlir::MLIRContext *context) override;
  bool hasTrait(mlir::TypeID id) override;
  mlir::OperationName::ParseAssemblyFn getParseAssemblyFn() override;
  void populateDefaultAttrs(const mlir::OperationName &,
                            mlir::NamedAttrList &) override {}
  void printAssembly(mlir::Operation *op, mlir::OpAsmPrinter &printer,
                     llvm::StringRef defaultDialect) override;
  llvm::LogicalResult verifyInvariants(mlir::Operation *op) override;
  llvm::LogicalResult verifyRegionInvariants(mlir::Operation *op) override;

  std::optional<mlir::Attribute> getInherentAttr(mlir::Operation *op,
                                                 llvm::StringRef name) override;
  void setInherentAttr(mlir::Operation *op, mlir::StringAttr name,
                       mlir::Attribute value) override;
  void populateInherentAttrs(mlir::Operation *op,
                             mlir::NamedAttrList &attributes) override;
  llvm::LogicalResult verifyInherentAttrs(
      mlir::OperationName name, mlir::NamedAttrList &attributes,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError) override;
  int getOpPropertyByteSize() override { return sizeof(DeclaredProperties); }
  void initProperties(mlir::OperationName name, mlir::OpaqueProperties storage,
                      mlir::OpaqueProperties init) override;
  void deleteProperties(mlir::OpaqueProperties) override {}
  void populateDefaultProperties(mlir::OperationName,
                                 mlir::OpaqueProperties) override {}
  llvm::LogicalResult setPropertiesFromAttr(
      mlir::OperationName name, mlir::OpaqueProperties properties,
      mlir::Attribute attribute,
      llvm::function_ref<mlir::InFlightDiagnostic()> emitError) override;
  mlir::Attribute getPropertiesAsAttr(mlir::Operation *op) override;
  void copyProperties(mlir::OpaqueProperties to,
                      mlir::OpaqueProperties from) override;
  bool compareProperties(mlir::OpaqueProperties left,
                         mlir::OpaqueProperties right) override;
  llvm::hash_code hashProperties(mlir::OpaqueProperties properties) override;

private:
  /// Returns true if an attribute has its default value.
  bool isDefault(llvm::StringRef name, mlir::Attribute value) const;
  /// Calls a verification hook.
  llvm::LogicalResult judge(mlir::Operation *op,
                            decltype(HaloDynamicHooks::verify) hook) const;

  const HaloOpDefinition *definition;
  llvm::SmallVector<mlir::Type> operandTypes;
  llvm::SmallVector<mlir::Type> resultTypes;
  llvm::SmallVector<mlir::Type> attributeTypes;
};

/// Returns the first value of a group and their number, for an op with `total` operands or results.
/// `sizes` is the attribute with the segment sizes.
std::pair<unsigned, unsigned>
rangeOfGroup(mlir::ArrayRef<HaloGroup> groups, int32_t group, unsigned total,
             mlir::DenseI32ArrayAttr sizes);

/// Inserts the control-flow interfaces of an op.
void insertControlFlowInterfaces(const HaloOpDefinition &definition,
                                 mlir::detail::InterfaceMap &interfaces);
llvm::LogicalResult verifyControlFlow(const HaloOpDefinition &definition,
                                      mlir::Operation *op);
llvm::LogicalResult
verifyControlFlowOfRegions(const HaloOpDefinition &definition,
                           mlir::Operation *op);

/// Returns true if a literal of an assembly format is a keyword.
bool isKeyword(llvm::StringRef text);
/// Parses a literal.
mlir::ParseResult parseLiteral(mlir::AsmParser &parser, llvm::StringRef text);
/// Parses an optional literal.
bool parseOptionalLiteral(mlir::AsmParser &parser, llvm::StringRef text);
/// Parses the name of a case as an integer of a type. An absent optional case has no value.
mlir::OptionalParseResult parseCase(mlir::AsmParser &parser,
                                    const HaloNamedSyntax &syntax,
                                    mlir::Type type, mlir::Attribute &value,
                                    bool isOptional);
/// Prints an integer as the name of its case, if it is one.
bool printCase(mlir::AsmPrinter &printer, const HaloNamedSyntax &syntax,
               mlir::Attribute value);

/// Prints the spaces between the elements of an assembly format, like ODS.
class Spacing {
public:
  /// `isOpen`: a space has been printed, or none is wanted.
  explicit Spacing(bool isOpen) : wantsSpace(!isOpen), afterPunctuation(isOpen) {}
  void literal(mlir::AsmPrinter &printer, llvm::StringRef text);
  void element(mlir::AsmPrinter &printer);
  /// Called after an element that prints its own spaces.
  void reset() { wantsSpace = true, afterPunctuation = false; }

private:
  bool wantsSpace;
  bool afterPunctuation;
};

/// The syntax of the parameters of types and attributes.
mlir::ParseResult
parseParameters(const HaloParametricDefinition &definition,
                mlir::AsmParser &parser,
                llvm::SmallVectorImpl<mlir::Attribute> &parameters);
void printParameters(const HaloParametricDefinition &definition,
                     mlir::AsmPrinter &printer,
                     llvm::ArrayRef<mlir::Attribute> parameters);

/// Adds all declared dialects.
void registerDynamicDialects(mlir::DialectRegistry &registry);

} // namespace halo

#endif

#endif /* HALO_DIALECTS_DYNAMIC_DIALECT_H */
