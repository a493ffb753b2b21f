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

OpKey keyOf(const ir::Function& f, ir::Value v, std::span<const ir::Access> accesses, std::span<const ir::ImageAccess> images) {
  const ir::Node& n = f.nodes[v];
  const auto args = f.args(v);
  const auto typeOf = [&](std::size_t i) { return i < args.size() ? f.nodes[args[i]].type : Scalar::kNone; };
  if (const auto* memory = std::get_if<kind::Memory>(&n.what)) {
    const ir::Access& a = accesses[memory->access];
    return {n.op, a.type, Scalar::kNone, a.space};
  }
  if (const auto* atomic = std::get_if<kind::Atomic>(&n.what)) {
    const ir::Access& a = accesses[atomic->access];
    return {n.op, n.type, a.type, a.space};
  }
  if (const auto* image = std::get_if<kind::Image>(&n.what)) return {n.op, n.type, images[image->access].component};
  if (n.op == ir::kLocalStore) return {n.op, typeOf(1)};
  if (const auto* subgroup = std::get_if<kind::Subgroup>(&n.what)) return {n.op, n.type, typeOf(0), {}, subgroup->op};
  return {n.op, n.type, typeOf(0)};
}

}  // namespace lanewise
