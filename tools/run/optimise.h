// A module as `spirv-opt -O` makes it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "model/contract/device.h"

namespace lanewise {

// Unsupported: what spirv-opt made, here or in a compiler, is not valid.
Status validateOptimised(const std::string& name, std::span<const std::uint32_t> words);

// Unsupported: SPIRV-Tools cannot optimise it.
Expected<std::shared_ptr<const ShaderModule>> optimisedModule(const ShaderModule& module);

// Runs jobs with all of their modules optimised. Thread-safe, as the device inside is, which must outlive it.
class OptimisingDevice final : public Device {
 public:
  explicit OptimisingDevice(Device& inner) : inner_(inner) {}
  const Profile& profile() const override { return inner_.profile(); }
  RunResult run(const Job& job) override;

 private:
  Device& inner_;
  std::mutex mutex_;
  // By the module; both are held, so that no other module gets the same place.
  std::map<std::shared_ptr<const ShaderModule>, std::shared_ptr<const ShaderModule>> made_;
};

}  // namespace lanewise
