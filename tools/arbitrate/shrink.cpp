#include "tools/arbitrate/shrink.h"

#include <fmt/format.h>

#include <algorithm>

#include "golden/image/inputs.h"

namespace lanewise {
namespace {

constexpr std::size_t kMostComponents = 64;  // of an input that is turned into a list

// Of all runs. The first case was one of many in its sweep, so some of its size are bearable.
constexpr std::uint64_t kMostTexels = std::uint64_t{1} << 20, kMostOfFirst = 2;
constexpr std::uint64_t kLarge = std::uint64_t{1} << 16;  // texels of a case that is first made smaller, whatever its numbers and input
constexpr std::uint32_t kPrecision = 16;                  // a large case's side is bisected to this part of it
constexpr std::uint32_t kMostTroubles = 8;                // runs that end in device trouble: each may last its whole time limit
constexpr std::uint32_t kMostSteps = 4096;                // values that are passed over because the kernel has no case with them

// Smaller numbers to try, those that would help most first.
std::vector<std::uint32_t> smaller(std::uint32_t value, std::uint32_t lowest) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t v :
       {lowest, lowest + 1, lowest + 2, lowest + 3, value / 2, value - value / 4, value - std::min(value, 2u), value - std::min(value, 1u)})
    if (v >= lowest && v < value && std::find(out.begin(), out.end(), v) == out.end()) out.push_back(v);
  return out;
}

bool isList(const Case& c) {
  const Expected<golden::InputSpec> input = golden::parseInput(c.input);
  return input && input->kind == golden::InputSpec::Kind::kList;
}

// The components of a small generated input of 8 bits; empty for other inputs.
std::vector<double> componentsOf(const Case& c) {
  if (!c.picture().empty() || inputShape(c).component != golden::Component::kU8) return {};
  const Expected<golden::Image> image = inputOf(c);
  if (!image || image->bytes.size() > kMostComponents) return {};
  std::vector<double> values;
  for (const std::byte b : image->bytes) values.push_back(std::to_integer<std::uint32_t>(b));
  return values;
}

std::string listName(const std::vector<double>& values) {
  return golden::inputName({.kind = golden::InputSpec::Kind::kList, .values = values});
}

class Shrinker {
 public:
  Shrinker(const Case& failing, const Side& side, const Inputs& inputs, const ShrinkOptions& options)
      : side_(side), inputs_(inputs), options_(options), texels_(std::max(kMostTexels, kMostOfFirst * texelsOf(failing))) {
    best_.what = failing;
    kind_ = failureKind(runCase(failing, side, inputs, options.module));
  }

  Shrunk run() {
    if (!kind_) return best_;
    const bool picture = !best_.what.picture().empty();
    if (!picture) fewestTexels();
    for (bool better = true; better && !over();) {
      better = numbers() || inputKind();
      if (!picture) better = sizes() || better;
    }
    if (!picture) texels();
    best_.finished = !over() && !isCut_;
    return best_;
  }

 private:
  static std::uint64_t texelsOf(const Case& c) { return std::uint64_t{c.size.width} * c.size.height; }

  bool over() const { return best_.tried >= options_.most || troubles_ >= kMostTroubles || (options_.stop != nullptr && *options_.stop); }

  // If this smaller case fails too, it is the best so far.
  bool attempt(const Case& c) {
    if (over() || outsideDomain(c)) return false;
    if (texelsOf(c) > texels_) {
      isCut_ = true;
      return false;
    }
    ++best_.tried;
    texels_ -= texelsOf(c);
    const SideResult result = runCase(c, side_, inputs_, options_.module);
    if (result.error && result.error->outcome == Outcome::kDeviceTrouble) ++troubles_;
    // A case that the oracle does not accept is not a failure of the kernel.
    if (failureKind(result) != kind_ || (result.error && result.error->outcome == Outcome::kBadInput)) return false;
    best_.what = c;
    return true;
  }

  // The least value from `v` on that is less than the present one and with which the kernel has a case, as where a width has to be a
  // multiple of 16; the present one if there is none. `set` puts a value into a case.
  template <class Set>
  std::uint32_t nextIn(std::uint32_t v, std::uint32_t present, const Set& set) const {
    Case c = best_.what;
    c.input = kPlainInput;
    for (std::uint32_t at = v; at < present && at - v < kMostSteps; ++at) {
      set(c, at);
      if (c.size.height != 0 && !outsideDomain(c)) return at;
    }
    return present;
  }

  static constexpr std::size_t kWidth = 0, kHeight = 1, kBoth = 2;

  // Both at once keep the proportion of the present case; height 0: no height does.
  void setSide(Case& c, std::size_t side, std::uint32_t v) const {
    const Size now = best_.what.size;
    if (side != kHeight) c.size.width = v;
    if (side == kHeight) c.size.height = v;
    if (side != kBoth) return;
    const std::uint64_t scaled = std::uint64_t{v} * now.height;
    c.size.height = scaled % now.width == 0 ? static_cast<std::uint32_t>(scaled / now.width) : 0;
  }
  std::uint32_t length(std::size_t side) const { return side == kHeight ? best_.what.size.height : best_.what.size.width; }
  std::uint32_t nextLength(std::size_t side, std::uint32_t v) const {
    return nextIn(v, length(side), [&](Case& c, std::uint32_t at) { setSide(c, side, at); });
  }
  // What can be made smaller: each side alone, or both at once where the kernel has sizes of this proportion alone, such as squares.
  std::vector<std::size_t> sides() const {
    if (nextLength(kWidth, 1) == length(kWidth) && nextLength(kHeight, 1) == length(kHeight)) return {kBoth};
    return {kWidth, kHeight};
  }

