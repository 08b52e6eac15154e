//===- ConvSyntax.cpp - [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f] -----------===//
//
// A convolution's dimension numbers print as one entry per dimension, which
// only a consistent set of numbers has. The C++ API and `raw` can build others;
// they print as `raw` so that printing never fails and loses nothing.
//
//===----------------------------------------------------------------------===//

#include "StablehloAttrs.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using mlir::stablehlo::ConvDimensionNumbersAttr;

namespace {

/// The dimension numbers of one of the three tensors.
struct TensorRoles {
  TensorRoles(char firstLetter, char secondLetter, int64_t first = 0,
              int64_t second = 0, ArrayRef<int64_t> spatial = {})
      : firstLetter(firstLetter), secondLetter(secondLetter), first(first),
        second(second), spatial(spatial) {}

  char firstLetter;
  char secondLetter;
  int64_t first;
  int64_t second;
  SmallVector<int64_t> spatial;
};

} // namespace

/// Names every dimension. Returns nothing if a dimension has no role or two roles.
static std::optional<SmallVector<std::string>>
nameDimensions(const TensorRoles &roles) {
  SmallVector<std::string> names(roles.spatial.size() + 2);
  auto assign = [&](int64_t dim, std::string name) {
    if (dim < 0 || dim >= static_cast<int64_t>(names.size()) ||
        !names[dim].empty())
      return false;
    names[dim] = std::move(name);
    return true;
  };
  if (!assign(roles.first, std::string(1, roles.firstLetter)) ||
      !assign(roles.second, std::string(1, roles.secondLetter)))
    return std::nullopt;
  for (auto [number, dim] : llvm::enumerate(roles.spatial))
    if (!assign(dim, std::to_string(number)))
      return std::nullopt;
  return names;
}

static ParseResult parseTensorRoles(AsmParser &parser, TensorRoles &roles) {
  SMLoc listLoc = parser.getCurrentLocation();
  std::optional<int64_t> first, second;
  SmallVector<std::pair<int64_t, int64_t>> spatial; // number, dimension
  int64_t dim = 0;
  auto parseEntry = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    int64_t number;
    OptionalParseResult isNumber = parser.parseOptionalInteger(number);
    if (isNumber.has_value()) {
      if (failed(*isNumber))
        return failure();
      if (number < 0)
        return parser.emitError(loc, "negative spatial dimension");
      if (llvm::any_of(spatial, [&](auto &s) { return s.first == number; }))
        return parser.emitError(loc)
               << "spatial dimension " << number << " given twice";
      spatial.emplace_back(number, dim++);
      return success();
    }
    StringRef letter;
    if (parser.parseKeyword(&letter))
      return failure();
    std::optional<int64_t> *role = nullptr;
    if (letter.size() == 1 && letter[0] == roles.firstLetter)
      role = &first;
    else if (letter.size() == 1 && letter[0] == roles.secondLetter)
      role = &second;
    else
      return parser.emitError(loc)
             << "unexpected dimension '" << letter << "', expected a number, '"
             << roles.firstLetter << "' or '" << roles.secondLetter << "'";
    if (role->has_value())
      return parser.emitError(loc)
             << "dimension '" << letter << "' given twice";
    *role = dim++;
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  if (!first || !second)
    return parser.emitError(listLoc)
           << "expected dimensions '" << roles.firstLetter << "' and '"
           << roles.secondLetter << "'";
  llvm::sort(spatial);
  for (auto [position, entry] : llvm::enumerate(spatial)) {
    if (entry.first != static_cast<int64_t>(position))
      return parser.emitError(listLoc)
             << "expected spatial dimensions 0 to " << spatial.size() - 1
             << " without gaps";
    roles.spatial.push_back(entry.second);
  }
  roles.first = *first;
  roles.second = *second;
  return success();
}

namespace {

/// The three tensors of a convolution.
struct ConvRoles {
  ConvRoles() : input('b', 'f'), kernel('i', 'o'), output('b', 'f') {}
  explicit ConvRoles(ConvDimensionNumbersAttr dims)
      : input('b', 'f', dims.getInputBatchDimension(),
              dims.getInputFeatureDimension(),
              dims.getInputSpatialDimensions()),
        kernel('i', 'o', dims.getKernelInputFeatureDimension(),
               dims.getKernelOutputFeatureDimension(),
               dims.getKernelSpatialDimensions()),
        output('b', 'f', dims.getOutputBatchDimension(),
               dims.getOutputFeatureDimension(),
               dims.getOutputSpatialDimensions()) {}

