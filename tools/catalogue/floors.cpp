#include "tools/catalogue/floors.h"

#include <fmt/format.h>

#include "tools/catalogue/catalogue.h"

namespace lanewise {
namespace {

constexpr const char* kReadsAndWrites = "pyramid/traffic/one-dispatch";
constexpr const char* kCopiesToo = "pyramid/traffic/with-copy";

// The first that matches. Texels of both have four bytes.
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

// Whether a texel of its picture has four bytes.
bool fourBytes(const Case& c) {
  const InputShape shape = inputShape(c);
  return shape.channels * golden::componentBytes(shape.component) == 4;
}

}  // namespace

std::string floorOf(const Case& c) {
  for (const Floor& f : kFloors) {
    if (!matchesPattern(f.kernels, c.kernel->name) || !fourBytes(c)) continue;
    const Expected<Case> named = parseCase(fmt::format("{} @ {}{}", f.floor, sizeText(c.size), f.parameters));
    return named ? named->name() : std::string();
  }
  return {};
}

}  // namespace lanewise
