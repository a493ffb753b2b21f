// What the targets share.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/fuzz/targets.h"

namespace lanewise::fuzz {

inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

inline std::string_view textOf(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A file of this process's own, written anew for each input.
inline std::filesystem::path fileOf(Bytes bytes, const std::string& ending) {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / ("lanewise-fuzz-" + std::to_string(::getpid()) + ending);
  std::ofstream(file, std::ios::binary).write(textOf(bytes).data(), static_cast<std::streamsize>(bytes.size()));
  return file;
}

}  // namespace lanewise::fuzz