  ConvDimensionNumbersAttr build(MLIRContext *context) const {
    return ConvDimensionNumbersAttr::get(
        context, input.first, input.second, input.spatial, kernel.first,
        kernel.second, kernel.spatial, output.first, output.second,
        output.spatial);
  }

  /// `[...]x[...]->[...]`.
  ParseResult parseLists(AsmParser &parser) {
    return failure(parseTensorRoles(parser, input) ||
                   parser.parseKeyword("x") ||
                   parseTensorRoles(parser, kernel) || parser.parseArrow() ||
                   parseTensorRoles(parser, output));
  }

  /// Returns false and prints nothing if the numbers are inconsistent.
  bool printLists(AsmPrinter &printer) const {
    auto inputNames = nameDimensions(input);
    auto kernelNames = nameDimensions(kernel);
    auto outputNames = nameDimensions(output);
    if (!inputNames || !kernelNames || !outputNames)
      return false;
    printer << '[' << llvm::join(*inputNames, ", ") << "]x["
            << llvm::join(*kernelNames, ", ") << "]->["
            << llvm::join(*outputNames, ", ") << ']';
    return true;
  }

  /// Member by member.
  ParseResult parseMembers(AsmParser &parser) {
    return halo::parseDimensionMembers(
        parser,
        {{"input_batch_dimension", nullptr, &input.first},
         {"input_feature_dimension", nullptr, &input.second},
         {"input_spatial_dimensions", &input.spatial, nullptr},
         {"kernel_input_feature_dimension", nullptr, &kernel.first},
         {"kernel_output_feature_dimension", nullptr, &kernel.second},
         {"kernel_spatial_dimensions", &kernel.spatial, nullptr},
         {"output_batch_dimension", nullptr, &output.first},
         {"output_feature_dimension", nullptr, &output.second},
         {"output_spatial_dimensions", &output.spatial, nullptr}});
  }

  void printMembers(AsmPrinter &printer) const {
    halo::printDimensionMembers(
        printer, {{"input_batch_dimension", {}, input.first},
                  {"input_feature_dimension", {}, input.second},
                  {"input_spatial_dimensions", input.spatial},
                  {"kernel_input_feature_dimension", {}, kernel.first},
                  {"kernel_output_feature_dimension", {}, kernel.second},
                  {"kernel_spatial_dimensions", kernel.spatial},
                  {"output_batch_dimension", {}, output.first},
                  {"output_feature_dimension", {}, output.second},
                  {"output_spatial_dimensions", output.spatial}});
  }

  TensorRoles input;
  TensorRoles kernel;
  TensorRoles output;
};

} // namespace

//===----------------------------------------------------------------------===//
// In ops and as an attribute
//===----------------------------------------------------------------------===//

ParseResult halo::parseConvDimensions(AsmParser &parser,
                                      ConvDimensionNumbersAttr &dims) {
  ConvRoles roles;
  if (succeeded(parser.parseOptionalKeyword("raw"))) {
    if (parser.parseLess() || roles.parseMembers(parser) ||
        parser.parseGreater())
      return failure();
  } else if (roles.parseLists(parser)) {
    return failure();
  }
  dims = roles.build(parser.getContext());
  return success();
}

void halo::printConvDimensions(AsmPrinter &printer,
                               ConvDimensionNumbersAttr dims) {
  ConvRoles roles(dims);
  if (roles.printLists(printer))
    return;
  printer << "raw<";
  roles.printMembers(printer);
  printer << '>';
}

Attribute ConvDimensionNumbersAttr::parse(AsmParser &parser, Type) {
  ConvRoles roles;
  if (parser.parseLess())
    return {};
  bool raw = succeeded(parser.parseOptionalKeyword("raw"));
  if ((raw ? roles.parseMembers(parser) : roles.parseLists(parser)) ||
      parser.parseGreater())
    return {};
  return roles.build(parser.getContext());
}

void ConvDimensionNumbersAttr::print(AsmPrinter &printer) const {
  ConvRoles roles(*this);
  printer << '<';
  if (!roles.printLists(printer)) {
    printer << "raw ";
    roles.printMembers(printer);
  }
  printer << '>';
}
