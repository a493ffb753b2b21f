// What an expression means by the name that a job gives to one of its resources, where no variable of the kernel has that name.
//
// An image is indexed by its own texels, in its own format, at its first level: rows[12, 7], and a third index for a slice or layer. A
// buffer means the variable that it is bound to.
#pragma once

#include "model/debug/scope.h"

namespace lanewise::debug {

// The index of the job's resource; empty: there is none of this name.
std::optional<std::uint32_t> resourceOfJob(const Scope& scope, std::string_view name);
// A texel of an image of the job. Bad input, without a column: there is no such texel, or it cannot be read.
Expected<Value> texelOfJob(const Scope& scope, std::uint32_t resource, std::span<const std::int64_t> at);
// The variable that a buffer of the job is bound to. Bad input, without a column: to none here, or to several.
Expected<LaneValue> variableOfJob(const Scope& scope, std::uint32_t resource);
// A texel of an image (x, y, then the slice or layer; or of one dimension x, then the layer), or the word of a buffer with a byte; `index`:
// in the job. Bad input: no such place.
Expected<Region> regionIn(const Resource& resource, std::uint32_t index, std::span<const std::uint64_t> at, std::uint32_t level);
// A texel's bytes as four components.
Tuple texelTuple(const FormatInfo& format, const TexelRules& rules, const std::byte* bytes);
// ... as those that its format has.
Tuple ownTexel(const FormatInfo& format, const TexelRules& rules, const std::byte* bytes);
// Of an image as a whole.
Error wholeImage(const Scope& scope, std::uint32_t resource);
// What is bound to a variable of an image's or a texel buffer's type; nullptr: nothing, or it is another variable.
const ImageView* viewOf(const LaneValue& image, const LaneState& lane);

}  // namespace lanewise::debug
