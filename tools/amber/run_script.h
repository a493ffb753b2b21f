// A script on one device: its commands in their order, as one job for each row of RUNs between which the host has nothing to do.
#pragma once

#include <map>

#include "tools/amber/ready.h"

namespace lanewise::amber {

// What is wrong with what an EXPECT looks at.
struct Unmet {
  std::string text;  // "'out' at byte 4: EQ 5 is expected, it is 7"; empty: nothing
  std::string at;    // the first wrong place, as the debugger's `writer` takes it: "out 4"; empty: it has none
};

// An EXPECT that does not hold.
struct Failed {
  std::size_t number = 0;  // of all that were executed, from 0
  std::string text;        // "job.amber:12:1: 'out' at byte 4: EQ 5 is expected, it is 7"
  std::string at;          // Unmet::at
};

// Runs what it is given step by step, so that the caller decides where a job runs and how long it waits:
//
//   while (const Job* job = run.next()) run.take(device.run(*job));
class ScriptRun {
 public:
  // A device that lacks what the script asks for runs nothing: the result is that error. `subgroupSize`: of pipelines that require none; 0:
  // the device's own. The device's profile says the least and greatest.
  ScriptRun(std::shared_ptr<const ReadyScript> ready, const Profile& profile, const Limits& limits, std::uint32_t subgroupSize = 0);

  // Unsupported: subgroup sizes that differ between runs, data that comes between them, push constants that a run writes.
  Expected<WholeScript> whole() &&;

  // The next job, or nullptr when all commands are done or an error has stopped it.
  const Job* next();
  void take(RunResult result);

  // All outputs of the script, seconds, findings and what was printed, or the first error. Their dispatches are the script's runs.
  RunResult result() &&;
  const std::vector<Failed>& failed() const { return failed_; }
  std::size_t expectations() const { return expectations_; }
  // What failed, a line each; empty if nothing did.
  std::string failedText() const;

 private:
  const Command* command();
  bool awaitsPush(const RunCommand& run) const;
  Status append(const RunCommand& run);
  void use(std::size_t buffer, bool writes);
  Status refuseSizes(const CopyCommand& copy) const;
  Status refuseMore(Place at) const;
  Status appendCopy(const CopyCommand& copy);
  Status appendWhole(const Command& command);
  std::uint32_t sizeFor(const Subgroups& subgroups) const;
  void execute(const Command& command);

  std::shared_ptr<const ReadyScript> ready_;
  const Profile& profile_;
  std::uint32_t subgroupSize_;
  std::vector<std::vector<std::byte>> bytes_;                       // of each buffer, now
  Job job_;                                                         // what waits to be run
  std::map<std::pair<std::size_t, std::size_t>, Dispatch> copies_;  // made once for each two buffers
  Limits limits_;
  std::size_t command_ = 0;
  std::size_t repeatBegin_ = 0, repeatEnd_ = 0;
  std::uint32_t repeatLeft_ = 0;
  bool waiting_ = false;
  std::vector<Failed> failed_;
  std::size_t expectations_ = 0;
  std::uint32_t runs_ = 0;  // that are done
  WholeScript whole_;
  RunResult all_;
};

// `bytes`: of every buffer.
Unmet checkExpectation(const Script& script, const Command& command, std::span<const std::vector<std::byte>> bytes);

}  // namespace lanewise::amber
