#include "tools/check/certificate.h"

#include <algorithm>

namespace lanewise {

void add(Certificate& to, const Certificate& from) {
  to.explored += from.explored;
  to.withoutSubgroups += from.withoutSubgroups;
  to.executions += from.executions;
  to.repeated += from.repeated;
  to.turns += from.turns;
  to.staleSeeds += from.staleSeeds;
  for (ExploredOrders Certificate::*const orders : {&Certificate::bySubgroups, &Certificate::byInvocations}) {
    (to.*orders).executions += (from.*orders).executions;
    (to.*orders).most = std::max((to.*orders).most, (from.*orders).most);
  }
  to.opened += from.opened;
  if (!to.open.empty()) return;
  to.open = from.open;
  to.alike = from.alike;
}

}  // namespace lanewise
