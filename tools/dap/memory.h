// The bytes of resources and workgroup memory as an editor's memory view reads them: addresses that stand for a place in one of them.
#pragma once

#include "model/debug/session.h"
#include "tools/dap/arguments.h"

namespace lanewise::dap {

// True of what all invocations, or a workgroup's, share.
bool isReadable(const debug::Region& region);
// "0x10000000004": the number of the resource, counted from 1, times 2^40, plus the byte. Workgroup memory has the number behind all.
std::string addressText(const debug::Region& region);
// The body of a `readMemory` request; of workgroup memory that of the invocation that is looked at. Bad input: no such address.
Expected<Json> readMemory(debug::Session& session, Arguments a);
// The body of a `writeMemory` request: what would happen if the bytes were these. Bad input: no such address, or data that is no base64.
Expected<Json> writeMemory(debug::Session& session, Arguments a);

}  // namespace lanewise::dap
