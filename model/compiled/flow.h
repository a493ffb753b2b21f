// What the compiler has to know about a program's control flow: which blocks lanes may wait at, where a batch has to wait for the other
// batches of its workgroup, and what it keeps meanwhile.
//
// Promise: memory changes as in the interpreter. It executes an instruction for `Program::together` lanes at once, and compiled code for
// the fewer lanes of a batch. So a batch stops before an access that could meet an earlier one of another batch, until those have caught
// up: the batch that is furthest behind runs first, of two at the same stop the lower one. Of a program whose lanes run alone
// (Program::separateLanes) the code is that of one lane, which stops where lanes meet (exec/lanes.h).
#pragma once

#include <string>
#include <vector>

#include "model/ir/laid.h"

namespace lanewise::compiled {

enum class StopKind : std::uint8_t {
  kMeeting,    // until others have caught up
  kBarrier,    // of the workgroup: the instruction at `before`
  kTogether,   // an operation of the subgroup, by lanes that ran alone. It has two more stops behind this one:
  kArguments,  // they are in the lane's registers, and the operation is due
  kResults,    // they were taken from there
  kTellsOrder  // in front of an atomic that tells the order of workgroups, of one that runs ahead of others (Frame::ahead)
};

struct Stop {
  std::uint32_t block = 0;
  std::uint32_t before = 0;  // index into the block's nodes; their count: before it ends
  StopKind kind = StopKind::kMeeting;
  std::vector<ir::Value> live;
};

struct Flow {
  std::vector<std::uint32_t> position;              // by block: in Function::order
  std::vector<std::vector<std::uint32_t>> waiting;  // by block: where other lanes may wait while it runs, nearest first
  std::vector<Stop> stops;                          // in program order; the first is number 1
  std::vector<std::uint8_t> variable;               // by value: it is used behind a stop or in another block
  std::vector<bool> tellsOrder;                     // by instruction: a stop of the kind kTellsOrder is there; empty: none is
  std::string refusal;                              // why the program is not compiled; empty: it is

  bool together(std::uint32_t block) const { return waiting[block].empty(); }
};

Flow flowOf(const LaidProgram& program);

}  // namespace lanewise::compiled
