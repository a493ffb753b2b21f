// Tiny kernels with their inputs and expected outputs in comments at their top.
//
// Lines that start with "// " or "; ", then one of these, or with "// -- " or "; -- " and prose:
//   buffer 0 u32: 1 2 0x3 4..7 16*0     appends values to the buffer at set 0, binding 0; "buffer 2.1" is element 1 of an array
//   buffer 1 poison: 64                 appends 64 bytes of poison
//   image 3 rgba8ui 2d 4x4 u8: 1 2 3    an image, the rest of it poison; 1d, 2d, 3d or cube; "4x4 layers 6 levels 3 samples 4" too
//   texel-buffer 3 rgba8ui u8: 1 2 3    appends values to a texel buffer; or "poison: 64"
//   sampler 4: linear,repeat            a sampler; of a binding that has an image: a combined image sampler (model/contract/sampler.h)
//   view 5 of 3 format r32ui            binding 5 is the resource of binding 3; without "of" the line changes binding 5
//                                       format F, base-level N, levels N, base-layer N, layers N, offset N, size N
//   expect 1 u32: 5 6                   appends values that must be the final bytes of binding 1; nan stands for any NaN; 120 columns
//   expect 1 u32: definition            values too many to read here: defined in C++ beside, in tests/text/definitions
//   print 2 0 0: text                   a line that the invocation 2,0,0 prints, in the order of the schedule as it is by default
//   push f32: 0.5                       appends to the push constants
//   push address: 1 1+16                the device address of buffer 1, and of its byte 16; in buffers too
//   spec 3 = 16
//   groups 2 1 1                        one workgroup where there is no such line
//   subgroup-size 16                    instead of 32; and then no other sizes are tried
//   subgroup-dependent                  the bytes may differ with the subgroup size
//   races                               lanes that run alone give other bytes: the expected ones are those of lanes in lockstep
//   one-order                           what is expected is of the schedule as it is by default: no other, and no other size, is tried
//   max-steps 1000
//   error unsupported: a part of the message
//   finding a part of the text          one line for each finding of the observed model, which has no others
//   model-only: why no device is asked
//   unoptimised: why spirv-opt's form of it is not tried
//   differs nvidia: why             a device that gives other bytes, or an error: its fault, and it must stay so
//   differs lavapipe-16 without avx512f: why    the same, on hosts whose processor lacks that
//   differs lavapipe before 25.0: why           the same, in versions of Mesa before that one; `from 25.0`: in that one and later ones
// Types: u8 i8 u16 i16 u32 i32 u64 i64 f32 f64, and f16 as hexadecimal bits.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "model/contract/device.h"
#include "tests/text/definitions/definitions.h"

namespace lanewise::text {

struct Segment {
  std::string type;
  std::vector<std::byte> bytes;
  bool defined = false;  // by tests/text/definitions, and not by the line
};

// A device that gives other bytes, where the version of its driver is in [from, before).
using Version = std::pair<int, int>;
struct Differs {
  std::string device;  // the beginning of its name
  Version from = {0, 0}, before = {1 << 30, 0};
  bool holds(const std::string& name, Version version) const { return name.starts_with(device) && from <= version && version < before; }
};

struct ProgramText {
  std::string file;
  bool assembly = false;
  Job job;                                               // without a module
  std::map<std::string, std::vector<Segment>> expected;  // by resource name: the binding as written
  std::vector<std::string> printed;                      // the `print` lines as written
  std::optional<Outcome> errorOutcome;
  std::string errorPart;
  std::vector<std::string> findings;
  std::vector<Differs> differs;
  bool hasProse = false;  // a line of it
  bool subgroupDependent = false, modelOnly = false, races = false, oneOrder = false, unoptimised = false;
  std::string problem;  // why the file could not be read
};

ProgramText readProgram(const std::string& path);

// What a definition of tests/text/definitions is given of a program.
definitions::Inputs definitionInputs(const Job& job);

// Empty if `got` is what the segments ask for, else the first differences, by element.
std::string difference(const std::vector<Segment>& expected, const std::vector<std::byte>& got);

// The values of `bytes` as a line of type `type` writes them.
std::string valuesText(const std::string& type, const std::byte* bytes, std::size_t size);

}  // namespace lanewise::text
