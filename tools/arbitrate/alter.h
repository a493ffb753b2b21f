// A run of the model in which one instruction gives another value than it should: what would the results be if it were right?
//
// A value is altered in its register after the instruction, before anything uses it. Nothing else of the run is touched.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/model.h"

namespace lanewise {

// What an instruction gives instead: "1 more", "true where both are equal, too".
struct Alteration {
  const char* says;
  int weight;  // how simple the mistake behind it is: the least first
  // Of the result's bits and the arguments'; none: it does not apply.
  std::optional<std::uint64_t> (*value)(Scalar type, std::span<const std::uint64_t> arguments, Scalar argument, std::uint64_t result);
};
std::span<const Alteration> alterations();
// The one of them that negates a truth value.
const Alteration& otherWayRound();

// One instruction of a dispatch, in all executions or in one alone.
struct Altered {
  std::uint32_t dispatch = 0, pc = 0;
  std::optional<std::uint64_t> execution;  // of a lane, counted over the whole run in the order of Execution; none: all
  auto operator<=>(const Altered&) const = default;
};

// An instruction that was executed and whose one result can be altered.
struct Alterable {
  Altered at;
  bool varies = false;  // each lane has its own result
  Scalar type = Scalar::kNone, argument = Scalar::kNone;
  std::size_t arguments = 0;
  std::uint64_t executions = 0;

  bool takes(const Alteration& by) const;  // by the types alone
};
// Of one run, in the order of the program, and how many instructions ran.
struct AlterableRun {
  std::vector<Alterable> all;
  std::uint64_t executed = 0;
};
Expected<AlterableRun> alterableIn(Model& model, const Job& job, std::uint64_t most);

// A run with the alteration. An error is the run's own, or that it ran for more than `most` instructions of lanes.
struct AlteredRun {
  RunResult result;
  bool altered = false;        // some value is another
  Extent3 invocation;          // of the last one altered
  std::uint64_t executed = 0;  // instructions of lanes
};
AlteredRun runAltered(Model& model, const Job& job, const Altered& at, const Alteration& by, std::uint64_t most);

}  // namespace lanewise
