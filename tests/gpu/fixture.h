// What the Vulkan tests share: the devices there are, jobs made of test kernels, and expectations on results.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <span>

#include "gpu/devices.h"
#include "gpu/mesa_version.h"
#include "gpu/worker_device.h"
#include "tests/kernels/kernels.h"

namespace lanewise {

template <class T>
std::vector<std::byte> bytesOf(const std::vector<T>& values) {
  const auto bytes = std::as_bytes(std::span(values));
  return {bytes.begin(), bytes.end()};
}

inline std::vector<std::uint32_t> wordsOf(const std::vector<std::byte>& bytes) {
  std::vector<std::uint32_t> out(bytes.size() / 4);
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), out.size() * 4);
  return out;
}

inline Resource bufferOf(std::string name, const std::vector<std::uint32_t>& words, bool output = false) {
  return {std::move(name), BufferData{bytesOf(words)}, false, output};
}

// gpu_add over `source`: target = source * factor + bias, with a workgroup of 32.
inline Job addJob(const std::vector<std::uint32_t>& source, std::uint32_t factor) {
  Job job;
  job.resources = {bufferOf("source", source), bufferOf("target", std::vector<std::uint32_t>(source.size(), 0xa7a7a7a7u), true)};
  Dispatch d;
  d.module = testKernel("gpu_add");
  d.groups = {std::uint32_t(source.size() + 31) / 32, 1, 1};
  d.spec = {{2, 32}};
  d.push = bytesOf(std::vector<std::uint32_t>{std::uint32_t(source.size()), factor});
  d.bindings = {{0, 0, 0, "source"}, {1, 3, 0, "target"}};
  job.dispatches = {d};
  return job;
}

// One invocation of a kernel on one buffer at (0, 0), which is the output.
inline Job oneBufferJob(const std::string& kernel, const std::vector<std::uint32_t>& words) {
  Job job;
  job.resources = {bufferOf("target", words, true)};
  Dispatch d;
  d.module = testKernel(kernel);
  d.bindings = {{0, 0, 0, "target"}};
  job.dispatches = {d};
  return job;
}

// How many operands a comparison of operations takes for each: LANEWISE_OPERANDS, which the nightly tests set to a million.
inline std::uint64_t operandsAsked(std::uint64_t otherwise) {
  const char* text = std::getenv("LANEWISE_OPERANDS");
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

// The devices on this machine, asked once.
inline const std::vector<DeviceEntry>& allDevices() {
  static const Expected<std::vector<DeviceEntry>> entries = discoverDevices();
  static const std::vector<DeviceEntry> none;
  if (!entries) {
    ADD_FAILURE() << entries.error().text();
    return none;
  }
  return *entries;
}

inline const DeviceEntry* deviceNamed(std::string_view name) {
  for (const DeviceEntry& e : allDevices()) {
    if (e.name == name) return &e;
  }
  return nullptr;
}

// A device's name as GoogleTest takes names of instances.
inline std::string deviceTestName(const testing::TestParamInfo<const char*>& instance) {
  std::string name = instance.param;
  std::erase(name, '-');
  return name;
}

// With the validation layer, unless the options or LANEWISE_WITHOUT_VALIDATION (a machine that lacks it) say otherwise. nullptr (and a
// failure) if it does not open.
inline std::unique_ptr<WorkerDevice> openForTest(std::string_view name, DeviceOptions options = {.validation = true}) {
  const DeviceEntry* entry = deviceNamed(name);
  if (!entry) {
    ADD_FAILURE() << "no device " << name;
    return nullptr;
  }
  if (std::getenv("LANEWISE_WITHOUT_VALIDATION")) options.validation = false;
  Expected<std::unique_ptr<WorkerDevice>> device = openWorkerDevice(*entry, options);
  if (!device) {
    ADD_FAILURE() << device.error().text();
    return nullptr;
  }
  return std::move(*device);
}

// What kernels of a test may use: lavapipe at 16 lanes overwrites its stack with values of 64 bits since Mesa 25.2
// (docs/device-deviations.md; programs that say `differs lavapipe-16 from 25.2` show it).
inline std::vector<std::string> usableCapabilities(std::string_view name, const Profile& profile) {
  std::vector<std::string> usable = profile.capabilities;
  if (name == "lavapipe-16" && mesaVersion(profile) >= std::pair(25, 2))
    std::erase_if(usable, [](const std::string& c) { return c.find("64") != std::string::npos; });
  return usable;
}

inline void expectError(const RunResult& result, Outcome outcome, const std::string& part) {
  ASSERT_TRUE(result.error) << "expected an error with '" << part << "'";
  EXPECT_EQ(result.error->outcome, outcome) << result.error->text();
  EXPECT_THAT(result.error->text(), testing::HasSubstr(part));
}

inline void expectWords(const RunResult& result, const std::vector<std::uint32_t>& expected) {
  ASSERT_FALSE(result.error) << result.error->text();
  ASSERT_EQ(result.outputs.size(), 1u);
  EXPECT_EQ(wordsOf(result.outputs[0].bytes()), expected);
}

}  // namespace lanewise
