// Runs `lanewise debug` on files of a scratch folder, with commands from the input.
#pragma once

#include <fstream>

#include "tests/tools/cli/cli_fixture.h"

namespace lanewise {

// Each invocation sums in a loop of its own length.
inline constexpr const char* kTurns = R"(#version 450
layout(local_size_x = 4) in;
layout(binding = 0) buffer Data { uint data[]; };
uint twice(uint x) {
  return x + x;
}
void main() {
  uint sum = 0u;
  for (uint i = 0u; i <= gl_LocalInvocationIndex; ++i)
    sum += twice(i);
  data[gl_GlobalInvocationID.x] = sum;
}
)";

class DebugScratch : public Scratch {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }
  Ran debug(const std::string& arguments, const std::string& commands) const {
    const std::string script = write("commands", commands);
    return shell("cd " + folder_.string() + " && " LANEWISE_PROGRAM " debug " + arguments + " < " + script + " 2>&1");
  }
};

}  // namespace lanewise
