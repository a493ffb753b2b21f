// Which bytes of a job's resources a program's descriptors lead to.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/exec/bound_dispatch.h"

namespace lanewise {

struct PlaceRange {
  std::uint32_t resource = 0;
  std::uint64_t begin = 0, end = 0;
  std::uint32_t unit = 16;       // a texel's bytes, rounded down to a power of two
  std::uint32_t dimensions = 1;  // of a place there
  std::uint32_t texel = 0;       // bytes; 0: places are bytes
  std::uint32_t element = 0;     // of an array of descriptors
  bool accessed = false;         // by an instruction
  bool claimed = false;          // an instruction stores to some of these bytes, by this name or another
  // The same bytes, in which equal places are the same ones.
  bool isSame(const PlaceRange& other) const {
    return resource == other.resource && begin == other.begin && end == other.end && dimensions == other.dimensions && texel == other.texel;
  }
  bool meets(const PlaceRange& other) const { return resource == other.resource && begin < other.end && other.begin < end; }
};

// Of all that are stored to: each is compared with each that is accessed.
inline constexpr std::size_t kMostRanges = 256, kMostAccessed = 4096;

// Of all descriptors of a resource of the program; of images those of the first level, or of all.
std::vector<PlaceRange> rangesOf(const BoundDispatch& bound, std::size_t declared, bool levels);
// Whether an instruction may access such bytes of its resource, as far as the element of an array of descriptors tells.
bool mayAccess(const Program& program, std::uint32_t pc, const PlaceRange& range);

struct AccessedRanges {
  std::vector<std::vector<PlaceRange>> all;  // by resource of the program
  std::vector<PlaceRange> stored;            // to which an instruction of which `stores` holds stores
};
// Nothing where they are too many.
std::optional<AccessedRanges> accessedRanges(const BoundDispatch& bound, bool (*stores)(ir::Code));
bool meet(const std::vector<PlaceRange>& a, const std::vector<PlaceRange>& b);

// Of those with a member `range`: the one of the same bytes, a new one if there is none.
template <class Group>
Group& groupOf(std::vector<Group>& groups, const PlaceRange& range) {
  const auto at = std::ranges::find_if(groups, [&](const Group& g) { return g.range.isSame(range); });
  return at != groups.end() ? *at : groups.emplace_back(Group{range, {}});
}
// No other one has bytes in common with it.
template <class Group>
bool isApart(const std::vector<Group>& groups, const Group& group) {
  return std::ranges::none_of(groups, [&](const Group& other) { return &other != &group && other.range.meets(group.range); });
}

}  // namespace lanewise
