// The built program, run as a user runs it.
#pragma once

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>

#include "tests/scratch_folder.h"

namespace lanewise {

struct Ran {
  int code = -1;
  std::string text;  // stdout, and whatever the command sent there
};

inline Ran shell(const std::string& command) {
  Ran ran;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return ran;
  char buffer[4096];
  for (std::size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) ran.text.append(buffer, n);
  const int status = ::pclose(pipe);
  if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
  return ran;
}

inline Ran lanewise(const std::string& arguments, const std::string& environment = "") {
  return shell(environment + " " LANEWISE_PROGRAM " " + arguments + " 2>&1");
}

class Scratch : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  const ScratchFolder scratch_;
  const std::filesystem::path& folder_ = scratch_.path();
};

}  // namespace lanewise
