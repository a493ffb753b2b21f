// Where an access's place is its workgroup's own, or in there its invocation's: those that differ on an axis never access one place.
//
// A place is a sum, modulo 2^32, of terms: a scale times an axis of WorkgroupId or LocalInvocationId, or times a whole number of which the
// bounds are known, or nothing. What the dispatch decides (push constants, numbers of workgroups, words of buffers that it only loads)
// becomes a number when it is bound (exec/own_check.h).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/ir/rows/codes.h"

namespace lanewise::ir {

// A number that all invocations of a dispatch share, modulo 2^32.
struct Known {
  Code op = kConstant;         // kConstant, kLoad, kInput, or an operation on two others
  std::uint32_t a = 0, b = 0;  // the number; a resource plus 1 (0: push constants) and a byte there; InputRow; two others before this one
  bool operator==(const Known&) const = default;
};

inline constexpr std::uint8_t kLocalAxes = 3;  // LocalInvocationId.x is the next axis
struct PlaceTerm {
  std::uint32_t scale = 0;  // of Known
  std::uint8_t axis = 0;    // 1 to 3: of WorkgroupId; 4 to 6: of LocalInvocationId, from 0 to `most`; 0: a number from `least` to `most`
  bool bounded = true;      // false: any number
  std::int64_t least = 0, most = 0;
  std::uint32_t below = 0;           // of Known: `most` is one less; 0: it is `most`
  std::uint32_t cap = 0, inCap = 0;  // in Place::caps, plus 1, or 0; and its scale in the sum there, of Known
  bool isOfWorkgroup() const { return axis != 0 && axis <= kLocalAxes; }
};
// A sum that a branch has compared, of terms that are not negative and perhaps others: it is below `below`, and scaled in the place.
struct PlaceCap {
  std::uint32_t scale = 0, below = 0;  // of Known; 0: it says nothing
};
// What has been divided must not have wrapped: scale * WorkgroupId + rest of this axis stay below 2^32.
struct PlaceLimit {
  std::uint8_t axis = 0;
  std::uint64_t scale = 0, rest = 0;
};
struct Place {
  std::vector<PlaceTerm> terms;
  std::vector<PlaceCap> caps;
  std::vector<PlaceLimit> limits;
};

struct OwnPlaces {
  std::vector<Known> known{Known{}};  // 0 is no number
  // By value of the lowered form, and in the end by instruction: the byte address of a load, store or atomic, `offset` included; or the
  // first two coordinates of a texel. Empty: that is not known.
  std::vector<std::array<std::vector<Place>, 2>> all;
  std::vector<std::uint32_t> elements;  // by the same: of an array of descriptors the one that it accesses, plus 1; 0: that is not known
};

}  // namespace lanewise::ir
