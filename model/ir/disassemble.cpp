#include "model/ir/disassemble.h"

#include <fmt/format.h>

namespace lanewise {
namespace {

std::string operandText(const DescribedOperand& o) {
  if (o.slot.offset == 0) return "-";
  return fmt::format("{}%{}", o.slot.step == 0 ? "u" : "", o.slot.offset);
}

}  // namespace

std::string disassemble(const Program& program) {
  std::string text = fmt::format("; {} lanes, subgroups of {}, {} bytes of registers a batch, {} batches a workgroup of {}x{}x{}\n",
                                 program.width, program.subgroupSize, program.registerBytes, program.batches, program.localSize[0],
                                 program.localSize[1], program.localSize[2]);
  for (const ConstantSlot& c : program.constants) text += fmt::format("; u%{} = {:#x}\n", c.offset, c.bits);
  for (std::uint32_t pc = 0; pc < program.code.size(); ++pc) {
    const InstrInfo& info = program.info[pc];
    const Instr& instr = program.code[pc];
    std::string results, arguments;
    for (const DescribedOperand& o : program.resultsOf(pc)) results += (results.empty() ? "" : ", ") + operandText(o);
    for (const DescribedOperand& o : program.argumentsOf(pc)) arguments += ' ' + operandText(o);
    if (const auto* jump = std::get_if<kind::Jump>(&instr.what)) arguments += fmt::format(" {}", jump->target);
    if (const auto* branch = std::get_if<kind::Branch>(&instr.what))
      arguments += fmt::format(" ? {} : {}", branch->whereTrue, branch->whereFalse);
    text += fmt::format("{:5} {:28} {}  {}{}{}{}{}{}\n", pc, program.lineOf(pc), instr.groups == 1 ? 'u' : 'v', results,
                        info.results ? " = " : "", program.opOf(pc), info.type != Scalar::kNone ? " " : "",
                        info.type != Scalar::kNone ? scalarName(info.type) : "", arguments);
  }
  return text;
}

}  // namespace lanewise
