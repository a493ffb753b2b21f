// How a place is called: by the variable's path, "scratch[127]", "params.sizes[3].x", "source[12,7]". Pure functions.
#pragma once

#include <string>

#include "model/contract/device.h"
#include "model/state/access.h"

namespace lanewise {

// What an access touches at a byte of a resource, of workgroup memory, or of push constants. `size`: bytes of a lane's access.
std::string placeName(const Job& job, const AccessEvent& event, std::uint32_t resource, std::uint64_t byte, std::uint32_t size);
// The variable of an image, and which it is where there are several.
std::string imageName(const AccessEvent& event, std::uint32_t element);
// A byte of a resource that a program stores to: by some store of it; empty where there is none, and of images.
std::string placeName(const Program& program, const Dispatch& dispatch, const std::string& resource, std::uint64_t byte);
// "texel 3,4 of level 0" of an image; else "byte 12".
std::string texelText(const Resource& resource, std::uint64_t byte);
// "level 2" of an image that has more than one; else nothing.
std::string levelText(const Resource& resource, std::uint64_t byte);

}  // namespace lanewise
