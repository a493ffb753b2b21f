// The families of rows. Each is defined in the ops_*.cpp file of its name, once per instruction set.
#pragma once

#include "model/operations/table.h"
#include "model/scalar/mode.h"

namespace lanewise {
inline namespace LANEWISE_ISA {

void addIntegerRows(OpTable& table);
void addLogicRows(OpTable& table);
void addConversionRows(OpTable& table);
void addFloatRows(OpTable& table);
void addGlslRows(OpTable& table);
void addTranscendentalRows(OpTable& table);
void addMemoryRows(OpTable& table);
void addLaneMemoryRows(OpTable& table);
void addAtomicRows(OpTable& table);
void addImageRows(OpTable& table);
void addSampleRows(OpTable& table);
void addSubgroupRows(OpTable& table);
void addControlRows(OpTable& table);
void addCheckRows(OpTable& table);

}  // namespace LANEWISE_ISA
}  // namespace lanewise
