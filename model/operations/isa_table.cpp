// Compiled once for each instruction set: the whole table, made of that set's functions.
#include "model/operations/isa_table.h"

#include "model/operations/ops.h"

namespace lanewise {

OpTable LANEWISE_MAKE_TABLE() {
  OpTable table;
  addIntegerRows(table);
  addLogicRows(table);
  addConversionRows(table);
  addFloatRows(table);
  addGlslRows(table);
  addTranscendentalRows(table);
  addMemoryRows(table);
  addLaneMemoryRows(table);
  addAtomicRows(table);
  addImageRows(table);
  addSampleRows(table);
  addSubgroupRows(table);
  addControlRows(table);
  addCheckRows(table);
  return table;
}

}  // namespace lanewise
