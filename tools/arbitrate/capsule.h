// A failure in one file: what was run, its inputs, the expected result and the actual ones. `lanewise replay` runs it anywhere, without the
// catalogue from which it was made.
//
// The file: a line "lanewise capsule 3", the fields (model/base/archive.h), and the XXH3-128 of all bytes before it. Promise for reading:
// any bytes give a capsule or one Error, and use at most kMostBytes of memory. A file that was cut or changed is bad input.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "golden/image/compare.h"
#include "model/contract/device.h"
#include "tools/catalogue/catalogue.h"

namespace lanewise {

// The result of one side.
struct CapsuleAnswer {
  std::string side, description;
  std::string error;  // the run's error; empty if it gave images
  std::vector<golden::Image> images;
};

struct Capsule {
  std::string tool;      // the version of Lanewise that wrote it
  std::string what;      // the case's name, seed and input included
  std::string ruling;    // the arbitration's ruling
  std::string schedule;  // of the model
  Profile profile;       // of the model
  std::vector<std::shared_ptr<const ShaderModule>> modules;
  Job job;
  Expectation expected;
  std::vector<CapsuleAnswer> answers;
  std::vector<std::string> needs{};  // what a script asked of a device: "feature shaderInt64"; none in a file of version 2
};

std::vector<std::byte> encodeCapsule(const Capsule& capsule);
Expected<Capsule> decodeCapsule(std::span<const std::byte> bytes);

}  // namespace lanewise
