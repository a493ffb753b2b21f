// What a program does with each of its resources (ir/resource_use.h).
#include "model/ir/operation_info.h"
#include "model/program/decode.h"

namespace lanewise {
namespace {

using ir::ResourceUse;

ResourceUse atomicUse(const Instr& in, spv::Op op, std::uint32_t bytes) {
  ResourceUse use;
  use.sum = in.dst == 0 ? ir::sumOf(ir::codeOf(op)) : spv::Op::OpNop;
  use.sumBytes = bytes;
  use.how = use.sum != spv::Op::OpNop ? ResourceUse::kSums : ResourceUse::kOrdered;
  return use;
}

ResourceUse imageUse(ir::Code op, const ir::ImageAccess& image) {
  ResourceUse use;
  use.levels = image.hasLod || op == ir::kImageSample;
  if (op == ir::kImageAtomic)
    use.how = ResourceUse::kOrdered;
  else
    use.how = op == ir::kImageWrite ? ResourceUse::kStores : op == ir::kImageSample ? ResourceUse::kSamples : ResourceUse::kLoads;
  return use;
}

}  // namespace

ir::ResourceUses resourceUses(const Program& program) {
  ir::ResourceUses out;
  out.all.resize(program.resources.size());
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const Instr& in = program.code[pc];
    const ir::Code op = program.info[pc].op;
    if (op == ir::kPrint) return out;
    if (const ir::Access* access = program.accessOf(pc)) {
      if (access->space == ir::Space::kPhysical || access->space == ir::Space::kVariable) return out;
      if (access->space != ir::Space::kBuffer) continue;
      ResourceUse& own = out.all[access->resource];
      const std::uint32_t bytes = scalarBytes(access->type);
      if (const auto* atomic = std::get_if<kind::Atomic>(&in.what))
        own.add(atomicUse(in, atomic->op, bytes));
      else
        own.access(op == ir::kStore ? ResourceUse::kStores : ResourceUse::kLoads, bytes);
    } else if (const ir::ImageAccess* image = program.imageAccessOf(pc); image && op != ir::kImageQuery) {
      out.all[image->resource].add(imageUse(op, *image));
    }
  }
  out.elsewhere = false;
  return out;
}

}  // namespace lanewise
