#include "model/operations/operations.h"

#include "model/base/host_level.h"
#include "model/operations/isa_table.h"

namespace lanewise {
namespace {

// The best that was built and that the host has.
OpTable makeTable() {
  [[maybe_unused]] const HostLevel host = hostLevel();
#ifdef LANEWISE_TABLE_AVX512
  if (host == HostLevel::kV4) return makeTable_avx512();
#endif
#ifdef LANEWISE_TABLE_AVX2
  if (host != HostLevel::kBase) return makeTable_avx2();
#endif
  return makeTable_base();
}

}  // namespace

const OpTable& operations() {
  static const OpTable table = makeTable();
  return table;
}

const OpTable& baseOperations() {
  static const OpTable table = makeTable_base();
  return table;
}

}  // namespace lanewise
