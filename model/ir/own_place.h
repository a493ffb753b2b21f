// Where a store's place is its workgroup's own: workgroups that differ on an axis never store to one place.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace lanewise::ir {

// The place is WorkgroupId of the axis times `stride`, and something below `stride`, if nothing of it exceeds 32 bits.
struct OwnPlace {
  std::uint8_t axis = 0;  // 1 to 3: x, y, z; 0: not known
  std::uint32_t stride = 0;
  bool operator==(const OwnPlace&) const = default;
};

struct OwnPlaces {
  std::vector<OwnPlace> words;                  // by access: the byte address of a store to a buffer, from the view's start on
  std::vector<std::array<OwnPlace, 2>> texels;  // by image access: the first two coordinates of a store
};

}  // namespace lanewise::ir
