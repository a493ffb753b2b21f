#include "model/operations/operations.h"

#include "model/operations/isa_table.h"

namespace lanewise {
namespace {

enum class Isa : std::uint8_t { kBase, kAvx2, kAvx512 };

// The best that was built and that the host has.
Isa hostIsa() {
#ifdef __x86_64__
  __builtin_cpu_init();
#endif
#ifdef LANEWISE_TABLE_AVX512
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return Isa::kAvx512;
#endif
#ifdef LANEWISE_TABLE_AVX2
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("f16c"))
    return Isa::kAvx2;
#endif
  return Isa::kBase;
}

OpTable makeTable(Isa isa) {
#ifdef LANEWISE_TABLE_AVX512
  if (isa == Isa::kAvx512) return makeTable_avx512();
#endif
#ifdef LANEWISE_TABLE_AVX2
  if (isa == Isa::kAvx2) return makeTable_avx2();
#endif
  static_cast<void>(isa);
  return makeTable_base();
}

}  // namespace

const OpTable& operations() {
  static const OpTable table = makeTable(hostIsa());
  return table;
}

const OpTable& baseOperations() {
  static const OpTable table = makeTable_base();
  return table;
}

}  // namespace lanewise
