// Text for locations of memory, by the variable's path ("scratch[127]", "params.sizes[3].x", "source[12,7]") and for invocations. Pure
// functions.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "model/contract/device.h"
#include "model/contract/place_name.h"
#include "model/state/access.h"
#include "model/state/observer.h"

namespace lanewise {

// A number for the source line, or for the instruction if the line is unknown.
std::uint32_t placeInSource(const Program& program, std::uint32_t pc);
// gl_GlobalInvocationID. `workgroup`: its linear index, `local`: gl_LocalInvocationIndex.
std::array<std::uint32_t, 3> globalInvocation(const Program& program, const Extent3& groups, std::uint64_t workgroup, std::uint32_t local);

// A finding at an instruction. `invocation`: LocalInvocationIndex in the environment's workgroup.
RunFinding findingAt(FindingKind kind, const Environment& env, std::uint32_t pc, std::uint32_t invocation);

// What a lane accesses: the resource, and the descriptor by which it names it.
struct Accessed {
  std::uint32_t resource = 0, element = 0;
};
inline Accessed accessedBy(const LaneRun& run) {
  return {run.resource, run.element};
}
// The object of an access at a byte of a resource, of workgroup memory, or of push constants. `size`: bytes of a lane's access.
PlaceName placeName(const Job& job, const AccessEvent& event, Accessed accessed, std::uint64_t byte, std::uint32_t size);
// The format in which an access of an image sees it.
const FormatInfo* viewedFormat(const AccessEvent& event, const LaneRun& run);
// Whether the scalar that an access of memory goes to is a signed integer.
bool isSignedValue(const Program& program, std::uint32_t pc);
// The variable that an instruction accesses; empty where it is none.
std::string variableName(const Program& program, std::uint32_t pc);
// The variable of an image, with its index in an array of images.
PlaceName imageName(const AccessEvent& event, std::uint32_t element);
// The name of a byte of a resource in some store of a program; empty if there is none, and for images.
PlaceName placeName(const Program& program, const Dispatch& dispatch, const std::string& resource, std::uint64_t byte);
// The indices of a check for a lane, from the front to the one that is checked, as the types of the source have them. Nothing: of 64 bits.
std::vector<std::optional<std::int64_t>> indicesOf(const IndexOutside& at, std::uint32_t lane);
// Where an access begins in its resource, by the indices of its path that are not constant.
std::int64_t firstByte(const AccessEvent& event, std::uint32_t element, std::span<const std::int64_t> indices);
// "texel 3,4 of level 0" for an image, else "byte 12".
std::string texelText(const Resource& resource, std::uint64_t byte);
// "level 2" for an image with several levels, else empty.
std::string levelText(const Resource& resource, std::uint64_t byte);

}  // namespace lanewise
