// What a run will do, computed before anything runs: the cases in order, and which part of them belongs to this run.
//
// Part k of n ("k/n", k from 1): the cases are ranked by the hash of their names and assigned to the parts in turn. So parts differ by at
// most one case, each has some of every kernel and size, and the same plan has the same parts on every host.
#pragma once

#include <functional>

#include "golden/store/hash.h"
#include "tools/catalogue/sets.h"

namespace lanewise {

struct Shard {
  std::uint32_t index = 1, count = 1;
  std::string text() const;  // "2/8"
  friend bool operator==(const Shard&, const Shard&) = default;
};
// "2/8"; bad input for others.
Expected<Shard> parseShard(std::string_view text);

struct PlanRequest {
  std::vector<const Kernel*> kernels;
  std::vector<KernelRef> held;  // those of the kernels that are described in files
  std::vector<Case> cases;      // cases that are named; they come before those of the kernels
  CaseSet set = CaseSet::kQuick;
  std::vector<Overrides> overrides = {{}};  // each is applied to all kernels; a user's picture has one
  std::vector<std::string> formats;         // empty: all; a kernel that has none of them is left out
  Shard shard;
};

// What the request leaves out without saying so: a line for each parameter of which not every value is run.
std::vector<std::string> leftOut(const PlanRequest& request);

// The cases of all parts, one after another.
Status forEachCase(const PlanRequest& request, const std::function<void(const Case&)>& visit);

// Identifies a plan: the number of its cases and a hash of their names in any order. All parts of one plan have the same identity.
struct PlanIdentity {
  std::uint64_t cases = 0;
  std::uint64_t hash = 0;
  std::string text() const;  // "1234 cases, 0123456789abcdef"
  friend bool operator==(const PlanIdentity&, const PlanIdentity&) = default;
};

struct SweepPlan {
  std::vector<Case> cases;  // of this part
  PlanIdentity identity;    // of all parts
  Shard shard;
};

// A run can hold a plan of at most this many cases.
inline constexpr std::uint64_t kMostCases = 4'000'000;

// Bad input as for forEachCase, and for a part of more than kMostCases.
Expected<SweepPlan> makePlan(const PlanRequest& request);

// The hash of a case's name, by which cases are assigned to parts.
std::uint64_t caseHash(const Case& c);

}  // namespace lanewise
