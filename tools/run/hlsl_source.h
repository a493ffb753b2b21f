// What is read of the text of HLSL before it is compiled.
#pragma once

#include <string>
#include <vector>

namespace lanewise {

// The functions with [numthreads(..)], whatever #if says.
std::vector<std::string> hlslEntries(const std::string& source);

// Whether a #line names a file.
bool namesFiles(const std::string& source);

// Whether it says [[vk::binding(..)]], in a macro too.
bool saysBindings(const std::string& source);

// Whether it says vk, in a macro or a comment too.
bool saysVulkan(const std::string& source);

// The macros that stand for [[vk::push_constant]] alone.
std::vector<std::string> pushConstantMacros(const std::string& source);

// glslang takes [[vk::push_constant]] of a cbuffer or a ConstantBuffer<T>, and makes a uniform buffer of another variable, on which DXC's
// documents have it. `[[vk::push_constant]] T name;` becomes `[[vk::push_constant]] ConstantBuffer<T> name;` in its line; so do `const T`,
// `struct T`, a struct that is written out, one of the macros instead of the attribute, and what a macro consists of.
std::string withPushConstants(std::string text, const std::vector<std::string>& macros);

// What is marked as push constants after that, and is neither a cbuffer nor a ConstantBuffer<T>, so that glslang would lose it; else empty.
std::string lostPushConstants(const std::string& text);

// What stands behind the first [[vk::offset(N)]], which glslang does not heed; else empty.
std::string lostOffset(const std::string& text);

}  // namespace lanewise
