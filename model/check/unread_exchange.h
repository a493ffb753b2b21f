// An atomic exchange whose result nobody uses writes, and reads nothing.
#pragma once

#include "model/ir/operation_info.h"
#include "model/state/access.h"

namespace lanewise {

inline bool isExchange(const AccessEvent& event) {
  return event.kind == AccessKind::kAtomic && ir::factsOf(event.batch.env->program->codeOf(event.pc)).atomic == ir::AtomicUse::kExchanges;
}
inline bool isUnreadExchange(const AccessEvent& event) {
  return isExchange(event) && !event.batch.env->program->isResultUsed(event.pc);
}

}  // namespace lanewise
