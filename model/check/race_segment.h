// A segment: dispatches with no barrier between them, in which races are looked for. Workgroups have numbers in it, instructions have a
// meaning, and some resources are only read.
#pragma once

#include <vector>

#include "model/contract/device.h"
#include "model/state/race_order.h"
#include "model/state/workgroup.h"

namespace lanewise::race {

class Segment {
 public:
  // The job must outlive it.
  explicit Segment(const Job& job);

  // A dispatch begins. Returns true if it is the first of a segment.
  bool begin(const Environment& env);

  // Workgroups are counted over the dispatches of a segment.
  std::uint64_t firstGroup(std::uint32_t dispatch) const { return dispatches_[dispatch].firstGroup; }
  std::uint64_t groupOf(const Environment& env) const { return firstGroup(env.dispatch) + linearOf(env.group, env.groups); }
  const Program& program(std::uint32_t dispatch) const { return *dispatches_[dispatch].program; }
  // The meaning of an access; it stays at its address.
  const Means& means(const AccessEvent& event);
  // The meaning of an access for which the function above was called before.
  const Means& means(std::uint32_t dispatch, std::uint32_t pc) const { return dispatches_[dispatch].means[pc]; }
  // Whether no dispatch of the segment writes it.
  bool isReadOnly(std::uint32_t resource) const { return readOnly_[resource] != 0; }
  // Whether the whole access is of such resources, or of push constants.
  bool cannotRace(const AccessEvent& event) const;

 private:
  struct Begun {
    const Program* program = nullptr;
    std::uint64_t firstGroup = 0;
    std::vector<Means> means;  // by pc
  };
  const Job& job_;
  std::vector<Begun> dispatches_;
  std::vector<std::uint8_t> readOnly_;
  std::uint64_t nextGroup_ = 0;
  std::uint32_t nextDispatch_ = 0;
};

}  // namespace lanewise::race
