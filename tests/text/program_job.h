// A text program with its module, and its job: where one of them cannot be read, the test fails.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tests/text/program_modules.h"

namespace lanewise::text {

inline ProgramText wholeProgram(const std::string& file) {
  ProgramText program = readProgram(programPath(file));
  EXPECT_EQ(program.problem, "") << file;
  const auto module = programModule(file);
  EXPECT_TRUE(module.ok()) << module.error().text();
  if (module) program.job.dispatches[0].module = *module;
  return program;
}

inline Job programJob(const std::string& file) {
  return wholeProgram(file).job;
}

}  // namespace lanewise::text
