#include "tools/catalogue/sets.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "golden/image/random.h"

namespace lanewise {
namespace {

constexpr std::uint32_t kFullSide = 72;  // every size up to this a side
constexpr std::uint32_t kNumbers = 63;   // every number up to this

constexpr std::uint32_t kFullLength = 1040;  // of lines: past a workgroup of the greatest size that every device has

std::vector<Size> wholeSizes(const Kernel& kernel) {
  std::vector<Size> sizes;
  if (kernel.line) {
    for (std::uint32_t w = 1; w <= kFullLength; ++w) sizes.push_back({w, 1});
    return sizes;
  }
  for (std::uint32_t h = 1; h <= kFullSide; ++h)
    for (std::uint32_t w = 1; w <= kFullSide; ++w) sizes.push_back({w, h});
  return sizes;
}

// One past and one short of tiles, lines of every length, pictures people have.
std::vector<Size> largeSizes() {
  return {{1024, 1024}, {1023, 1025}, {1920, 1080}, {4096, 1}, {1, 4096}, {4095, 3}, {3, 4097}, {257, 511}};
}

// For a kernel of lines: lines of as many texels.
std::vector<Size> sizesFor(const Kernel& kernel, std::vector<Size> sizes) {
  if (!kernel.line) return sizes;
  std::set<Size> lines;
  for (const Size size : sizes)
    if (const std::uint64_t texels = std::uint64_t{size.width} * size.height; texels <= 65535)
      lines.insert({static_cast<std::uint32_t>(texels), 1});
  return {lines.begin(), lines.end()};
}

// A block's axes by number: 0 the size, 1 ... the parameters, then the input and the subgroup size.
class Walk {
 public:
  Walk(const Kernel& kernel, CaseBlock block, const std::function<void(const Case&)>& visit) : block_(std::move(block)), visit_(visit) {
    lengths_.push_back(block_.sizes.size());
    for (const auto& values : block_.values) lengths_.push_back(values.size());
    lengths_.push_back(block_.inputs.size());
    lengths_.push_back(block_.subgroupSizes.size());
    case_.kernel = &kernel;
    case_.values.resize(block_.values.size());
  }

  std::size_t axes() const { return lengths_.size(); }

  // The product of the axes in `crossed`, the last fastest. The others advance in turn.
  void cross(const std::vector<std::size_t>& crossed) {
    std::uint64_t total = 1;
    for (const std::size_t axis : crossed) total *= lengths_[axis];
    std::vector<std::size_t> at(lengths_.size());
    for (std::uint64_t i = 0; i < total; ++i) {
      for (std::size_t axis = 0; axis < at.size(); ++axis) at[axis] = dealt(i, axis);
      std::uint64_t rest = i;
      for (auto axis = crossed.rbegin(); axis != crossed.rend(); ++axis) {
        at[*axis] = rest % lengths_[*axis];
        rest /= lengths_[*axis];
      }
      give(at);
    }
  }

  void pairs() {
    for (const auto& row : pairwiseRows(lengths_)) give(row);
  }

 private:
  std::size_t dealt(std::uint64_t i, std::size_t axis) const {
    return lengths_[axis] == 1 ? 0 : static_cast<std::size_t>(golden::splitMix64(axis, i) % lengths_[axis]);
  }

  void give(const std::vector<std::size_t>& at) {
    case_.size = block_.sizes[at[0]];
    for (std::size_t p = 0; p < case_.values.size(); ++p) case_.values[p] = block_.values[p][at[p + 1]];
    case_.input = block_.inputs[at[at.size() - 2]];
    case_.subgroupSize = block_.subgroupSizes[at.back()];
    if (inside()) visit_(case_);
  }

  // Cached, because each check makes a picture.
  bool inside() {
    const Kernel& k = *case_.kernel;
    // What is wrong in a formula is told when the case runs.
    if (k.has) return std::max(case_.size.width, case_.size.height) <= k.largestSide && k.has(case_);
    const auto [known, fresh] = inside_.try_emplace({case_.size, case_.input, case_.value(kFormatParameter)}, true);
    if (fresh) known->second = !case_.picture().empty() || !outsideDomain(case_);
    return known->second;
  }

