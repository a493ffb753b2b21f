// Whether workgroups, or the invocations of one, access places of their own, as the numbers of a dispatch decide (ir/own_place.h).
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/exec/bound_dispatch.h"

namespace lanewise {

class OwnCheck {
 public:
  enum class Of : std::uint8_t { kWorkgroups, kInvocations };
  // Its program, or another one of the same resources. `fixed`: by resource of it, whether nobody stores there while the dispatch runs,
  // and it has begun: then what it has counts.
  OwnCheck(const BoundDispatch& bound, const Program& program, const std::vector<bool>& fixed, Of of = Of::kWorkgroups);

  // Accesses of one resource: the places, by coordinate if they are those of texels, and how many bytes each takes (1 of a coordinate).
  struct Accessed {
    std::span<const ir::Place> places[2];
    std::uint32_t bytes = 1;
  };
  // What an instruction does.
  static Accessed accessedBy(const Program& program, std::uint32_t pc);
  // Workgroups that differ, or invocations of one workgroup, never meet in any of them.
  bool isOwn(std::span<const Accessed> all) const;
  // The place, where it is one that all share.
  std::optional<std::uint64_t> fixedPlace(const ir::Place& place) const;
  // The least and the greatest place that it may be.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> endsOf(const ir::Place& place) const;

 private:
  struct One;
  struct Sum;
  std::uint32_t firstAxis() const { return of_ == Of::kWorkgroups ? 1 : 1 + ir::kLocalAxes; }
  std::vector<bool> capsOf(const ir::Place& place) const;
  std::optional<One> read(const ir::Place& place) const;
  std::uint32_t axesToldBy(std::span<const Accessed> all, std::size_t coordinate) const;
  std::uint32_t axesToldBy(const Sum& sum) const;

  Of of_;
  std::uint32_t count_[7];                           // by axis: workgroups, and invocations of one
  std::vector<std::optional<std::uint32_t>> known_;  // by number
};

}  // namespace lanewise
