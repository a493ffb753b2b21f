// The adapter on a pair of files: one editor by the standard input and output, or each connection to a port of this host.
//
// A thread reads, so that pause, cancel and the end are seen while the run goes; another carries out. Promise: each connection has a
// session of its own; what one sends touches no other.
#pragma once

#include "tools/dap/adapter.h"

namespace lanewise::dap {

// Until the editor disconnects, its input ends, or `isOver`, asked ten times a second, is true.
void serve(int in, int out, const Adapter::Opener& opener, const std::function<bool()>& isOver);

// Listens on 127.0.0.1 alone; `port` 0: any. Calls `listening` with the port, and returns when `isOver` is true. Errors: kIoError.
Status serveTcp(std::uint16_t port, const Adapter::Opener& opener, const std::function<void(std::uint16_t)>& listening,
                const std::function<bool()>& isOver);

}  // namespace lanewise::dap
