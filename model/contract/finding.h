// Errors of a kernel that the observed engine finds while it runs, even where a device hides them. Plain values; text is made on demand.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "model/contract/instruction_place.h"
#include "model/contract/place_name.h"
#include "model/contract/schedule.h"

namespace lanewise {

#define FINDING(kind, ...) kind,
enum class FindingKind : std::uint8_t {
#include "model/contract/findings.inc"
};
#undef FINDING

// "out of range (buffer)", "out of range (array)", ...
const char* findingName(FindingKind kind);

struct FindingRule {
  std::string_view what;   // "memory that is written through one variable and used through another"
  std::string_view mends;  // "bind it once"
};
FindingRule findingRule(FindingKind kind);

// What kinds of findings say of a run, as bits of their rows.
namespace finding {
enum Says : std::uint8_t {
  kPlain = 0,
  kOutside = 1,  // an access leaves its resource, variable or array, where no device has to do the same
  kByOrder = 2,  // the order of invocations decides what happens
  kOpen = 4,     // a value that another order or device may have otherwise
  kEndless = 8   // an invocation does not come to its end
};
}  // namespace finding
// Whether the kind says one of these.
bool says(FindingKind kind, unsigned any);

// The order that two accesses lack (kRace).
enum class MissingOrder : std::uint8_t {
  kNone,            // not a race
  kInWorkgroup,     // a barrier of their workgroup
  kOfMemory,        // a barrier of their workgroup stands between them, but hands no memory on
  kAcrossGroups,    // between workgroups
  kOfDispatches,    // a barrier between dispatches
  kOfOneStore,      // invocations that execute one instruction at once have none
  kOfOneReference,  // two variables name the memory
};

// All of one kind from one source line of one dispatch, told by the first.
struct RunFinding {
  FindingKind kind{};
  std::uint32_t dispatch = 0;
  std::array<std::uint32_t, 3> workgroup{};
  std::array<std::uint32_t, 3> invocation{};  // gl_GlobalInvocationID
  InstructionPlace at;                        // empty where no instruction is to blame
  std::string instruction;                    // "OpImageRead"; empty likewise
  PlaceName object;                           // the resource or variable
  std::string place;                          // "byte 64 of 64", "index 9 of 8", "texel 3,4 of level 0, which has 3x4"
  std::string other;                          // the other culprit of kBarrierMissed and races
  InstructionPlace otherAt;                   // where it stands
  std::string mend;                           // of a race: what is missing between the two; with model/mend.h also what mends it
  MissingOrder missing{};                     // of a race
  bool twoStores = false;                     // of a race: neither of the two is a load or an atomic
  Schedule::Progress promised{};              // of a wait: the weakest model of progress under which the job ends; kNone: none is known
  std::uint64_t count = 1;                    // how often

  // One line.
  std::string text() const;
};

}  // namespace lanewise
