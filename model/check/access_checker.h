// The observer that reports findings. It keeps a shadow of memory and checks each access once.
//
// If some invocations of a workgroup never reach a control barrier, the result is undefined (SPIR-V 1.6, OpControlBarrier: of workgroup
// scope or larger "behavior is undefined unless all invocations within Execution execute the same dynamic instance"). Lanes at two
// different barriers end the run (state/control.h). If the others have returned, the run continues, as on devices, and the barrier is
// reported here.
//
// Promise: everything that it reports happened in this run; paths not taken are not checked. Near misses are not reported: an index in
// range, a byte of padding that no member names, a return after the last barrier, a barrier of a subgroup. Gap: function and private
// variables are not checked for reads before writes. race_checker.h checks accesses of one location by two invocations.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "model/check/paged_shadow.h"
#include "model/contract/device.h"
#include "model/contract/finding.h"
#include "model/state/observer.h"

namespace lanewise {

class FindingsObserver final : public Observer {
 public:
  // The job must outlive it.
  explicit FindingsObserver(const Job& job);

  std::uint32_t watches() const override {
    return watch::kWorkgroup | watch::kBarrier | watch::kStrand | watch::kAccess | watch::kIndex | watch::kFault | watch::kBlit;
  }
  Answer access(const AccessEvent& event) override;
  Answer moment(const Moment& moment) override;
  bool needsLoads(std::uint32_t resource) const override { return resource != kPushConstants && written_[resource]; }

  // The findings until now, in the order of the first occurrence of each.
  const std::vector<RunFinding>& soFar() const { return findings_; }
  // The findings, by dispatch and in the order of the first occurrence of each. If the run has ended, also the outputs that were never
  // written.
  std::vector<RunFinding> finish(bool complete);
  // Between two dispatches: then a copy of it stands alone.
  void forgetWorkgroups() { groups_.clear(); }

 private:
  using Shadow = PagedShadow<std::vector<std::uint8_t>>;  // 1: written
  struct Key {
    FindingKind kind;
    std::uint32_t dispatch, line;                               // an instruction of the module, or a variable
    friend auto operator<=>(const Key&, const Key&) = default;  // NOLINT(modernize-use-nullptr): in what the compiler writes
  };

  // An invocation of this workgroup at a place of its program.
  struct Stand {
    std::uint64_t invocation = 0;
    std::uint32_t pc = 0;
  };

  // The state for a dispatch.
  struct Watched {
    const Program* program = nullptr;
    std::map<std::uint32_t, MemoryRange> leavable;  // by pc: accesses of workgroup memory
    std::set<std::uint32_t> indexed;                // OpVariables with an index that has been reported
  };

  // The lanes of a batch whose index has just been told, in front of the access that goes by it.
  struct Told {
    std::uint64_t place = 0;  // of the workgroup
    std::uint32_t batch = 0;
    const spirv::Instruction* instruction = nullptr;
    // By lane: how many bytes lead there from where these indices are 0. Nothing: it is not known.
    std::map<std::uint32_t, std::optional<std::uint32_t>> bytes{};
    bool isAt(const Batch& of, std::uint32_t pc) const;
  };
  bool isTold(const AccessEvent& event, const Outside& outside) const;

  // The state for a resident workgroup.
  struct Group {
    Shadow written;                           // of its memory
    bool isFull = false;                      // all of it is
    std::vector<std::uint32_t> phases;        // by batch: the number of barriers that it has reached
    std::vector<Stand> barriers;              // for each barrier, the first to reach it
    std::vector<std::uint8_t> missed;         // and whether a missing invocation has been reported
    std::map<std::uint32_t, Stand> returned;  // the first to return, by the number of barriers that it had reached
    const Watched* watched = nullptr;
  };
  Group& groupOf(const Environment& env);

  void enterWorkgroup(const Environment& env);
  RunFinding& found(FindingKind kind, const Environment& env, Stand at, bool& first);
  RunFinding& found(FindingKind kind, const Batch& batch, std::uint32_t pc, std::uint32_t lane, bool& first);
  void arrive(const BarrierReached& barrier);
  void leave(const LanesReturn& lanes);
  void stepLimit(const Faulted& fault);
  void index(const IndexOutside& outside);
  void blitTexel(const BlitTexel& made);
  void barrierMissed(const Environment& env, Group& group, std::size_t barrier, Stand returned);
  void inRange(const AccessEvent& event, const LaneRun& run, Shadow& written);
  void outOfRange(const AccessEvent& event, const Outside& outside);
  void outsideVariable(const AccessEvent& event, std::uint32_t lane, std::uint64_t offset, std::uint32_t size);
  void misaligned(const AccessEvent& event, std::uint32_t alignment);
  void unwritten(const AccessEvent& event, const LaneRun& run, std::uint32_t lane, std::uint64_t offset);
  void neverWritten(std::uint32_t resource);
  std::vector<std::uint8_t> meant(std::uint32_t resource) const;
  std::string nameOfByte(std::uint32_t resource, std::uint64_t byte) const;
  std::uint64_t invocationOf(const Batch& batch, std::uint32_t lane) const;
  std::array<std::uint32_t, 3> globalOf(const Program& program, const Extent3& groups, std::uint64_t invocation) const;

  const Job& job_;
  std::vector<std::optional<Shadow>> written_;  // by resource: of undefined ones
  std::vector<Group> groups_;                   // by slot
  std::map<std::uint32_t, Watched> watched_;    // by dispatch
  Told told_;
  std::vector<RunFinding> findings_;
  std::map<Key, std::size_t> known_;
};

}  // namespace lanewise
