// A subject opened for debugging, with all that its session needs.
#pragma once

#include <functional>

#include "model/debug/session.h"
#include "model/model.h"
#include "tools/subject/way.h"

namespace lanewise {

// What is opened, and how: `lanewise debug` has these as options.
struct SessionArguments {
  SubjectArguments subject;
  std::string profile, schedule;   // empty: a capsule's own, or strict and in order
  std::string snapshots = "256M";  // bytes that copies of the state may take
};

struct OpenedSession {
  SessionArguments arguments;
  Subject subject;
  std::unique_ptr<Model> model;
  std::unique_ptr<debug::Session> session;
  // Runs a job on a Vulkan device, for `against`; nothing: there are none here.
  std::function<Expected<RunResult>(const std::string& device, const Job& job, const Subject& subject)> runOn;
};

// Stands at the first line. Errors: those of the subject, bad input in the arguments, and of the start of the run.
Expected<std::unique_ptr<OpenedSession>> openForDebugging(const SessionArguments& arguments);

}  // namespace lanewise
