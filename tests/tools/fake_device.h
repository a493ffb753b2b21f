// A test double: a Device that answers blur and checksum jobs through the oracle, with a bug planted on demand.
#pragma once

#include <cstring>
#include <functional>

#include "golden/oracles/box_blur.h"
#include "golden/oracles/checksum.h"
#include "model/contract/device.h"

namespace lanewise {

class FakeDevice : public Device {
 public:
  // `spoil` may change the result of a job before it is given back.
  explicit FakeDevice(std::function<void(const Job&, RunResult&)> spoil = {}) : spoil_(std::move(spoil)) {
    profile_.name = "fake";
    profile_.minSubgroupSize = profile_.subgroupSize = profile_.maxSubgroupSize = 8;
  }
  const Profile& profile() const override { return profile_; }

  RunResult run(const Job& job) override {
    const ImageData& source = std::get<ImageData>(job.resources[0].data);
    golden::Image input = golden::makeImage({source.extent.x, source.extent.y}, 4, golden::Component::kU8);
    input.bytes = source.bytes;
    RunResult result;
    result.outputs = {job.resources.back()};
    if (job.dispatches.size() == 1) {
      result.outputs[0].bytes() = golden::byteSumImage(input).bytes;
    } else {
      std::uint32_t radius = 0;
      std::memcpy(&radius, job.dispatches[0].push.data() + 8, 4);
      const auto edge = golden::kEdges[job.dispatches[0].spec[0].value];
      result.outputs[0].bytes() = golden::boxBlur(golden::BoxForm::kDouble, input, radius, edge)->bytes;
    }
    if (spoil_) spoil_(job, result);
    return result;
  }

 private:
  Profile profile_;
  std::function<void(const Job&, RunResult&)> spoil_;
};

}  // namespace lanewise
