// The frame of JUnit's XML, which all reports share.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace lanewise {

struct JunitSuite {
  std::string name;
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  std::optional<double> seconds{};
  std::string cases{};  // lines of XML
};

std::string junitDocument(std::span<const JunitSuite> suites);

}  // namespace lanewise