  // The middle of the lengths that are not known to pass: the next one from there on, or the last one before it; else the present one.
  std::uint32_t middle(std::size_t side) const {
    const std::uint32_t half = passed_[side] + (length(side) - passed_[side]) / 2, after = nextLength(side, half);
    if (after != length(side)) return after;
    std::uint32_t before = half;
    for (std::uint32_t v = passed_[side]; (v = nextLength(side, v + 1)) < half;) before = v;
    return before == half ? length(side) : before;
  }

  bool attemptSide(std::size_t side, std::uint32_t v) {
    Case c = best_.what;
    setSide(c, side, v);
    if (isList(c)) c.input = "noise:1";
    return attempt(c);
  }

  bool isLarge() const { return texelsOf(best_.what) > kLarge; }

  // A large case is run as seldom as can be: a short side first, then each side is bisected, the one first whose size is the less certain.
  void fewestTexels() {
    if (!isLarge()) return;
    const std::vector<std::size_t> all = sides();
    for (const std::size_t side : all)
      for (std::uint32_t v = 0, i = 0; i < 4 && isLarge(); ++i)
        if ((v = nextLength(side, v + 1)) == length(side) || attemptSide(side, v)) break;
    while (isLarge() && !over() && !isCut_) {
      const auto open = [&](std::size_t side) {
        const double size = length(side);
        return size - passed_[side] > 1 ? (size - passed_[side]) / size : 0;
      };
      const std::size_t side = *std::ranges::max_element(all, {}, open);
      if (open(side) * kPrecision < 1) break;
      const std::uint32_t v = middle(side);
      if (v == length(side))
        passed_[side] = v - 1;
      else if (!attemptSide(side, v))
        passed_[side] = v;
    }
  }

  bool sizes() {
    bool better = false;
    for (const std::size_t side : sides())
      for (bool again = true; again;) {
        again = false;
        std::uint32_t before = 0;
        for (const std::uint32_t from : smaller(length(side), 1)) {
          const std::uint32_t v = nextLength(side, from);
          if (v == length(side) || v == std::exchange(before, v) || (isLarge() && v <= passed_[side]) || !attemptSide(side, v)) continue;
          better = again = true;
          break;
        }
      }
    return better;
  }

  bool numbers() {
    bool better = false;
    for (std::size_t p = 0; p < best_.what.values.size(); ++p)
      for (const std::uint32_t from : smaller(best_.what.values[p], best_.what.kernel->parameters[p].lowest)) {
        Case c = best_.what;
        c.values[p] = nextIn(from, best_.what.values[p], [p](Case& other, std::uint32_t v) { other.values[p] = v; });
        if (c.values[p] != best_.what.values[p] && attempt(c)) {
          better = true;
          break;
        }
      }
    if (best_.what.subgroupSize != 0) {
      Case c = best_.what;
      c.subgroupSize = 0;
      better |= attempt(c);
    }
    return better;
  }

  // Inputs, the simplest first; only those simpler than the present one.
  bool inputKind() {
    for (const char* input : {"constant:0", "constant:1", "constant:255", "impulse:0,0", "ramp", "noise:1"}) {
      if (best_.what.input == input || isList(best_.what)) return false;
      Case c = best_.what;
      c.input = input;
      if (attempt(c)) return true;
    }
    return false;
  }

  // Turns the input into a list. Then sets as many components as possible to 0, and as many of the others as possible to 255.
  void texels() {
    std::vector<double> values = componentsOf(best_.what);
    if (values.empty()) return;
    for (const double plain : {0.0, 255.0})
      for (double& value : values) {
        if (value == 0 || value == plain || (plain != 0 && value == 1)) continue;
        const double before = std::exchange(value, plain);
        Case c = best_.what;
        c.input = listName(values);
        if (!attempt(c)) value = before;
      }
    // Prefers one value per texel, if that fails as well.
    std::vector<double> first;
    for (std::size_t i = 0; i < values.size(); i += 4) first.push_back(values[i]);
    Case c = best_.what;
    c.input = listName(first);
    if (isList(best_.what)) attempt(c);
  }

  const Side& side_;
  const Inputs& inputs_;
  const ShrinkOptions& options_;
  std::uint64_t texels_;          // that may still run
  bool isCut_ = false;            // a case was left out because it has more
  std::uint32_t passed_[3] = {};  // of a large case: the greatest length of each side that did not fail
  std::uint32_t troubles_ = 0;
  std::optional<FailureKind> kind_;
  Shrunk best_;
};

}  // namespace

SideResult runCase(const Case& c, const Side& side, const Inputs& inputs, const std::shared_ptr<const ShaderModule>& module) {
  SweepOptions options;
  options.module = module;
  options.evidenceCases = 0;
  SweepPlan plan;
  plan.cases = {c};
  plan.identity.cases = 1;
  SweepResult result = runSweep(std::move(plan), {&side, 1}, inputs, options);
  return std::move(result.cases[0].sides[0]);
}

Shrunk shrink(const Case& failing, const Side& side, const Inputs& inputs, const ShrinkOptions& options) {
  return Shrinker(failing, side, inputs, options).run();
}

}  // namespace lanewise
