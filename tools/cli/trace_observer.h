// Observes one invocation: a line of text for every instruction of the module that it executes, and the variables that changed.
//
// NUMBER dN FILE:LINE OPERATION OPERANDS -> RESULTS [MEMORY], e.g.
//      75 d0 box_blur.glsl:50 OpImageFetch i32 0, i32 1, i32 1 -> i32 73, i32 12, i32 131, i32 182 read source texel (1, 1)
//      82 d0 box_blur.glsl:62 OpStore i32 73, i32 12, i32 131, i32 182 write sum
//           uvec4 sum = (73, 12, 131, 182)
// Numbers count that invocation's instructions over all dispatches. Composites are scalars in a line, as the engine has them. With `lines`
// the instructions are left out, and a line begins each time that the invocation comes to another line of the source:
//      79 d0 box_blur.glsl:62 windowAt: for (int j = -push.radius; j <= push.radius; ++j) sum += readTexel(line, i + j);
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>

#include "model/base/text.h"
#include "model/contract/device.h"
#include "model/state/observer.h"
#include "tools/cli/commands.h"
#include "tools/cli/trace_variables.h"

namespace lanewise {

// A line of a file, which is named by the end of its path; empty: of any.
struct TracedLine {
  std::string file;
  std::uint32_t line = 0;
  bool is(const std::string& path, std::uint32_t number) const { return number == line && (file.empty() || endsWithFile(path, file)); }
};

struct TraceSettings {
  Extent3 invocation;        // gl_GlobalInvocationID, in every dispatch that has it
  std::uint64_t stopAt = 0;  // stops before the first instruction of this number or a higher one; 0: never
  TracedVariables variables = TracedVariables::kChanged;
  bool lines = false;
  std::vector<TracedLine> at;  // only these; empty: all
  std::string resource;        // only instructions that access it; empty: all
  bool json = false;
};

// The position in the run, for continuing it.
struct TracePlace {
  std::uint64_t next = 1;                // the number after the last instruction's
  std::uint64_t earlier = 0;             // the steps of the dispatches before
  std::uint32_t dispatch = 0, pc = ~0u;  // of the instruction before it; ~0: there is none
};

class TraceObserver final : public Observer {
 public:
  TraceObserver(TraceSettings settings, TracePlace from, const Job& job, std::function<void(const std::string&)> print);

  std::uint32_t watches() const override { return watch::kDispatch | watch::kBefore | watch::kAfter | watch::kAccess; }
  Answer beforeInstruction(const InstructionEvent& event) override;
  Answer afterInstruction(const InstructionEvent& event) override;
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;

  TracePlace place() const { return place_; }

 private:
  // What is gathered of the instruction of the module that runs: the model executes it in pieces.
  struct Step {
    bool isOpen = false;
    std::uint64_t number = 0;
    std::uint32_t pc = 0;                                        // its first piece
    std::vector<std::vector<std::string>> operands;              // by place: all components of the first, then of the second
    std::vector<std::pair<std::uint32_t, std::string>> results;  // with their registers
    std::vector<std::uint32_t> taken;                            // registers of operands of the pieces before
    std::string memory, local, variable;                         // `local`: of lane memory, `variable`: what it is a part of
    std::uint32_t locals = 0;
    bool touches = false;  // the resource that is asked for
  };
  // The lane of the watched invocation in this batch, or -1.
  int laneIn(const Batch& batch) const;
  void beginLine(const InstructionEvent& event, LaneState lane);
  void gather(const InstructionEvent& event, std::uint32_t lane);
  void gatherLocal(const InstructionEvent& event, std::uint32_t lane);
  std::pair<nlohmann::ordered_json, std::string> end(const Environment& env);
  bool isWanted(std::uint32_t pc) const;
  void tell(nlohmann::ordered_json record, const std::string& text, const std::vector<std::string>& variables);
  nlohmann::ordered_json recordOf(std::uint64_t number, const Environment& env, std::uint32_t pc);

  TraceSettings settings_;
  TracePlace place_;
  std::uint32_t headed_ = ~0u;  // the last instruction that has a line
  const Job& job_;
  std::function<void(const std::string&)> print_;
  Step step_;
  const Program* program_ = nullptr;
  std::unordered_map<const Program*, TraceVariables> variables_;
  TraceVariables* here_ = nullptr;
};

}  // namespace lanewise
