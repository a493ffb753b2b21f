// The texts of a debugging session: places, values, stops. A text is at most as wide as what it names.
#pragma once

#include <string>
#include <vector>

#include "model/debug/session.h"

namespace lanewise {

// "12,7,0".
std::string invocationText(Extent3 at);
// " in readTexel": the function that an instruction is in; empty if it has no name.
std::string functionText(const debug::Places& places, std::uint32_t pc);
// "%17 OpLoad", "OpStore".
std::string instructionText(const debug::Places& places, std::uint32_t pc);
// "blur.comp:31 in readTexel"; of what has no line the instruction: "%17 OpLoad in main".
std::string placeText(const debug::Places& places, std::uint32_t pc);
// "readTexel".
const std::string& functionName(const debug::Places& places, const SourceFrame& frame);
// The text of a file: from the module, or from its path. Empty if it cannot be found.
std::string fileText(const debug::Places& places, std::uint32_t file);
// "   31  sum += texel;". Empty if the source cannot be found.
std::string sourceText(const debug::Places& places, spirv::SourceLine line, bool isCurrent = false);
// How many lines the file has; 0 if it cannot be found.
std::uint32_t sourceLines(const debug::Places& places, spirv::SourceLine file);

// "(1, 2, ?)", "0x1f" with `hex`.
std::string tupleText(const debug::Tuple& tuple, bool hex = false);
// The bits of each component: x hexadecimal, d signed, u unsigned, f as a float, n as four bytes that stand for 0 to 1.
inline constexpr std::string_view kBitFormats = "xdufn";
std::string bitsText(const debug::Tuple& tuple, char format);
// "ivec2 cell = (12, 7)". `name` is the expression.
std::string valueText(const std::string& name, const debug::Value& value, bool hex = false);
// The same in two parts.
std::string valueText(const debug::Value& value, bool hex = false);
std::string typeText(const debug::Value& value, bool hex = false);
// The value before or after an access; none: the bytes are no whole value of this type and format.
std::optional<std::string> accessedText(const std::vector<std::byte>& bytes, const debug::Value& shape, debug::Session& session);
// The same, or the bytes.
std::string bytesText(const std::vector<std::byte>& bytes, const debug::Value& shape, debug::Session& session);

// "executes next ...", "waits at the barrier ...", ...
std::string standingText(debug::Session& session, const debug::Standing& at);
// A letter for each state, for the picture of a workgroup.
char standingLetter(debug::Standing::State state);

// "printed by 3,0,0: sum is 5".
std::string printedLine(const Printed& line);
std::string breakpointText(const debug::Breakpoint& b);
// "dispatch 0, workgroup 3 of the order, step 17".
std::string timeText(debug::Time time);

}  // namespace lanewise
