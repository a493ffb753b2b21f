// How long a wait for a device lasts. A device on the CPU shares its cores with whatever else runs: on a busy machine it may have had
// little of its time when the limit has passed. Then it is given as much again, until it has used the limit in processor time, does
// nothing, or has had kMostTurns times the limit.
#pragma once

#include <cstdint>

namespace lanewise {

class Patience {
 public:
  static constexpr std::uint32_t kMostTurns = 10;

  // `used`: seconds of processor time that the device's process has used until now.
  Patience(double limit, bool onCpu, double used) : limit_(limit), onCpu_(onCpu), first_(used), last_(used) {}

  // Asked each time when the limit has passed: is it worth as much again?
  bool waitsOn(double used) {
    const bool worked = used > last_;
    last_ = used;
    return onCpu_ && worked && used - first_ < limit_ && ++turns_ < kMostTurns;
  }

 private:
  double limit_;
  bool onCpu_;
  double first_, last_;
  std::uint32_t turns_ = 0;
};

}  // namespace lanewise
