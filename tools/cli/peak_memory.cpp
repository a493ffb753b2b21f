#include "tools/cli/peak_memory.h"

#include <malloc.h>

#include <cstddef>
#include <fstream>
#include <string>

// jemalloc's, where the program is linked with it (tools/CMakeLists.txt): mallctl(3).
extern "C" int mallctl(const char* name, void* old, std::size_t* oldSize, void* fresh, std::size_t freshSize) __attribute__((weak));

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

// What nobody has goes back to the system first.
PeakMemory::PeakMemory() {
  if (mallctl)
    mallctl("arena.4096.purge", nullptr, nullptr, nullptr, 0);  // MALLCTL_ARENAS_ALL
  else
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
