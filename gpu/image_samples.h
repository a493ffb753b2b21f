// Images of several samples. Vulkan's copies between buffers and images take one sample only (vkCmdCopyBufferToImage,
// VUID-vkCmdCopyBufferToImage-dstImage-07969). So a kernel of Lanewise fills them before a job's first dispatch, and reads them after its
// last, texel by texel, through an integer format of the same size. The device must have shaderStorageImageMultisample. The time of a run
// includes these dispatches.
#pragma once

#include "model/contract/device.h"

namespace lanewise {

// Whether a dispatch binds an image of several samples.
bool bindsSamples(const Job& job);

// The same job with a buffer for each such image, and the dispatches that copy. Unsupported: depth formats, which no kernel stores.
Expected<Job> withSampleCopies(const Job& job);

// Converts the result of that job to one of the original job: the buffers' bytes are the images' bytes.
RunResult withoutSampleCopies(const Job& job, RunResult result);

}  // namespace lanewise
