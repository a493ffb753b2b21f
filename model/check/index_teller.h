// Tells by which index an access leaves its buffer, where its address does not say so: an address has 32 bits, and behind a pointer that is
// a value it counts from what the pointer leads to. For programs with everyIndex, of the faithful flavour.
//
// Promise: what it tells is what the module's own index was, read as the source's type has it. Gaps: indices of 64 bits, and what comes
// behind the first kMostSeen accesses.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/contract/device.h"
#include "model/contract/finding.h"
#include "model/state/observer.h"

namespace lanewise {

class IndexTeller final : public Observer {
 public:
  static constexpr std::uint64_t kMostSeen = 1 << 20;

  // Completes those of the findings that lack an index. Both must outlive it.
  IndexTeller(const Job& job, std::vector<RunFinding>& findings);
  bool isDone() const { return lacking_.empty(); }

  std::uint32_t watches() const override { return watch::kAccess | watch::kIndex; }
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;

 private:
  bool isAsked(const Program& program, std::uint32_t dispatch, std::uint32_t pc);
  void tell(const AccessEvent& event, const Outside& outside);

  const Job& job_;
  std::vector<RunFinding*> lacking_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, bool> asked_;  // by dispatch and pc
  std::uint64_t seen_ = 0;
  // The indices that a batch has just told, by lane.
  const Batch* batch_ = nullptr;
  const spirv::Instruction* instruction_ = nullptr;
  std::map<std::uint32_t, std::vector<std::optional<std::int64_t>>> indices_;
};

}  // namespace lanewise
