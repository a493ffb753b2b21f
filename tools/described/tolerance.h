// What a result may differ by, component by component, and why.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "golden/image/compare.h"
#include "tools/described/document.h"

namespace lanewise {

// Of one channel of an output, or of all that have no other. A value is allowed where one of ulp, absolute and relative allows it; with
// rmse alone every value is, and the mean decides.
struct Tolerance {
  TextPlace at{};
  std::string output{};
  std::optional<std::string> channel{};  // "r", ..., "3"; none: all that have no other
  std::uint64_t ulp = 0;
  double absolute = 0, relative = 0;
  std::optional<double> rmse{};
  bool values = false;  // ulp, absolute or relative is given
  std::string reason{};
};

// The number of a channel; nothing for what is none.
std::optional<std::uint32_t> channelNumber(const std::string& channel, const golden::Image& image);

// What an output may be, if `expected` is right. `blueFirst` images have their channels by name.
golden::Bounds boundsOf(const golden::Image& expected, const std::vector<const Tolerance*>& tolerances);

// "result: r at most 2 ULP, because ...; a exact".
std::string tolerancesText(const std::vector<Tolerance>& tolerances);

}  // namespace lanewise
