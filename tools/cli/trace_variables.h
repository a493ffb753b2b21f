// The variables of one invocation while it runs: lines of text for those that an instruction has changed.
//
// Memory that only the invocation writes is compared with its earlier values. For memory that others share, only the invocation's stores
// are printed. For an array or a structure, the changed parts are printed. Variables that the compiler made are skipped if the module has
// debug information. Variables hidden by another are skipped too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/state/access.h"
#include "model/state/variables.h"

namespace lanewise {

class TraceVariables {
 public:
  explicit TraceVariables(const Program& program) : source_(program) {}

  const SourceVariables& source() const { return source_; }
  // The functions at `pc`, with what is in scope.
  const std::vector<SourceFrame>& frames(std::uint32_t pc);
  // Called before the first instruction that is watched: changes count from here. `pc`: of the instruction before it, in a run that
  // continues.
  void begin(LaneState lane, std::optional<std::uint32_t> pc);
  void stored(std::uint32_t variable, std::uint64_t byte) { stored_.emplace_back(variable, byte); }
  // Called after the instruction at `pc`.
  std::vector<std::string> changes(LaneState lane, std::uint32_t pc);
  // All variables in scope.
  std::vector<std::string> all(LaneState lane, std::uint32_t pc);

 private:
  using Key = std::array<std::uint32_t, 3>;
  using Scalars = std::vector<ScalarValue>;
  static Key keyOf(const SourceVariable& v) { return {v.variable, v.inlinedAt, v.caller}; }
  bool isShown(const SourceVariable& v) const { return !v.isHidden && !source_.of(v).isMade; }
  std::string nameOf(const SourceFrame* frame, const SourceVariable& v) const;
  void add(std::vector<std::string>& out, const std::string& name, const LaneValue& value) const;
  void compare(std::vector<std::string>& out, const std::string& name, LaneState lane, const SourceVariable& v, bool isNew);
  void addStored(std::vector<std::string>& out, LaneState lane);

  SourceVariables source_;
  std::map<std::uint32_t, std::vector<SourceFrame>> frames_;  // by pc
  std::map<Key, Scalars> known_;
  std::optional<std::uint32_t> last_;  // pc
  std::vector<std::pair<std::uint32_t, std::uint64_t>> stored_;
};

}  // namespace lanewise
