// Modules that are changed and stay valid: what a compiler might have written instead. The quiet engine and the observed one have to agree
// on each.
#include <cstring>
#include <map>
#include <spirv-tools/libspirv.hpp>

#include <spirv/unified1/spirv.hpp11>

#include "tests/fuzz/helpers.h"
#include "tests/fuzz/run_words.h"

namespace lanewise::fuzz {
namespace {

using Words = std::vector<std::uint32_t>;

// The last bytes of an input: three for each change, its kind, and which instruction.
constexpr std::size_t kChanges = 8;

// Result = operation on operands that all are ids.
bool isPure(spv::Op op) {
  const auto n = static_cast<std::uint32_t>(op);
  return (n >= 126 && n <= 152) || (n >= 154 && n <= 191) || (n >= 194 && n <= 205);  // arithmetic, comparisons, bits
}

class Changer {
 public:
  // Nothing can be changed in words that are no list of instructions.
  explicit Changer(const Words& words) : header_(words.begin(), words.begin() + std::min<std::ptrdiff_t>(5, std::ssize(words))) {
    for (std::size_t at = 5; at < words.size();) {
      const std::size_t count = words[at] >> 16;
      if (count == 0 || at + count > words.size()) {
        code_.clear();
        return;
      }
      code_.emplace_back(words.begin() + static_cast<std::ptrdiff_t>(at), words.begin() + static_cast<std::ptrdiff_t>(at + count));
      at += count;
    }
  }

  void change(std::uint32_t kind, std::uint32_t which) {
    std::vector<std::size_t> pure, constants;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      if (isPure(opOf(i)) && code_[i].size() > 3) pure.push_back(i);
      if (opOf(i) == spv::Op::OpConstant && code_[i].size() > 3) constants.push_back(i);
    }
    if (kind % 4 == 0) {
      if (!constants.empty()) code_[constants[which % constants.size()]][3] ^= 1u << (which / 7 % 32);
      return;
    }
    if (pure.empty()) return;
    const std::size_t at = pure[which % pure.size()];
    if (kind % 4 == 1) otherOperand(at, which / 3);
    if (kind % 4 == 2) duplicate(at);
    if (kind % 4 == 3) drop(at, which / 3);
  }

  Words words() const {
    Words out = header_;
    for (const Words& one : code_) out.insert(out.end(), one.begin(), one.end());
    return out;
  }

 private:
  spv::Op opOf(std::size_t i) const { return static_cast<spv::Op>(code_[i][0] & 0xffff); }

  // Earlier results with the type of this id; the validator knows which of them reach.
  std::vector<std::uint32_t> alike(std::uint32_t id, std::size_t before) const {
    std::map<std::uint32_t, std::uint32_t> types;
    for (std::size_t i = 0; i < before; ++i)
      if (isPure(opOf(i)) || opOf(i) == spv::Op::OpConstant || opOf(i) == spv::Op::OpLoad)
        if (code_[i].size() > 2) types[code_[i][2]] = code_[i][1];
    std::vector<std::uint32_t> out;
    const auto own = types.find(id);
    for (const auto& [other, type] : types)
      if (own != types.end() && type == own->second && other != id) out.push_back(other);
    return out;
  }

  void otherOperand(std::size_t at, std::uint32_t which) {
    std::uint32_t& operand = code_[at][3 + which % (code_[at].size() - 3)];
    if (const std::vector<std::uint32_t> others = alike(operand, at); !others.empty()) operand = others[which % others.size()];
  }

  void duplicate(std::size_t at) {
    if (header_.size() < 5) return;
    Words copy = code_[at];
    copy[2] = header_[3]++;
    code_.insert(code_.begin() + static_cast<std::ptrdiff_t>(at) + 1, std::move(copy));
  }

  // Whoever used its result uses another one.
  void drop(std::size_t at, std::uint32_t which) {
    const std::uint32_t id = code_[at][2];
    const std::vector<std::uint32_t> others = alike(id, at + 1);
    if (others.empty()) return;
    const std::uint32_t other = others[which % others.size()];
    code_.erase(code_.begin() + static_cast<std::ptrdiff_t>(at));
    for (std::size_t i = 0; i < code_.size(); ++i) {
      const bool stores = opOf(i) == spv::Op::OpStore;
      if (!isPure(opOf(i)) && !stores) continue;
      for (std::size_t w = stores ? 1 : 3; w < code_[i].size(); ++w)
        if (code_[i][w] == id) code_[i][w] = other;
    }
  }

  Words header_;
  std::vector<Words> code_;
};

}  // namespace

void changed(Bytes bytes) {
  if (bytes.size() < 3 * kChanges + 20) return;
  const Bytes list = bytes.last(3 * kChanges);
  Words words((bytes.size() - list.size()) / sizeof(std::uint32_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(std::uint32_t));
  const spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  if (!tools.Validate(words)) return;
  Changer changer(words);
  const auto byte = [&](std::size_t i) { return std::to_integer<std::uint32_t>(list[i]); };
  for (std::size_t i = 0; i < kChanges; ++i) {
    Changer tried = changer;
    tried.change(byte(3 * i), byte(3 * i + 1) << 8 | byte(3 * i + 2));
    if (tools.Validate(tried.words())) changer = std::move(tried);
  }
  runBothWays(changer.words());
}

}  // namespace lanewise::fuzz
