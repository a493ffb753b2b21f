#include "model/check/undefined_sieve.h"

#include <algorithm>

#include "model/check/locals_used.h"
#include "model/ir/operation_info.h"

namespace lanewise::undefined {

namespace {

// Of an instruction: one of its arguments is a register that is undefined.
bool takesUndefined(const Program& p, std::uint32_t pc) {
  return std::ranges::any_of(p.argumentsOf(pc), [&](const DescribedOperand& a) {
    return std::ranges::any_of(p.undefined, [&](const UndefinedSlot& u) { return u.slot.offset == a.slot.offset; });
  });
}

// More than variables in lane memory that begin so.
bool usesUndefined(const Program& p) {
  for (std::uint32_t pc = 0; !p.undefined.empty() && pc < p.code.size(); ++pc)
    if (p.info[pc].op != ir::kLocalFill && takesUndefined(p, pc)) return true;
  return false;
}

}  // namespace

bool areLikely(std::span<const Program* const> programs) {
  return std::ranges::any_of(programs, [](const Program* p) {
    for (std::uint32_t pc = 0; pc < p->code.size(); ++pc) {
      if (!std::holds_alternative<kind::Subgroup>(p->code[pc].what)) continue;
      const ir::Source source = ir::factsOf(p->codeOf(pc)).source;
      if (source == ir::Source::kBelow || source == ir::Source::kAbove) return true;
    }
    return usesUndefined(*p);
  });
}

Sieve::Sieve(std::span<const Program* const> programs) {
  for (const Program* p : programs) {
    seen_ = seen_ || usesUndefined(*p);
    locals_ = locals_ || p->laneWords != 0;
  }
}

Answer Sieve::moment(const Moment& moment) {
  if (std::holds_alternative<OperandsUndefined>(moment)) seen_ = true;
  if (const auto* locals = std::get_if<LocalsUsed>(&moment)) use(*locals);
  if (const auto* begins = std::get_if<WorkgroupBegins>(&moment)) {
    const Environment& env = begins->env;
    if (env.slot >= written_.size()) written_.resize(env.slot + 1);
    written_[env.slot].assign(env.program->batches, Words(env.program->laneWords));
  }
  return Answer::kGoOn;
}

void Sieve::use(const LocalsUsed& locals) {
  if (seen_) return;
  Words& written = written_[locals.batch.env->slot][locals.batch.index];
  const Program& program = *locals.batch.env->program;
  const ir::Code op = program.info[locals.pc].op;
  const bool loads = op == ir::kLocalLoad, forgets = op == ir::kLocalFill && takesUndefined(program, locals.pc);
  forEachLocal(locals.batch, locals.pc, locals.lanes, [&](const LaneMask& lanes, std::uint32_t first, std::uint32_t words) {
    for (std::uint32_t word = first; word < first + words; ++word) {
      if (loads)
        seen_ = seen_ || without(lanes, written[word]).any();
      else
        written[word] = forgets ? without(written[word], lanes) : written[word] | lanes;
    }
  });
}

}  // namespace lanewise::undefined
