// Where a store's or a load's place is its workgroup's own: what each workgroup accesses there, no other one reaches.
//
// A place is a sum of products. If one term is an axis of WorkgroupId times a constant C, and all others together stay below C, then two
// workgroups that differ on that axis differ in the place. What is not known to be small is taken to be large.
#include <optional>

#include "model/program/passes.h"

namespace lanewise::ir {
namespace {

constexpr std::uint64_t kUnknown = std::uint64_t{1} << 32;

class PlaceFinder {
 public:
  PlaceFinder(const Function& f, const LaneShape& shape) : f_(f), shape_(shape) {}

  // `size`: bytes from the place on, or 1 for a coordinate.
  OwnPlace of(Value v, std::uint64_t size) {
    axis_ = 0;
    stride_ = 0;
    rest_ = size - 1;
    if (!addTerms(v, 1, 0) || axis_ == 0 || rest_ >= stride_) return {};
    return {axis_, static_cast<std::uint32_t>(stride_)};
  }

 private:
  static constexpr int kDeep = 16;

  bool isConstant(Value v) const { return f_.isConstant(v) && f_.bitsOf(v) < kUnknown; }

  // Adds v * scale. False where its terms are not known.
  bool addTerms(Value v, std::uint64_t scale, int depth) {
    if (scale == 0) return true;
    if (scale >= kUnknown || depth > kDeep) return false;
    const Node& n = f_.nodes[v];
    if (n.type != Scalar::kI32) return false;
    const std::span<const Value> a = f_.args(v);
    if (n.op == core(spv::Op::OpIAdd)) return addTerms(a[0], scale, depth + 1) && addTerms(a[1], scale, depth + 1);
    if (n.op == core(spv::Op::OpIMul) && isConstant(a[1])) return addTerms(a[0], scale * f_.bitsOf(a[1]), depth + 1);
    if (n.op == core(spv::Op::OpIMul) && isConstant(a[0])) return addTerms(a[1], scale * f_.bitsOf(a[0]), depth + 1);
    if (n.op == core(spv::Op::OpShiftLeftLogical) && isConstant(a[1]) && f_.bitsOf(a[1]) < 32)
      return addTerms(a[0], scale << f_.bitsOf(a[1]), depth + 1);
    if (n.op == kAddress && isConstant(a[1])) return addTerms(a[0], scale * f_.bitsOf(a[1]), depth + 1) && addTerms(a[2], scale, depth + 1);
    if (n.op == kInput && n.as<kind::Input>().row >= InputRow::kWorkgroupIdX && n.as<kind::Input>().row <= InputRow::kWorkgroupIdZ) {
      if (axis_ != 0) return false;
      axis_ = static_cast<std::uint8_t>(1 + static_cast<int>(n.as<kind::Input>().row) - static_cast<int>(InputRow::kWorkgroupIdX));
      stride_ = scale;
      return true;
    }
    const std::uint64_t most = mostOf(v, depth + 1);
    if (most >= kUnknown) return false;
    rest_ += most * scale;
    return rest_ < kUnknown;
  }

  // No value of `v` is larger; kUnknown where that is not known.
  std::uint64_t mostOf(Value v, int depth) const {
    if (isConstant(v)) return f_.bitsOf(v);
    if (depth > kDeep) return kUnknown;
    const Node& n = f_.nodes[v];
    if (n.type != Scalar::kI32) return kUnknown;
    const std::span<const Value> a = f_.args(v);
    const auto most = [&](std::size_t i) { return mostOf(a[i], depth + 1); };
    const auto bounded = [](std::uint64_t x) { return std::min(x, kUnknown); };
    if (n.op == core(spv::Op::OpIAdd)) return bounded(most(0) + most(1));
    if (n.op == core(spv::Op::OpIMul)) return most(0) == kUnknown || most(1) == kUnknown ? kUnknown : bounded(most(0) * most(1));
    if (n.op == core(spv::Op::OpBitwiseAnd)) return std::min(most(0), most(1));
    if (n.op == core(spv::Op::OpUMod) && isConstant(a[1]) && f_.bitsOf(a[1]) != 0) return std::min(most(0), f_.bitsOf(a[1]) - 1);
    if (n.op == core(spv::Op::OpUDiv) && isConstant(a[1]) && f_.bitsOf(a[1]) != 0)
      return most(0) == kUnknown ? kUnknown : most(0) / f_.bitsOf(a[1]);
    if (n.op == core(spv::Op::OpShiftRightLogical) && isConstant(a[1]) && f_.bitsOf(a[1]) < 32)
      return most(0) == kUnknown ? kUnknown : most(0) >> f_.bitsOf(a[1]);
    if (n.op != kInput) return kUnknown;
    switch (n.as<kind::Input>().row) {
      case InputRow::kLocalIdX:
      case InputRow::kLocalIdY:
      case InputRow::kLocalIdZ:
        return shape_.localSize[static_cast<int>(n.as<kind::Input>().row) - static_cast<int>(InputRow::kLocalIdX)] - 1;
      case InputRow::kLocalIndex:
        return std::uint64_t{shape_.localSize[0]} * shape_.localSize[1] * shape_.localSize[2] - 1;
      case InputRow::kSubgroupLane:
        return shape_.subgroupSize - 1;
      default:
        return kUnknown;
    }
  }

  const Function& f_;
  const LaneShape& shape_;
  std::uint8_t axis_ = 0;  // of the term with WorkgroupId
  std::uint64_t stride_ = 0, rest_ = 0;
};

}  // namespace

OwnPlaces ownPlaces(const Function& f, const LaneShape& shape) {
  OwnPlaces out{std::vector<OwnPlace>(f.accesses.size()), std::vector<std::array<OwnPlace, 2>>(f.imageAccesses.size())};
  std::vector<bool> seen[2] = {std::vector<bool>(f.accesses.size()), std::vector<bool>(f.imageAccesses.size())};
  PlaceFinder places(f, shape);
  std::vector<bool> stored(f.resources.size());  // a load matters where something is stored too
  const auto isBuffer = [&](const Node& n) { return f.accesses[n.as<kind::Memory>().access].space == Space::kBuffer; };
  for (const Block& block : f.blocks)
    for (const Value v : block.nodes)
      if (const Node& n = f.nodes[v]; n.op == kStore && isBuffer(n)) stored[f.accesses[n.as<kind::Memory>().access].resource] = true;
  // Several stores may have one entry: then their places must be the same.
  const auto put = [](OwnPlace& place, OwnPlace found, bool again) { place = !again || place == found ? found : OwnPlace{}; };
  for (const Block& block : f.blocks)
    for (const Value v : block.nodes) {
      const Node& n = f.nodes[v];
      if (n.op == kStore || (n.op == kLoad && isBuffer(n) && stored[f.accesses[n.as<kind::Memory>().access].resource])) {
        const std::uint32_t index = n.as<kind::Memory>().access;
        const Access& access = f.accesses[index];
        put(out.words[index], places.of(f.args(v)[0], std::uint64_t{scalarBytes(access.type)} + access.offset), seen[0][index]);
        seen[0][index] = true;
      } else if (n.op == kImageWrite) {
        const std::uint32_t index = n.as<kind::Image>().access;
        for (std::uint32_t c = 0; c < std::min<std::uint32_t>(2, f.imageAccesses[index].coordinates); ++c)
          put(out.texels[index][c], places.of(f.args(v)[1 + c], 1), seen[1][index]);
        seen[1][index] = true;
      }
    }
  return out;
}

}  // namespace lanewise::ir
