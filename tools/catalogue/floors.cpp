#include "tools/catalogue/floors.h"

#include <fmt/format.h>

#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

constexpr const char* kReadsAndWrites = "pyramid/traffic/one-dispatch";
constexpr const char* kCopiesToo = "pyramid/traffic/with-copy";

// The first that matches. A depth's bits are as many as a texel's of four codes.
struct Floor {
  const char* kernels;
  const char* floor;
  const char* parameters;
};
constexpr Floor kFloors[] = {
    {"pyramid/energy/*", kReadsAndWrites, ""},
    {"pyramid/energy-float/*", kReadsAndWrites, ""},
    {"pyramid/filter-float/*", kReadsAndWrites, ""},
    {"pyramid/mean2x2*", kReadsAndWrites, ""},
    {"depth/*-in-place", kReadsAndWrites, ""},
    {"depth/*/multipass", kReadsAndWrites, ""},
    {"depth/*", kCopiesToo, ""},
    {"box-blur/*", kCopiesToo, " levels=1"},
};

}  // namespace

Expected<std::string> floorOf(const Case& c) {
  for (const Floor& f : kFloors) {
    if (!matchesPattern(f.kernels, c.kernel->name)) continue;
    const Expected<Case> named = parseCase(fmt::format("{} @ {}{}", f.floor, sizeText(c.size), f.parameters));
    if (!named) return named.error();
    return named->name();
  }
  return std::string();
}

}  // namespace lanewise
