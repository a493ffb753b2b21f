// The observer that reports rules broken by how invocations execute together and by what is bound, rather than by where an access goes.
//
// - A control barrier that lanes reach apart (SPIR-V 1.6, OpControlBarrier). The run ends there.
// - A subgroup operation whose result depends on the rule of reconvergence: lanes that parted met again before it, while others of their
//   subgroup were elsewhere. Without MaximallyReconvergesKHR a device need not let them meet (SPIR-V 1.6, 2.11 "Structured Control Flow";
//   SPV_KHR_maximal_reconvergence). Where all of a subgroup's lanes are together nothing is reported.
// - An operation on quads in subgroups of fewer than four (SPIR-V 1.6, OpGroupNonUniformQuadBroadcast).
// - A descriptor index that differs between the lanes of a subgroup, without NonUniform (Vulkan, "NonUniform" in "SPIR-V decorations").
// - One place that is reached through two variables, of which neither is Aliased, and written through one (SPIR-V 1.6, 2.18.2 "Aliasing").
//
// Promise: all of it happened in this run. Gaps: an index that differs while the same resource is bound at both is not seen; lanes that
// run alone say nothing of reconvergence; images bound twice are compared by bytes of the resource.
#pragma once

#include <map>
#include <optional>
#include <set>

#include "model/check/paged_shadow.h"
#include "model/contract/device.h"
#include "model/state/observer.h"

namespace lanewise {

class RulesObserver final : public Observer {
 public:
  // The job must outlive it.
  explicit RulesObserver(const Job& job);

  std::uint32_t watches() const override;
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;
  bool needsLoads(std::uint32_t resource) const override { return resource != kPushConstants && (arrays_ || users_[resource]); }
  // In the order of the first occurrence of each.
  std::vector<RunFinding> finish() { return std::move(findings_); }

 private:
  // Lanes of a batch that were last together where the subgroup was whole have colour 0. Those that part have colours of their own.
  struct Colours {
    std::uint64_t place = 0;  // of the workgroup: others have used this slot
    std::array<std::uint32_t, kMaxLanes> of{};
    std::uint32_t next = 1;
    std::array<std::uint32_t, kMaxLanes> partedAt{};  // by lane: the pc
  };
  // Who has used a place of a resource that is bound twice.
  struct User {
    std::uint32_t variable = 0, pc = 0;
    bool wrote = false;
  };

  bool asksWhoMeets(const Program& program);
  Colours& coloursOf(const Batch& batch);
  void split(const StrandSplits& at);
  void operates(const SubgroupOperates& at);
  void fault(const Faulted& at);
  void nonUniform(const AccessEvent& event);
  void aliases(const AccessEvent& event);
  RunFinding* found(FindingKind kind, const Batch& batch, std::uint32_t pc, std::uint32_t lane);

  const Job& job_;
  bool arrays_ = false;                                                 // of descriptors
  std::vector<std::optional<PagedShadow<std::vector<User>>>> users_;    // by resource: of those that are bound twice
  std::map<std::pair<std::uint32_t, std::uint32_t>, Colours> colours_;  // by slot and batch
  std::map<const Program*, bool> asks_;                                 // whether what its lanes meet for depends on the rule
  std::map<std::tuple<FindingKind, std::uint32_t, std::uint32_t>, std::size_t> known_;
  std::vector<RunFinding> findings_;
};

}  // namespace lanewise
