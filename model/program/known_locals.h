// What the scalars of local variables are known to hold while a program is lowered (lowering.h), so that most loads need no operation.
//
// A value is known in the block that stores it, and in blocks that it dominates, until something else is stored. Without optimisation,
// compilers pass every argument through a variable that is stored once and loaded once, close by: three of four operations of such a
// module.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/ir/ir.h"

namespace lanewise {

class KnownLocals {
 public:
  // The next local, of so many scalars.
  void add(std::size_t scalars) {
    const bool tracked = scalars <= kMostScalars;
    locals_.push_back({static_cast<std::uint32_t>(scalars_.size()), tracked ? static_cast<std::uint32_t>(scalars) : 0, {}, 0, false});
    if (tracked) scalars_.resize(scalars_.size() + scalars);
  }
  // A block that another one dominates: all on the ways between were lowered before.
  void follow(std::uint32_t block, std::uint32_t before) {
    if (before_.size() <= block) before_.resize(block + 1, kNone);
    before_[block] = before;
  }

  void store(std::uint32_t block, std::uint32_t local, std::uint64_t scalar, ir::Value value) {
    Local& l = locals_[local];
    if (scalar < l.count) scalars_[l.first + scalar] = {block, ++now_, value};
  }
  // Nobody has written its scalars.
  void fill(std::uint32_t block, std::uint32_t local) { locals_[local].filled = {block, ++now_, ir::kNoValue}; }
  // At an index that only a lane knows.
  void storeSomewhere(std::uint32_t local) { locals_[local].lost = ++now_; }
  void loadedSomewhere(std::uint32_t local) { locals_[local].loaded = true; }

  // kNoValue: nobody has written it. Nothing: not known.
  std::optional<ir::Value> load(std::uint32_t block, std::uint32_t local, std::uint64_t scalar) const {
    const Local& l = locals_[local];
    if (scalar >= l.count) return {};
    const Known& stored = scalars_[l.first + scalar];
    const Known& last = stored.at > l.filled.at ? stored : l.filled;
    if (last.at <= l.lost || !leadsTo(last.block, block)) return {};
    return last.value;
  }
  // Whether an operation loads from it.
  bool isLoaded(std::uint32_t local) const { return locals_[local].loaded; }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  static constexpr std::size_t kMostScalars = 256;  // of a local: others are not known
  static constexpr int kMostBlocks = 16;            // between a store and a load

  struct Known {
    std::uint32_t block = 0, at = 0;  // `at`: when, of all that is stored; 0: never
    ir::Value value = ir::kNoValue;
  };
  struct Local {
    std::uint32_t first = 0, count = 0;
    Known filled;
    std::uint32_t lost = 0;  // what was known before is not known any more
    bool loaded = false;
  };

  bool leadsTo(std::uint32_t from, std::uint32_t block) const {
    for (int i = 0; i < kMostBlocks && block != kNone; ++i) {
      if (block == from) return true;
      block = block < before_.size() ? before_[block] : kNone;
    }
    return false;
  }

  std::vector<Local> locals_{Local{}};  // as Function::locals: the first is none
  std::vector<Known> scalars_;
  std::vector<std::uint32_t> before_;  // by block
  std::uint32_t now_ = 0;
};

}  // namespace lanewise
