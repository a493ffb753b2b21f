// An update of memory that loads, computes and stores, where atomic instructions would do: `bits[i] |= x`, `count += 1`,
// `if (x < least) least = x`, also with an `else`, `least = x < least ? x : least`, `word = (word & ~mask) | x`,
// `word = bitfieldInsert(word, ...)`, and but for the last two the same of a texel.
//
// Source: SPIR-V 1.6, 3.42.18 "Atomic Instructions", and the extensions of kSupport. Of 32-bit integers, and of texels of r32ui and r32i;
// of 64-bit integers and of floats, where the module then asks for a capability. The load and the store have to be of the same pointer or
// texel, or of ones that are computed in the same way, with nothing between that may store but to variables of the invocation. They stand
// in one block, or the store alone on the side that a comparison with what was loaded chooses, or behind both of its sides. Gap: what other
// invocations store between is not looked at, so what is replaced has to be tried.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/spirv/module.h"

namespace lanewise {

// Indices are those of instructions.
struct AtomicUpdate {
  struct Atomic {
    spv::Op op{};
    std::uint32_t value = 0;  // its operand; of a vector the first component
    std::size_t before = 0;   // what takes the loaded value: the atomic stands before it
    std::size_t field = 0;    // the OpBitFieldInsert whose bits it clears or sets, in place of `value`; 0: none
  };
  // What gives the value of a place.
  struct Loaded {
    std::size_t load = 0;
    std::size_t part = 0;  // the OpCompositeExtract that takes the loaded texel's first component; 0: none, or no texel
  };
  Loaded from;
  std::size_t store = 0;
  std::vector<Atomic> atomics;  // one, or an OpAtomicAnd and an OpAtomicOr
  // What a comparison with what is there decides. kWhetherElse: and whether something else is done.
  enum class Decides : std::uint8_t { kNothing, kWhether, kWhetherElse, kWhich };
  Decides decides{};
  std::optional<Loaded> again = {};      // what is stored if it says no, where that is loaded once more
  std::vector<std::size_t> behind = {};  // what stores the loaded value to a local variable, and loads that: it stands behind the atomics
};

// What a module declares to use an atomic. An empty extension: none.
struct AtomicSupport {
  spv::Capability capability{};
  const char* extension = "";
  const char* glsl = "";
};
inline constexpr AtomicSupport kWideIntegers{spv::Capability::Int64Atomics, "", "GL_EXT_shader_atomic_int64"};
// Nothing where every module may use it.
std::optional<AtomicSupport> supportOf(const spirv::Module& module, std::uint32_t type, spv::Op atomic);
std::optional<AtomicSupport> supportFor(const spirv::Module& module, const AtomicUpdate& update);

// The update that a load or a store of memory or of a texel is part of.
std::optional<AtomicUpdate> atomicUpdateAt(const spirv::Module& module, std::size_t instruction);
// One of an integer of 8 or 16 bits, that a store is part of: the atomic is one of its bits, or a sum, in the word of 32 bits.
std::optional<AtomicUpdate> partUpdateAt(const spirv::Module& module, std::size_t store);
// GLSL's extension, or of another source the capability.
std::string supportText(const spirv::Module& module, const AtomicSupport& support);
// "what a.comp:7 loads, changes and stores has to be one atomic: atomicOr()". `place`: of the store.
std::string atomicText(const spirv::Module& module, const AtomicUpdate& update, const std::string& place);
std::string partText(const spirv::Module& module, const AtomicUpdate& update, const std::string& variable, const std::string& place);
// Whether the two load and store one place, as far as both say so in the same way.
bool isOnePlace(const spirv::Module& module, std::size_t load, std::size_t store);
// Whether what is stored there is computed from what was loaded there, perhaps by way of local variables.
bool isUpdateOf(const spirv::Module& module, std::size_t load, std::size_t store);
// Whether a load or a store is part of `if (x < least) { least = x; at = i; }`: a comparison with memory, and several stores behind it.
bool isOfComparedSet(const spirv::Module& module, std::size_t instruction);

}  // namespace lanewise
