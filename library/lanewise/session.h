// Stepping through a run on the model, forwards and backwards.
#ifndef LANEWISE_SESSION_H
#define LANEWISE_SESSION_H

#include <memory>
#include <string>

#include "run.h"

namespace lw {

struct Stop {
  std::string why;              // "step", "breakpoint", "stored", "end", "nothing more", ...
  std::string place, function;  // "blur.comp:31", "main"; empty at the end
  Extent invocation{};
  std::uint32_t dispatch = 0;
  bool atEnd = false;
};

// One run, looked at by one invocation. Not for several threads at once; different sessions are. Errors of all: bad input for a session
// that is not open, and for a place, a resource or a name that there is not; unsupported where the invocation that is looked at has no
// place now; finding where the kernel itself fails, with the Stop at which it does.
class LANEWISE_EXPORT Session {
 public:
  // Errors: those of run().
  static Expected<Session> open(const Job& job, const RunOptions& options = {});
  Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  // To another line of the invocation, or to its next instruction.
  Expected<Stop> step(bool forward = true);
  Expected<Stop> stepInstruction(bool forward = true);
  // To the next breakpoint, or to the end of the run (backwards: its beginning).
  Expected<Stop> go(bool forward = true);
  Expected<Stop> toEnd();
  // To where an invocation begins; it is looked at from then on.
  Expected<Stop> toInvocation(Extent global);
  // To who stored to this byte of a resource last, before now.
  Expected<Stop> toWriter(const std::string& resource, std::uint64_t byte);
  // A place to stop at: "31", "blur.comp:31", or a function's name. The number is the breakpoint's.
  Expected<std::uint32_t> breakAt(const std::string& place);
  // The value of an expression in GLSL for the invocation: "sum", "cell.x + 1". As text: "(1, 2)", "7".
  Expected<std::string> value(const std::string& expression);
  Stop here();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace lw

#endif
