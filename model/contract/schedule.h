// The order in which the model runs what Vulkan leaves unordered. The same schedule always gives the same run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/base/outcome.h"

namespace lanewise {

struct Schedule {
  enum class Order : std::uint8_t {
    kInOrder,     // by ascending index
    kReverse,     // by descending index
    kSeeded,      // a permutation chosen by the seed
    kLast,        // in order, but workgroup `seed` after all others
    kInterleave,  // at every atomic, barrier, shared access and jump back the seed picks any subgroup that can continue
    kTurns        // ... it is the one that `turns` names
  };
  // Turns that follow each other. Subgroups are numbered through a dispatch: those of workgroup 0, then those of workgroup 1.
  struct Turns {
    std::uint64_t subgroup = 0;
    std::uint64_t end = 0;  // the number of turns of the dispatch up to the last of them
    friend bool operator==(const Turns&, const Turns&) = default;
  };
  Order order = Order::kInOrder;  // of workgroups, of the subgroups in them and, with `lanes`, of the lanes
  std::uint64_t seed = 0;
  // Each lane runs alone until it must meet others: at a control barrier, at a subgroup operation, and at the end of each iteration of a
  // loop that has one of these. Without it, lanes at the same place execute together.
  bool lanes = false;

  // The number of resident workgroups; 0: as many as memory allows. If it is more than one, it is part of the token.
  std::uint32_t resident = 1;

  // Who runs instead of an invocation that provably waits for others: what a device promises, in the words of the literature (Sorensen,
  // Evrard, Donaldson: "GPU schedulers: how fair is fair enough?", CONCUR 2018). Vulkan promises nothing.
  enum class Progress : std::uint8_t {
    kNone,            // nobody: such a wait ends the run. Interleave still lets every resident run
    kOccupancyBound,  // workgroups that have started
    kHsa,             // of those that have not ended, the one with the lowest index
    kLobe,            // workgroups that have started, and those with a lower index
    kFair             // all
  };
  Progress progress = Progress::kNone;
  // kTurns: what the turns are of, a short hash of modules and grid (Execution::subject); 0: it is not said, and not checked.
  std::uint16_t subject = 0;
  // Stale memory: what is not yet available or visible is not there, and the seed decides what a load may still see of what was there
  // before (exec/weak_memory.h). Without it every store is seen at once.
  std::optional<std::uint64_t> weak = {};
  // kTurns: by dispatch, ascending by `end`. Behind the last, and where the subgroup cannot go on, the first that can has the turn.
  std::vector<std::vector<Turns>> turns = {};

  // Whether a turn ends at every access that others can see, and not only where a subgroup waits.
  bool switches() const { return order == Order::kInterleave || order == Order::kTurns; }
  // Whether each subgroup runs on its own. In order, several run together, instruction by instruction.
  bool separateSubgroups() const { return order != Order::kInOrder || progress != Progress::kNone; }
  // The item that runs as the i-th of n. A permutation of 0 .. n-1 for every n > 0.
  std::uint64_t at(std::uint64_t i, std::uint64_t n) const;
  // The other way round: at(placeOf(item, n), n) is the item.
  std::uint64_t placeOf(std::uint64_t item, std::uint64_t n) const;
  // "in-order", "reverse", "seed:7", "last:3", "lanes", "lanes-reverse", "lanes-seed:7", "interleave:seed:7", "in-order@4", "reverse+fair",
  // "in-order+weak:3", "turns:0.3-1-0/1" (subgroup 0 three times, 1, 0; in the second dispatch 1), "turns:9c2f:2" (of the subject 9c2f)
  std::string token() const;
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// The models of progress, by how much they promise; the first of them is Vulkan's.
inline constexpr Schedule::Progress kProgressModels[] = {Schedule::Progress::kNone, Schedule::Progress::kOccupancyBound,
                                                         Schedule::Progress::kHsa, Schedule::Progress::kLobe, Schedule::Progress::kFair};
// "nothing", "occupancy-bound", "hsa", "lobe", "fair".
const char* progressName(Schedule::Progress progress);
// One of these names. Bad input names them.
Expected<Schedule::Progress> parseProgress(const std::string& name);

// Parses a token. Bad input names what is allowed.
Expected<Schedule> parseSchedule(const std::string& token);

// The value of an option --memory: "strong", or "weak:seed:7", as Schedule::weak.
Expected<std::optional<std::uint64_t>> parseMemory(const std::string& text);

}  // namespace lanewise
