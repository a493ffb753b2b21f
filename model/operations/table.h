// The table of operations. It has for each the function that executes it on lanes, by operation, result type and type of the first
// argument.
//
// There is one row per operation and type. Rows are made in ops_*.cpp from pure functions on scalars (model/scalar). The same files are
// compiled for each instruction set, and the host's best one is chosen once, when a program is decoded.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "model/ir/program.h"

namespace lanewise {

struct OpKey {
  ir::Code op = 0;
  Scalar result = Scalar::kNone;
  Scalar argument = Scalar::kNone;
  ir::Space space{};  // of a load, a store and an atomic
  spv::Op across{};   // of a subgroup operation: SPIR-V's own
  bool operator==(const OpKey&) const = default;
};

// Of an operation of a function. The accesses are the function's, or those of the program that it became.
OpKey keyOf(const ir::Function& f, ir::Value v, std::span<const ir::Access> accesses, std::span<const ir::ImageAccess> images);

struct OpRow {
  Handler quiet = nullptr;
  Handler observed = nullptr;
  Handler branching = nullptr;  // of a comparison: with the branch behind it
};

class OpTable {
 public:
  void add(OpKey key, OpRow row) { rows_[key] = row; }
  void add(OpKey key, Handler handler) { rows_[key] = {handler, handler}; }
  // nullptr where there is no such operation.
  const OpRow* find(OpKey key) const {
    const auto it = rows_.find(key);
    return it == rows_.end() ? nullptr : &it->second;
  }
  std::size_t size() const { return rows_.size(); }
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (const auto& [key, row] : rows_) visit(key);
  }

 private:
  struct Hash {
    std::size_t operator()(const OpKey& k) const {
      const auto bits = [](auto part, int at) { return static_cast<std::size_t>(part) << at; };
      return bits(k.op, 40) ^ bits(k.across, 24) ^ bits(k.space, 16) ^ bits(k.result, 8) ^ bits(k.argument, 0);
    }
  };
  std::unordered_map<OpKey, OpRow, Hash> rows_;
};

}  // namespace lanewise
