#include "model/compiled/identity.h"

#include <cpuid.h>

#include "model/base/program_folder.h"
#include "model/compiled/llvm.h"

namespace lanewise::compiled {
namespace {

// What the processor says it has, and which registers the system saves.
std::string processor() {
  std::string out;
  const auto add = [&](std::initializer_list<unsigned> words) {
    for (const unsigned word : words) out.append(reinterpret_cast<const char*>(&word), sizeof word);
  };
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(0, &a, &b, &c, &d) != 0) add({b, c, d});
  bool saves = false;
  if (__get_cpuid(1, &a, &b, &c, &d) != 0) {  // b tells which core asks
    add({a, c, d});
    saves = (c & bit_OSXSAVE) != 0;
  }
  for (const unsigned part : {0u, 1u})
    if (__get_cpuid_count(7, part, &a, &b, &c, &d) != 0) add({a, b, c, d});
  if (__get_cpuid(0x80000001u, &a, &b, &c, &d) != 0) add({c, d});
  if (saves) {
    asm volatile("xgetbv" : "=a"(a), "=d"(d) : "c"(0));
    add({a, d});
  }
  return out;
}

}  // namespace

std::string identity() {
  const std::string build = ownBuildId(), library = llvm::identity();
  if (build.empty() || library.empty()) return {};
  return build + "\n" + library + "\n" + processor();
}

}  // namespace lanewise::compiled
