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
  friend bool operator==(const OpKey&, const OpKey&) = default;
};

struct OpRow {
  Handler quiet = nullptr;
  Handler observed = nullptr;
};

class OpTable {
 public:
  void add(OpKey key, OpRow row) { rows_[pack(key)] = row; }
  void add(OpKey key, Handler handler) { rows_[pack(key)] = {handler, handler}; }
  // nullptr where there is no such operation.
  const OpRow* find(OpKey key) const {
    const auto it = rows_.find(pack(key));
    return it == rows_.end() ? nullptr : &it->second;
  }
  std::size_t size() const { return rows_.size(); }
  template <class Visit>
  void forEach(const Visit& visit) const {
    for (const auto& [packed, row] : rows_)
      visit(OpKey{static_cast<ir::Code>(packed >> 16), static_cast<Scalar>(packed >> 8 & 0xff), static_cast<Scalar>(packed & 0xff)});
  }

 private:
  static std::uint64_t pack(OpKey k) {
    return std::uint64_t{k.op} << 16 | static_cast<std::uint64_t>(k.result) << 8 | static_cast<std::uint64_t>(k.argument);
  }
  std::unordered_map<std::uint64_t, OpRow> rows_;
};

}  // namespace lanewise
