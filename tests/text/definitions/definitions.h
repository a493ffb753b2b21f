// What text programs must give, each written a second time in plain C++ from its GLSL or SPIR-V and their specifications: one loop for each
// phase between barriers, integers of C++, floats whose values are exact.
// A line `expect 1 u32: definition` takes its values from here. Nothing here includes or uses model/: what the model computes wrongly
// cannot be wrong here in the same place of the code. Gap: what both read wrongly in the specification; devices run the same programs.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::text::definitions {

using u32 = std::uint32_t;
using i32 = std::int32_t;
using u64 = std::uint64_t;
using i64 = std::int64_t;
using Bytes = std::vector<std::byte>;

template <class T>
std::vector<T> valuesOf(const Bytes& bytes) {
  std::vector<T> out(bytes.size() / sizeof(T));
  std::memcpy(out.data(), bytes.data(), out.size() * sizeof(T));
  return out;
}

template <class T>
Bytes bytesOf(const std::vector<T>& values) {
  Bytes out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

// What the program's lines give: each resource by its name, images as the bytes of their texels, and the push constants.
struct Inputs {
  std::map<std::string, Bytes> resources;
  Bytes push;

  template <class T>
  std::vector<T> of(const std::string& resource) const {
    const auto found = resources.find(resource);
    return found == resources.end() ? std::vector<T>() : valuesOf<T>(found->second);
  }
};

struct Definition {
  std::string_view program;  // the file's name
  std::string_view line;     // the binding and the type of the line that takes its values: "1 u32"
  Bytes (*values)(const Inputs&);
};

// The families, each in its file.
std::span<const Definition> controlFlow();
std::span<const Definition> floats();
std::span<const Definition> integers();
std::span<const Definition> joined();
std::span<const Definition> reduced();
std::span<const Definition> samplers();
std::span<const Definition> subgroups();

std::vector<Definition> all();

}  // namespace lanewise::text::definitions
