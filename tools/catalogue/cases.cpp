// Sets of cases: a kernel's blocks expanded, with the command line's values instead of an axis's own.
#include <fmt/format.h>

#include <bit>
#include <map>
#include <set>
#include <tuple>

#include "golden/image/inputs.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {

Status replaceAxes(const Kernel& kernel, const Overrides& overrides, CaseBlock& block) {
  if (!overrides.sizes.empty()) block.sizes = overrides.sizes;
  if (!overrides.subgroupSizes.empty()) block.subgroupSizes = overrides.subgroupSizes;
  if (!overrides.inputs.empty()) {
    block.inputs = overrides.inputs;
    block.everyInput = true;
  }
  for (const auto& [name, texts, option] : overrides.values)
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      if (kernel.parameters[i].name != name) continue;
      block.values[i].clear();
      for (const std::string& text : texts) {
        const Expected<std::uint32_t> value = kernel.parameters[i].parse(text);
        if (!value) return Error{value.error().outcome, fmt::format("{}: {}", kernel.name, value.error().what), option, value.error().hint};
        block.values[i].push_back(*value);
      }
    }
  return {};
}

// Errors that prevent a run: a size beyond the kernel's domain, or an input that does not fit the size.
Status outsideDomain(const Case& c) {
  const Kernel& kernel = *c.kernel;
  const Size size = c.size;
  const std::string& name = c.input;
  if (size.width > kernel.largestSide || size.height > kernel.largestSide)
    return Error{Outcome::kBadInput, fmt::format("{} takes pictures of up to {} texels a side", kernel.name, kernel.largestSide),
                 sizeText(size), ""};
  if (kernel.line && size.height != 1)
    return Error{Outcome::kBadInput, fmt::format("{} has one dimension", kernel.name), sizeText(size), "the height is 1: 33x1"};
  if (kernel.fits)
    if (Status unfit = kernel.fits(c)) return unfit;
  if (!c.picture().empty()) return {};
  const Expected<golden::InputSpec> input = golden::parseInput(name);
  if (!input) return input.error();
  const auto kind = input->kind;
  if (kind != golden::InputSpec::Kind::kImpulse && kind != golden::InputSpec::Kind::kList && kind != golden::InputSpec::Kind::kConstant)
    return {};
  Case asked = c;
  if (kind == golden::InputSpec::Kind::kConstant) asked.size = {1, 1};  // only its values matter
  const Expected<golden::Image> made = inputOf(asked);
  return made ? Status{} : Status{made.error()};
}

namespace {

// Every combination of one value per axis, the last axis fastest.
std::vector<std::vector<std::uint32_t>> product(const std::vector<std::vector<std::uint32_t>>& axes) {
  std::vector<std::vector<std::uint32_t>> points = {{}};
  for (const auto& axis : axes) {
    std::vector<std::vector<std::uint32_t>> longer;
    for (const auto& point : points)
      for (const std::uint32_t value : axis) {
        longer.push_back(point);
        longer.back().push_back(value);
      }
    points = std::move(longer);
  }
  return points;
}

// The input at position i of a block without everyInput advances by the sum of all positions, so that every pair (value, input) occurs.
std::size_t turn(const CaseBlock& block, std::size_t size, const std::vector<std::uint32_t>& point) {
  std::size_t sum = size;
  for (std::size_t i = 0; i < point.size(); ++i)
    sum += static_cast<std::size_t>(std::find(block.values[i].begin(), block.values[i].end(), point[i]) - block.values[i].begin());
  return sum % block.inputs.size();
}

bool isSlow(const Case& c) {
  return c.kernel->slowToCompile && !c.kernel->broken() && (std::has_single_bit(c.size.width) || std::has_single_bit(c.size.height));
}

// `whole`: for the unchanged quick set, in which some cases are slow.
void spread(const Kernel& kernel, const CaseBlock& block, bool whole, std::vector<Case>& out) {
  const auto points = product(block.values);
  for (std::size_t s = 0; s < block.sizes.size(); ++s)
    for (const auto& point : points) {
      const std::size_t first = block.everyInput ? 0 : turn(block, s, point);
      const std::size_t last = block.everyInput ? block.inputs.size() : first + 1;
      for (std::size_t i = first; i < last; ++i)
        for (const std::uint32_t subgroup : block.subgroupSizes) {
          Case c{&kernel, block.sizes[s], point, block.inputs[i], subgroup};
          c.quick = whole;
          c.slow = whole && subgroup == 0 && (block.forTheModel || isSlow(c));
          out.push_back(std::move(c));
        }
    }
}

}  // namespace

Expected<std::vector<Case>> casesOf(const Kernel& kernel, const Overrides& overrides) {
  const bool whole = !overrides.narrows() && overrides.subgroupSizes.empty();
  std::vector<Case> all;
  for (std::size_t b = 0; b < kernel.quick.size() && (b == 0 || !overrides.narrows()); ++b) {
    CaseBlock block = kernel.quick[b];
    if (Status bad = replaceAxes(kernel, overrides, block)) return *bad;
    spread(kernel, block, whole, all);
  }
  // The set's own inputs were chosen for its own sizes.
  const bool fits = overrides.sizes.empty() || !overrides.inputs.empty();
  std::map<std::pair<Size, std::string>, bool> fitting;
  for (Case& c : all) {
    if (fits) break;
    const auto [known, fresh] = fitting.try_emplace({c.size, c.input}, true);
    if (fresh) known->second = !outsideDomain(c);
    if (!known->second) c.input = kPlainInput;
  }
  if (kernel.has && !all.empty()) {
    const Case first = all[0];
    std::erase_if(all, [&](const Case& c) { return !kernel.has(c); });
    if (all.empty()) {
      Error none = *outsideDomain(first);
      if (overrides.sizes.empty())
        none.hint = "no case of its quick set is one: name sizes in `[size] quick` or --sizes, values in a parameter's `quick` or --with";
      return none;
    }
  }
  const auto isBefore = [](const Case* a, const Case* b) {
    return std::tie(a->size, a->input, a->values, a->subgroupSize) < std::tie(b->size, b->input, b->values, b->subgroupSize);
  };
  std::set<Case*, decltype(isBefore)> seen;
  std::vector<Case*> firsts;
  for (Case& c : all) {
    const auto [at, fresh] = seen.insert(&c);
    if (!fresh) (*at)->slow &= c.slow;
    if (fresh) firsts.push_back(&c);
  }
  std::vector<Case> cases;
  cases.reserve(firsts.size());
  for (Case* c : firsts) cases.push_back(std::move(*c));
  std::set<std::pair<Size, std::string>> pictures;
  for (const Case& c : cases)
    if (c.picture().empty() && (pictures.insert({c.size, c.input}).second || kernel.fits))
      if (Status bad = outsideDomain(c)) return *bad;
  return cases;
}

std::vector<std::pair<std::string, Case>> quickGoldenKeys() {
  std::map<std::string, Case> keys;
  for (const Kernel& kernel : kernels()) {
    if (!kernel.exact()) continue;
    const Expected<std::vector<Case>> cases = casesOf(kernel);
    if (!cases) continue;
    for (const Case& c : *cases) keys.emplace(c.goldenKey(), c);
  }
  return {keys.begin(), keys.end()};
}

}  // namespace lanewise
