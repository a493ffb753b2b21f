// Runs a job on the model, and says what came of it.
#ifndef LANEWISE_RUN_H
#define LANEWISE_RUN_H

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "job.h"

namespace lw {

struct RunOptions {
  std::string profile = "strict";     // "strict", "adverse", "lavapipe,minMax=second": docs/model.md
  std::string schedule = "in-order";  // "in-order", "reverse", "seed:7", "lanes", ...: docs/model.md
  bool findings = false;              // look for data races, accesses out of range and other errors; slower
  // Set from another thread: the run soon ends as interrupted, also in the middle of a loop. So does a step of a session that was opened
  // with it; the session goes on from where it is once this is false again.
  const std::atomic<bool>* stop = nullptr;
};

// An error of the kernel that was seen while it ran.
struct Finding {
  std::string kind;    // "data race": docs/findings.md
  std::string text;    // in one line
  std::string place;   // "blur.comp:31"
  std::string object;  // the resource or variable
  std::uint32_t dispatch = 0;
  Extent invocation{};
  std::uint64_t count = 1;
};

struct Run {
  std::optional<Error> error{};     // then there are no outputs
  std::vector<Resource> outputs{};  // in the order of the job
  std::vector<Finding> findings{};
  std::vector<std::string> printed{};  // by debugPrintfEXT
  double seconds = 0;
  // What was run, and how: for whoStored().
  std::shared_ptr<const Job> job{};
  RunOptions options{};
  std::string device{};  // "model", or the device's name

  // The output of this name; without a name the first. nullptr: there is none.
  LANEWISE_EXPORT const Resource* output(const std::string& name = "") const;
};

// Safe to call from several threads at once. The result keeps the job: a copy, or the one that is given.
LANEWISE_EXPORT Run run(const Job& job, const RunOptions& options = {});
LANEWISE_EXPORT Run runShared(std::shared_ptr<const Job> job, const RunOptions& options = {});

// The store that a byte of an output has its value from, found by running the job once more on the model. `stop`: as RunOptions::stop.
struct Stored {
  bool stored = false;  // false: nobody wrote the byte
  std::uint32_t dispatch = 0;
  Extent invocation{};
  std::string place, instruction;  // "blur.comp:31", "OpImageWrite"
  // "stored by invocation (1, 0, 0) at blur.comp:31 (OpImageWrite)"
  LANEWISE_EXPORT std::string text() const;
};
LANEWISE_EXPORT Expected<Stored> whoStored(const Run& run, const std::string& output, std::uint64_t byte,
                                           const std::atomic<bool>* stop = nullptr);

// "texel 12,7", "texel 12,7 level 2", of a buffer "byte 16".
LANEWISE_EXPORT std::string placeOf(const Resource& resource, std::uint64_t byte);

}  // namespace lw

#endif
