// A program of the user, in any language, that says what the results of a case are. It is started once and asked many times.
//
// The protocol (docs/descriptions.md): on its standard input a line of JSON and the bytes of the inputs; on its standard output a line of
// JSON and the bytes of the outputs. A crash, a time limit and wrong sizes are errors (bad input), each with what the program last wrote to
// its standard error. After kMostFailures it is not started again. Thread-safe: one question at a time.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <mutex>
#include <string>
#include <vector>

#include "model/base/file.h"
#include "model/base/outcome.h"

namespace lanewise {

struct ReferenceArray {
  std::string name, dtype;  // as numpy names types: "<u4"
  std::vector<std::uint64_t> shape;
  std::uint64_t bytes = 0;
  const std::vector<std::byte>* data = nullptr;  // of an input
};

struct ReferenceQuestion {
  std::string name;                                          // of the case
  std::vector<std::pair<std::string, std::int64_t>> values;  // width, height, and the parameters
  std::vector<std::pair<std::string, std::string>> choices;  // those that are names
  std::vector<ReferenceArray> inputs, outputs;
};

class ReferenceProgram {
 public:
  static constexpr std::uint32_t kMostFailures = 3;

  // It runs in `folder`. `seconds`: for one answer. `stop`, set from outside: questions end as interrupted.
  ReferenceProgram(std::vector<std::string> command, std::string folder, double seconds, const std::atomic<bool>* stop)
      : command_(std::move(command)), folder_(std::move(folder)), seconds_(seconds), stop_(stop) {}
  ~ReferenceProgram();
  ReferenceProgram(const ReferenceProgram&) = delete;
  ReferenceProgram& operator=(const ReferenceProgram&) = delete;

  // The bytes of each output.
  Expected<std::vector<std::vector<std::byte>>> ask(const ReferenceQuestion& question);

 private:
  Status start();
  void end();
  Error failed(std::string what);
  Expected<std::vector<std::vector<std::byte>>> answerOf(const ReferenceQuestion& question, std::string& reply, bool& whole) const;
  Expected<std::vector<std::vector<std::byte>>> exchange(const ReferenceQuestion& question, const std::string& header);

  const std::vector<std::string> command_;
  const std::string folder_;
  const double seconds_;
  const std::atomic<bool>* const stop_;
  std::mutex mutex_;
  pid_t pid_ = -1;
  Descriptor socket_, messages_;
  std::uint32_t failures_ = 0;  // since its last answer, and all that came too late
  std::uint32_t late_ = 0;
  std::string last_, wrote_;  // how it failed last, and what it had written then
};

}  // namespace lanewise
