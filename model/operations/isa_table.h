// The tables of the instruction sets that this build has.
#pragma once

#include "model/operations/table.h"

namespace lanewise {

OpTable makeTable_base();
OpTable makeTable_avx2();
OpTable makeTable_avx512();

}  // namespace lanewise
