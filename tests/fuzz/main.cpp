// One target, named by LANEWISE_FUZZ_TARGET, for libFuzzer.
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  lanewise::fuzz::LANEWISE_FUZZ_TARGET({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
