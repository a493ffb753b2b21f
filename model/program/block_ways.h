// Which block of a program that is being lowered dominates another one, as far as the way there is lowered (lowering.h).
#pragma once

#include <cstdint>
#include <vector>

namespace lanewise {

class BlockWays {
 public:
  struct Way {
    std::uint32_t count = 0, dominator = 0;  // so many edges lead there, and all come from behind that block
    std::uint32_t depth = 0;                 // of its dominators; 0: it is not entered yet
  };
  // The reference stays valid until another block is asked for.
  Way& to(std::uint32_t block) {
    if (ways_.size() <= block) ways_.resize(block + block / 2 + 1);
    return ways_[block];
  }
  void enter(std::uint32_t block) { to(block).depth = ways_[ways_[block].dominator].depth + 1; }
  // One that is entered leads to another one. What leads back changes nothing.
  void lead(std::uint32_t from, std::uint32_t block) {
    Way& there = to(block);
    if (there.depth != 0) return;
    if (there.count++ == 0) there.dominator = from;
    std::uint32_t a = there.dominator, b = from;
    while (a != b) {
      std::uint32_t& deeper = ways_[a].depth < ways_[b].depth ? b : a;
      deeper = ways_[deeper].dominator;
    }
    there.dominator = a;
  }
  bool dominates(std::uint32_t a, std::uint32_t b) const {
    while (ways_[b].depth > ways_[a].depth) b = ways_[b].dominator;
    return a == b;
  }

 private:
  std::vector<Way> ways_{Way{0, 0, 1}};  // by block; the first is the entry
};

}  // namespace lanewise
