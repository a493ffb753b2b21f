#include "model/operations/evaluate.h"

#include <array>

#include "model/state/batch.h"

namespace lanewise {

std::optional<std::uint64_t> evaluate(const OpRows& rows, ir::Code op, Scalar result, std::span<const Scalar> types,
                                      std::span<const std::uint64_t> bits) {
  constexpr std::size_t kSlot = 128, kMaxArguments = 16;
  if (types.empty() || types.size() > kMaxArguments) return {};
  const OpRow* row = rows.findBase({op, result, types[0]});
  if (!row) return {};
  alignas(64) std::array<std::byte, kSlot*(kMaxArguments + 1)> file;  // what is read of it is filled below
  Batch batch;
  std::optional<Program> program;
  Environment env;
  batch.regs = file.data();
  batch.width = kGroup;
  batch.env = &env;
  batch.singleStep = true;
  if (types.size() > 3) env.program = &program.emplace();
  Instr code[2];  // a handler looks at the instruction behind its own
  Instr& instr = code[0];
  instr.groups = 1;
  instr.dst = kSlot * kMaxArguments;
  std::uint32_t* const slots[] = {&instr.a, &instr.b, &instr.c};
  for (std::size_t i = 0; i < types.size(); ++i) {
    const auto at = static_cast<std::uint32_t>(i * kSlot);
    for (std::uint32_t lane = 0; lane < kGroup; ++lane) {
      if (isWide(types[i]))
        batch.slot<std::uint64_t>(at)[lane] = bits[i];
      else
        batch.slot<std::uint32_t>(at)[lane] = static_cast<std::uint32_t>(bits[i]);
    }
    if (i < 3) *slots[i] = at;
    if (program) program->operands.push_back({at, 0});
  }
  if (program) program->operands.push_back({instr.dst, 0});
  row->quiet(code, batch);
  return isWide(result) ? *batch.slot<std::uint64_t>(instr.dst) : *batch.slot<std::uint32_t>(instr.dst);
}

}  // namespace lanewise
