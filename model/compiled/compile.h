// From a program to native code of this host.
#pragma once

#include <string>

#include "model/compiled/flow.h"
#include "model/compiled/frame.h"
#include "model/compiled/object.h"

namespace lanewise::compiled {

// A program and its code. What a batch needs to run besides registers: `savedBytes` for Frame::saved.
struct Compiled {
  std::shared_ptr<const LaidProgram> program;
  Code code;
  std::vector<std::uint8_t> barriers;  // by stop, the first is number 1: 1 where the whole workgroup waits
  std::uint32_t savedBytes = 0;
  double seconds = 0;       // that compiling took
  std::uint32_t calls = 0;  // instructions that handlers execute
  Entry entry() const { return reinterpret_cast<Entry>(const_cast<void*>(code.function())); }
};

// What compiling takes, roughly, in seconds.
double estimatedSeconds(const Program& program);

// Thread-safe. Unsupported, by name, where the tier does not take it: then the
// interpreter runs it. `text`: gets LLVM's own text of the function before and after its passes, for people who change the compiler.
Expected<std::shared_ptr<const Compiled>> compile(std::shared_ptr<const LaidProgram> program, std::string* text = nullptr);

}  // namespace lanewise::compiled
