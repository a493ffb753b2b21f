#include "tools/check/certificate.h"

#include <algorithm>

namespace lanewise {

void add(Certificate& to, const Certificate& from) {
  to.explored += from.explored;
  to.withoutSubgroups += from.withoutSubgroups;
  to.executions += from.executions;
  to.repeated += from.repeated;
  to.turns += from.turns;
  to.subgroups = std::max(to.subgroups, from.subgroups);
  to.opened += from.opened;
  if (!to.open.empty()) return;
  to.open = from.open;
  to.alike = from.alike;
}

}  // namespace lanewise
