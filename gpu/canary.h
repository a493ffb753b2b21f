// Canary words before and after every buffer. A write that leaves its buffer changes them, which is seen after the run.
//
// Gap: a write further than kCanaryBytes away, or one of the canary's own value, is not seen. If a buffer's size is not a multiple of 4, up
// to 3 bytes after it are padding and not checked, because robust access may round a range up to 4.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace lanewise {

// The size on each side. It keeps the data aligned: Vulkan's largest minimum offset alignment is 256.
inline constexpr std::size_t kCanaryBytes = 256;

// The bytes that a buffer of `size` bytes takes with its canaries.
std::size_t guardedSize(std::size_t size);

// `memory` has guardedSize(size) bytes; the data start at kCanaryBytes.
void writeCanaries(std::span<std::byte> memory, std::size_t size);

// How the canaries were changed: "the word 4 bytes after its end is 0x00000007 and not the canary 0xc5a11e01". Empty if they were not.
std::optional<std::string> checkCanaries(std::span<const std::byte> memory, std::size_t size);

}  // namespace lanewise