  const CaseBlock block_;
  const std::function<void(const Case&)>& visit_;
  std::vector<std::size_t> lengths_;
  std::map<std::tuple<Size, std::string, std::uint32_t>, bool> inside_;
  Case case_;
};

bool isNumber(const Parameter& parameter) {
  return parameter.choices.empty() && parameter.highest > parameter.lowest;
}

// All values of a parameter: the names of a choice, the numbers up to kNumbers.
std::vector<std::uint32_t> allValues(const Parameter& p) {
  const std::uint32_t last = p.choices.empty() ? std::min(p.highest, std::max(p.lowest, kNumbers)) : p.highest;
  std::vector<std::uint32_t> values;
  for (std::uint32_t v = p.lowest; v <= last; ++v) values.push_back(v);
  return values;
}

// Block 0 with every choice, the set's sizes, and the user's values.
Expected<CaseBlock> axesFor(const Kernel& kernel, const Overrides& overrides, std::vector<Size> sizes,
                            const std::vector<std::size_t>& whole) {
  CaseBlock block = kernel.quick[0];
  block.sizes = std::move(sizes);
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p)
    if (!kernel.parameters[p].choices.empty()) block.values[p] = allValues(kernel.parameters[p]);
  for (const std::size_t p : whole) block.values[p] = allValues(kernel.parameters[p]);
  if (Status bad = replaceAxes(kernel, overrides, block)) return *bad;
  return block;
}

// Checks that all of the user's values are in the domain.
Status checkNamed(const Kernel& kernel, const Overrides& overrides) {
  if (overrides.sizes.empty()) return {};
  const Expected<CaseBlock> named = axesFor(kernel, overrides, {}, {});
  if (!named) return named.error();
  Case c{&kernel, {}, {}, {}, 0};
  for (const auto& values : named->values) c.values.push_back(values[0]);
  for (const Size size : named->sizes)
    for (const std::string& input : overrides.inputs.empty() ? std::vector<std::string>{kPlainInput} : named->inputs) {
      c.size = size;
      c.input = input;
      if (!c.picture().empty()) continue;
      if (Status bad = outsideDomain(c)) return bad;
    }
  return {};
}

using Visit = std::function<void(const Case&)>;

// Each number's whole range on a size of each class.
Status numberSweeps(const Kernel& kernel, const Overrides& overrides, const Visit& visit) {
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    if (!isNumber(kernel.parameters[p])) continue;
    const Expected<CaseBlock> numbers = axesFor(kernel, overrides, sizesFor(kernel, classSizes()), {p});
    if (!numbers) return numbers.error();
    Walk(kernel, *numbers, visit).cross({0, p + 1});
  }
  return {};
}

Status fullSet(const Kernel& kernel, const Overrides& overrides, const Visit& visit) {
  const Expected<CaseBlock> sizes = axesFor(kernel, overrides, wholeSizes(kernel), {});
  if (!sizes) return sizes.error();
  Walk(kernel, *sizes, visit).cross({0});
  if (Status bad = numberSweeps(kernel, overrides, visit)) return bad;
  const Expected<CaseBlock> pairs = axesFor(kernel, overrides, sizesFor(kernel, classSizes()), {});
  if (!pairs) return pairs.error();
  Walk(kernel, *pairs, visit).pairs();
  return {};
}

Status exhaustiveSet(const Kernel& kernel, const Overrides& overrides, const Visit& visit) {
  std::vector<std::size_t> numbers, all, values;
  for (std::size_t p = 0; p < kernel.parameters.size(); ++p) {
    if (isNumber(kernel.parameters[p])) numbers.push_back(p);
    values.push_back(p + 1);
  }
  if (numbers.size() > 1) {  // their product is too large
    numbers.clear();
    if (Status bad = numberSweeps(kernel, overrides, visit)) return bad;
  }
  const Expected<CaseBlock> product = axesFor(kernel, overrides, wholeSizes(kernel), numbers);
  if (!product) return product.error();
  Walk walk(kernel, *product, visit);
  for (std::size_t axis = 0; axis < walk.axes(); ++axis) all.push_back(axis);
  walk.cross(all);
  if (!overrides.sizes.empty()) return {};
  std::vector<Size> sizes = sizesFor(kernel, largeSizes());
  sizes.insert(sizes.end(), kernel.largeSizes.begin(), kernel.largeSizes.end());
  const Expected<CaseBlock> large = axesFor(kernel, overrides, std::move(sizes), {});
  if (!large) return large.error();
  values.insert(values.begin(), 0);
  Walk(kernel, *large, visit).cross(values);
  return {};
}

}  // namespace

Expected<CaseSet> parseCaseSet(std::string_view text) {
  if (text == "quick") return CaseSet::kQuick;
  if (text == "full") return CaseSet::kFull;
  if (text == "exhaustive") return CaseSet::kExhaustive;
  return Error{Outcome::kBadInput, fmt::format("no such set: '{}'", text), "--set", "one of quick, full, exhaustive"};
}

std::vector<Size> classSizes() {
  std::vector<Size> sizes = {{1, 1}, {1, 40}, {40, 1}, {2, 3}, {15, 17}, {64, 63}, {65, 64}};
  for (std::uint32_t h = 32; h < 36; ++h)
    for (std::uint32_t w = 32; w < 36; ++w) sizes.push_back({w, h});
  return sizes;
}

Status forEachCase(const Kernel& kernel, CaseSet set, const Overrides& overrides, const std::function<void(const Case&)>& visit) {
  if (set == CaseSet::kExhaustive) {
    if (Status bad = checkNamed(kernel, overrides)) return bad;
    return exhaustiveSet(kernel, overrides, visit);
  }
  const Expected<std::vector<Case>> quick = casesOf(kernel, overrides);
  if (!quick) return quick.error();
  for (const Case& c : *quick) visit(c);
  if (set == CaseSet::kQuick) return {};
  if (Status bad = checkNamed(kernel, overrides)) return bad;
  std::set<std::string> seen;
  for (const Case& c : *quick) seen.insert(c.name());
  return fullSet(kernel, overrides, [&](const Case& c) {
    if (seen.insert(c.name()).second) visit(c);
  });
}

}  // namespace lanewise
