// An atomic exchange whose result nobody uses writes, and reads nothing.
#pragma once

#include "model/state/access.h"

namespace lanewise {

inline bool isUnreadExchange(const AccessEvent& event) {
  const Program& program = *event.batch.env->program;
  return event.kind == AccessKind::kAtomic && program.codeOf(event.pc) == ir::core(spv::Op::OpAtomicExchange) &&
         !program.isResultUsed(event.pc);
}

}  // namespace lanewise
