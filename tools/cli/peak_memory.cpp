#include "tools/cli/peak_memory.h"

#include <malloc.h>

#include <fstream>
#include <string>

namespace lanewise {
namespace {

// A line of /proc/self/status, such as "VmRSS:     1234 kB", in bytes.
std::optional<std::uint64_t> statusBytes(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;)
    if (std::uint64_t kibibytes = 0; word == name && status >> kibibytes) return kibibytes * 1024;
  return {};
}

}  // namespace

PeakMemory::PeakMemory() {
  ::malloc_trim(0);
  constexpr int kResetPeak = 5;  // proc(5)
  std::ofstream reset("/proc/self/clear_refs");
  if (reset << kResetPeak << std::flush) before_ = statusBytes("VmRSS:");
}

std::optional<std::uint64_t> PeakMemory::bytes() const {
  const std::optional<std::uint64_t> most = before_ ? statusBytes("VmHWM:") : std::nullopt;
  if (!most) return {};
  return *most > *before_ ? *most - *before_ : 0;
}

}  // namespace lanewise
