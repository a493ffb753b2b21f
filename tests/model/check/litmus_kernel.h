// A litmus program as a kernel: each thread is an invocation, workgroups and subgroups as the program has them, storage class 0 is buffers
// and storage class 1 images. Every write stores the number of its event plus 1, so what a read has seen says which write it was.
#pragma once

#include <optional>

#include "model/contract/device.h"
#include "tests/model/check/litmus.h"

namespace lanewise::memory_model {

// Nothing for what one dispatch cannot be: several queue families, threads that a queue synchronizes, and control
// barriers of more than a workgroup.
std::optional<Job> kernelOf(const Litmus& litmus);

// By event, what a run of it has read: the write, or kInitial; also kInitial where the event is no read.
std::vector<std::int32_t> readsOf(const Litmus& litmus, const RunResult& result);

}  // namespace lanewise::memory_model
