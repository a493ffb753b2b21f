// What a person writes for something to look at: an expression, or the name of a resource and a place in it. All faces of a session take
// the same: "sum * 2", "rows[3, 2]", "rows 3,2", "mips 0,0 level 2", "0:0 16".
#pragma once

#include <string>

#include "model/debug/session.h"

namespace lanewise {

// The index in the job: by its own name, or by one of the kernel of now (resource_name.h). Bad input: there is no such resource, or there
// are several; the error lists what there is.
Expected<std::uint32_t> resourceOf(debug::Session& session, const std::string& name);
// "12,7", "0,0 level 2", and of a buffer "16": the value that has this byte. With its value now.
Expected<debug::Value> valueIn(debug::Session& session, const std::string& resource, const std::string& place);
// "rows 3,2" and "rows[3,2] level 1" -> "rows" and "3,2", "3,2 level 1". Nothing: it is an expression.
std::optional<std::pair<std::string, std::string>> resourceAndPlace(const std::string& text);
Expected<debug::Value> valueOf(debug::Session& session, const std::string& text, Extent3 of, std::size_t frame);

}  // namespace lanewise
