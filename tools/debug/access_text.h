// What an access does, by the name and the type of what it touches.
#pragma once

#include <string>

#include "model/debug/session.h"

namespace lanewise {

// "tile[1].mass: 0 becomes 1", "data[3]: it is 5". The session stands at the access. Bytes where the module has no names.
std::string accessText(debug::Session& session, const debug::Hit& hit);

}  // namespace lanewise
