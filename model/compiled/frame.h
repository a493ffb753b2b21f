// What compiled code gets from its caller and leaves there: one for each batch of a workgroup. Its layout is read by the compiler
// (emit.cpp) by offsetof.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "model/state/batch.h"

namespace lanewise::compiled {

struct Window {
  std::byte* data = nullptr;
  std::uint64_t size = 0;
  // Of a resource that others use at the same time (exec/marks.h); nullptr: nothing is marked.
  std::byte* marks = nullptr;    // a bit for each word of the resource that was stored to, then one for each that was loaded
  std::byte* touched = nullptr;  // a byte for each kMarksTogether of these
  std::uint64_t first = 0;       // the word of the resource where the window begins
  std::uint64_t loads = 0;       // so many bits in front of the marks of loads
};
inline constexpr std::uint32_t kMarksTogether = 4096;

inline constexpr std::int64_t kStepsBetweenLooks = 1 << 20;
static_assert(sizeof(std::atomic<bool>) == 1 && std::atomic<bool>::is_always_lock_free, "it is read as a byte");

// The first level of a view.
struct ImageWindow {
  std::byte* data = nullptr;
  std::uint32_t rowBytes = 0, sliceBytes = 0;
  std::uint32_t extent[3] = {}, layers = 0;
  std::uint32_t isPlain = 0;  // compiled code may access its texels: rows begin at words, all places are below 2^31, the rules are strict
  std::uint32_t pad = 0;
};

struct Frame {
  std::byte* registers = nullptr;       // the batch's
  std::byte* saved = nullptr;           // what lives while the batch waits
  const Window* buffers = nullptr;      // by resource of the program, of its first descriptor
  const ImageWindow* images = nullptr;  // likewise
  std::byte* workgroup = nullptr;
  std::byte* lanes = nullptr;  // the batch's lane memory
  const std::byte* push = nullptr;
  std::uint64_t pushBytes = 0;
  Batch* batch = nullptr;       // for handlers of the interpreter
  const Instr* code = nullptr;  // the program's
  void (*setMask)(Batch*, std::uint64_t low, std::uint64_t high) = nullptr;
  std::int64_t stepsLeft = 0;               // until `stop` is looked at; below 0, with those behind: the step limit may have been reached
  std::int64_t stepsBehind = 0;             // that may be made after these
  const std::atomic<bool>* stop = nullptr;  // Environment::stop, or one that is never set
  std::uint64_t live[2] = {};               // lanes that have an invocation
  std::uint32_t resume = 0;                 // where to go on: 0 at the beginning, or what the last call returned
  std::uint32_t lane = 0;                   // of a program whose lanes run alone: that one; `saved` is its own (see below)
  std::uint32_t place = 0;                  // set in front of an operation that lanes execute together: its place in `code`
  std::uint32_t ahead = 0;                  // the workgroup runs ahead of others: it stops at an atomic that tells their order
  // Of a program with such atomics: by instruction, whether the run ends in front of it, given up. Only those that access resources
  // that the program stores to are asked.
  const std::uint8_t* guards = nullptr;
  // Of a program whose lanes run alone: the batch with all of them. `batch`, `registers` and `code` are for handlers then: they see the
  // lane as the first one of a batch of its own. What is in lane memory, and for operations of a subgroup, is in `whole`.
  Batch* whole = nullptr;
  std::byte* wholeRegisters = nullptr;
  alignas(16) std::uint64_t zeros[2] = {};  // what is read out of range
};

// Runs a batch, or one of its lanes, until it waits, ends or cannot go on. A result of kFinished and kGivenUp, or the number of a stop.
using Entry = std::uint32_t (*)(Frame*);
inline constexpr std::uint32_t kFinished = 0;
inline constexpr std::uint32_t kGivenUp = 0xffffffffu;

}  // namespace lanewise::compiled
