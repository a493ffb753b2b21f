// From a program to native code of this host.
#pragma once

#include <atomic>
#include <string>

#include "model/compiled/flow.h"
#include "model/compiled/frame.h"
#include "model/compiled/object.h"

namespace lanewise::compiled {

// What the compiler writes, before it is loaded; kept on disk (store.h).
struct ObjectFile {
  std::uint64_t program = 0;     // fingerprintOf() the program
  std::vector<StopKind> stops;   // the first is number 1
  std::uint32_t savedBytes = 0;  // for Frame::saved
  bool marks = false;            // Compiled::marks
  std::string elf;
  std::uint32_t texelOperations = 0;  // reads and writes of texels that it does without a handler; not kept

  std::string bytes() const;
  static std::optional<ObjectFile> of(std::string_view bytes);
};

// Whether code has been seen to be quicker than the interpreter (exec/compiled_run.h). Slower is what has been so twice.
enum class Trial : std::uint8_t { kNone, kSlowerOnce, kSlower, kQuicker };

// A program and its code: what a batch needs to run besides registers.
struct Compiled {
  std::shared_ptr<const LaidProgram> program;
  Code code;
  std::vector<StopKind> stops;
  std::uint32_t savedBytes = 0;
  bool marks = false;  // it marks every access to a buffer that it stores to, where it is asked to (Window::marks)
  mutable std::atomic<Trial> trial = Trial::kNone;
  mutable std::atomic<double> timesAsFast = 0;  // as the interpreter, when it was tried; 0: it was not
  Entry entry() const { return reinterpret_cast<Entry>(const_cast<void*>(code.function())); }
};

// What compiling takes, roughly, in seconds.
double estimatedSeconds(const Program& program);
// What loading an object file takes, with its program.
inline constexpr double kSecondsToLoad = 3e-3;

// Of everything that is the same in compiled code and in the program: where its values and instructions are.
std::uint64_t fingerprintOf(const LaidProgram& program);

// Thread-safe. Unsupported, by name, where the tier does not take it: then the interpreter runs it. `text`: gets LLVM's own text of the
// function before and after its passes, for people who change the compiler.
Expected<ObjectFile> compile(const LaidProgram& program, std::string* text = nullptr);

// kInternal where the file is damaged, or another program's.
Expected<std::shared_ptr<const Compiled>> load(std::shared_ptr<const LaidProgram> program, const ObjectFile& file);

}  // namespace lanewise::compiled
