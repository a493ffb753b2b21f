// What the observed engine finds wrong with a kernel while it runs, also where a device hides it. Plain values; text is made on demand.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace lanewise {

enum class FindingKind : std::uint8_t {
  kBufferOutOfRange,   // a byte outside of the buffer or push constants that are bound
  kArrayOutOfRange,    // an index at or beyond a declared length, also where the access stays inside of its object
  kTexelOutOfRange,    // a texel outside of its image level
  kLevelOutOfRange,    // a mip level that the view does not have
  kNoDescriptor,       // a descriptor that is not bound
  kUninitialised,      // a read of what nothing has written: workgroup memory, or a resource whose bytes are undefined
  kNeverWritten,       // bytes or texels of an undefined output that are so still at the end
  kWrittenTwice,       // a byte or texel of an output that two invocations of a dispatch write with no barrier of their workgroup between
  kStepLimit,          // an invocation that executed more instructions than it may
  kBarrierMissed,      // a control barrier of a workgroup some of whose invocations returned before it
  kRace,               // two invocations use a place, one of them writes, and the memory model does not order them
  kRaceOfEqualValues,  // the same, where both write what is there
};

// "out of range (buffer)", "out of range (array)", ...
const char* findingName(FindingKind kind);

// All of one kind from one source line of one dispatch, told by the first.
struct RunFinding {
  FindingKind kind{};
  std::uint32_t dispatch = 0;
  std::array<std::uint32_t, 3> workgroup{};
  std::array<std::uint32_t, 3> invocation{};  // gl_GlobalInvocationID
  std::string line;                           // "blur.comp:31", or the module and the word; empty where no instruction is to blame
  std::string instruction;                    // "OpImageRead"; empty likewise
  std::string object;                         // the resource or variable
  std::string place;                          // "byte 64 of 64", "index 9 of 8", "texel 3,4 of level 0, which has 3x4"
  std::string other;                          // the other culprit of kWrittenTwice, kBarrierMissed and races
  std::string mend;                           // of a race: what is missing between the two, and the smallest change that mends it
  std::uint64_t count = 1;                    // how often

  // One line.
  std::string text() const;
};

}  // namespace lanewise
