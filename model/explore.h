// Runs a job in every order of its subgroups' turns that can make a difference (explore_orders.h), and says what came out.
//
// A turn ends at each atomic, barrier, access of what others may write, and jump back. Each access takes effect at once, so the orders are
// sequentially consistent. All workgroups are resident, or `open` says no. With a subgroup size of 1 every invocation has turns of its own;
// then these are all orders of single accesses. Dispatches are run one after another: each is explored from every state of the resources
// that the one before can leave.
//
// Each order is looked at for races and other findings, since some may be of few orders, whether it ends, ends in an error or is stuck.
// Where something new shows, that order is run again as a run with findings, and what that tells is `found`. Undefined values are followed
// in each order if any order has one.
//
// Promise: `open` is empty only if every order is like one that was run. Each ending has turns that give it again. The bounds count runs
// and turns, not seconds, so an answer is the same on every host. Not tried, and not said to be: values that weak memory lets atomics see
// late; other orders of the accesses inside of one instruction. Dispatches with no barrier between them are not explored, which is said.
#pragma once

#include <atomic>

#include "model/model.h"

namespace lanewise {

struct ExploreLimits {
  std::uint64_t executions = 10'000;
  std::uint64_t sample = 100;                    // are run where the first one says that there are more than `executions`
  std::uint64_t turns = 1'000'000;               // in all of them
  std::uint64_t turnsEach = 1 << 14;             // in one: more are taken for a wait
  std::uint64_t subgroups = 512;                 // of a dispatch
  std::uint64_t bytes = std::uint64_t{1} << 20;  // of all resources
  std::size_t endings = 16;
  std::size_t looks = 64;                   // orders that are run again, to see what they show
  const std::atomic<bool>* stop = nullptr;  // set from outside
};

struct Explored {
  // What orders lead to: an error, or the bytes of the outputs.
  struct Ending {
    std::optional<Error> error;
    std::vector<Resource> outputs;
    Schedule schedule;  // an order that leads there
  };
  std::vector<Ending> endings;   // that differ from each other
  std::uint64_t executions = 0;  // orders that were run to their end, of each dispatch
  std::uint64_t repeated = 0;    // that were cut off, because they repeat one of those
  std::uint64_t turns = 0;
  std::uint64_t subgroups = 0;  // the most that a dispatch has
  std::string open;             // why this is not every order; empty: it is
  // In each subgroup one invocation at most used atomics. If there is no race either, then no other order of a subgroup's lanes, and of its
  // accesses among those of others, gives anything else: what the other lanes do is ordered.
  bool lanesAlone = true;
  // What an order shows.
  struct Found {
    Schedule schedule;
    std::vector<RunFinding> findings;
  };
  std::vector<Found> found;
  std::uint64_t forgottenUses = 0;  // RunResult::forgottenUses, of all orders
  Refereed refereed;                // ... and what the axioms say of them
};

// `options`: the schedule in it is not used. The subgroup size is the job's or the profile's. Errors: as of Model::start.
Expected<Explored> explore(const Job& job, ModelOptions options, const ExploreLimits& limits = {});

// Adds up what the axioms said.
void add(Refereed& to, const Refereed& from);

}  // namespace lanewise
