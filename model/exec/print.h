// NonSemantic.DebugPrintf: one line of text for each active lane, in the order of execution.
//
// A format is that of printf and of Vulkan's validation layers: %d %i %u %o %x %X %a %e %f %g (also in capitals) and %p, with flags, width
// and precision. v2 to v4 before the conversion prints a vector, its components separated by commas. l is for 64 bits (%lu and %ul). An
// argument is printed as its own type: an integer conversion prints a float as a float, and the other way round.
#pragma once

#include <cstdint>
#include <vector>

#include "model/state/observer.h"

namespace lanewise {

struct PrintLog {
  static constexpr std::size_t kMaxLines = 1 << 16;
  std::vector<Printed> lines;
  std::uint64_t dropped = 0;
};

// An observer that writes the lines into a log.
class PrintObserver final : public Observer {
 public:
  explicit PrintObserver(PrintLog& log) : log_(log) {}
  std::uint32_t watches() const override { return watch::kPrint; }
  Answer moment(const Moment& moment) override;

 private:
  PrintLog& log_;
};

// One scalar of an argument: its bits, as a lane holds them.
struct PrintedScalar {
  Scalar type = Scalar::kI32;
  std::uint64_t bits = 0;
};
// The line of one of its lanes.
std::string printedText(const PrintReached& at, std::uint32_t lane);
std::string formatted(const ir::Print& print, const std::vector<PrintedScalar>& scalars);

}  // namespace lanewise
