// The order in which the model runs what Vulkan leaves unordered. The same schedule always gives the same run.
#pragma once

#include <cstdint>
#include <string>

#include "model/base/outcome.h"

namespace lanewise {

struct Schedule {
  enum class Order : std::uint8_t {
    kInOrder,     // by ascending index
    kReverse,     // by descending index
    kSeeded,      // a permutation chosen by the seed
    kLast,        // in order, but workgroup `seed` after all others
    kInterleave,  // at every atomic, barrier, shared access and jump back the seed picks any subgroup that can continue
  };
  Order order = Order::kInOrder;  // of workgroups, of the subgroups in them and, with `lanes`, of the lanes
  std::uint64_t seed = 0;
  // Each lane runs alone until it must meet others: at a control barrier, at a subgroup operation, and at the end of each iteration of a
  // loop that has one of these. Without it, lanes at the same place execute together.
  bool lanes = false;

  // The number of resident workgroups; 0: as many as memory allows. If it is more than one, it is part of the token.
  std::uint32_t resident = 1;

  // Whether each subgroup runs on its own. In order, several run together, instruction by instruction.
  bool separateSubgroups() const { return order != Order::kInOrder; }
  // The item that runs as the i-th of n. A permutation of 0 .. n-1 for every n > 0.
  std::uint64_t at(std::uint64_t i, std::uint64_t n) const;
  std::string token()
      const;  // "in-order", "reverse", "seed:7", "last:3", "lanes", "lanes-reverse", "lanes-seed:7", "interleave:seed:7", "in-order@4"
  friend bool operator==(const Schedule&, const Schedule&) = default;
};

// Parses a token. Bad input names what is allowed.
Expected<Schedule> parseSchedule(const std::string& token);

}  // namespace lanewise
