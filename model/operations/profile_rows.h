// The choices that a program is decoded and run with, and the rows for those that are not strict.
//
// Promise: with the strict profile and no execution modes there are no such rows, and a program uses the table's. Rows of other choices
// exist only for the baseline instruction set.
#pragma once

#include <string>

#include "model/contract/profile.h"
#include "model/operations/operations.h"
#include "model/scalar/mode.h"

namespace lanewise {

// The modes from an entry point's execution modes. A mode that the profile does not support is an Error{kUnsupported}.
Expected<Choices> choicesOf(const spirv::Module& module, const std::string& entryPoint, const Profile& profile);

// The rows of a program: those for its choices, else the table's.
class OpRows {
 public:
  OpRows() = default;
  explicit OpRows(const Choices& choices);
  // nullptr where there is no such operation.
  const OpRow* find(OpKey key) const { return pick(key, operations()); }
  // The same for evaluating on this host, with any instruction set.
  const OpRow* findBase(OpKey key) const { return pick(key, baseOperations()); }
  // The number of rows that are not strict.
  std::size_t chosen() const { return chosen_.size(); }

 private:
  const OpRow* pick(OpKey key, const OpTable& table) const {
    const OpRow* row = chosen_.find(key);
    return row ? row : table.find(key);
  }
  OpTable chosen_;
};

inline namespace LANEWISE_ISA {

// Adds the rows for which `choices` is not strict, by family; see instantiate.h.
void addArithmeticChoices(OpTable& table, const Choices& choices);
void addGlslChoices(OpTable& table, const Choices& choices);
void addTranscendentalChoices(OpTable& table, const Choices& choices);
void addRobustnessChoices(OpTable& table, const Choices& choices);

// Calls `use` with `value`, which is one of `Values`, as a template argument.
template <auto... Values, class T, class Use>
void choose(const T& value, const Use& use) {
  const auto is = [&]<auto V>() {
    if (value != V) return false;
    use.template operator()<V>();
    return true;
  };
  static_cast<void>((is.template operator()<Values>() || ...));
}

// The same with one of the four modes.
template <class Use>
void chooseMode(const scalar::Mode& mode, const Use& use) {
  choose<scalar::kStrict, scalar::kFlushing, scalar::kTruncating, scalar::kTruncatingFlushing>(mode, use);
}

}  // namespace LANEWISE_ISA
}  // namespace lanewise
