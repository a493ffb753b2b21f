// A kernel description: a file from which a user's kernel becomes a row of the catalogue (described_kernel.h). docs/descriptions.md says
// what the keys mean; keys.h has them all. This is what the file says, before any module is read.
//
// Promise: any text gives a description or one Error (bad input) with line and column.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/catalogue/kernel.h"
#include "tools/described/formula.h"
#include "tools/described/tolerance.h"
#include "tools/run/arguments.h"
#include "tools/run/module_file.h"

namespace lanewise {

// A text of the file.
struct PlacedText {
  std::string text;
  TextPlace at;
};

struct DescribedModule {
  std::string name;
  PlacedText file;
  std::string entry;
  SourceOptions source;
};

struct DescribedResource {
  enum class Data : std::uint8_t { kFill, kInput, kGenerator, kFile, kTyped, kFormulas };
  // A part of `values` has the type that it names, or the one before it.
  struct Element {
    ValueType type;
    Formula value;
    std::string address;  // the resource to whose device address the value is added; empty: it is a value
  };
  std::string name;
  TextPlace at;
  bool isImage = false;
  // Of an image. Its format is that of a parameter's choice if `formats` has any, a format for each of its choices.
  Format format = Format::UNDEFINED;
  std::vector<Format> formats;
  std::size_t formatName = 0;  // in the scope
  std::vector<Formula> extent;
  Formula levels{1}, layers{1}, samples{1};
  // Of a buffer.
  ValueType type;
  std::optional<Formula> elements;

  Data data = Data::kFill;
  std::byte fill = kPoisonByte;
  std::uint64_t seedStep = 0;   // kInput: added to the seed of the case's input
  PlacedText text;              // kGenerator, kFile, kTyped
  std::vector<Element> values;  // kFormulas
  std::vector<Formula> range;   // two, or none
  bool output = false;
};

struct DescribedBinding {
  PlacedText where;  // a slot
  PlacedText resource;
  std::optional<Formula> level, levels, layer, layers, offset, size;
  std::optional<Format> format;
  std::optional<SamplerState> sampler;
};

struct DescribedDispatch {
  struct Value {
    PlacedText name;  // of a member, or an id or a name of a constant
    std::vector<Formula> values;
    // Of a push constant, for each value: the resource to whose device address it is added; empty: it is a value.
    std::vector<std::string> addresses{};
  };
  TextPlace at;
  std::size_t module = 0;
  std::vector<Formula> groups;
  std::vector<Value> push, spec;
  bool pushInOrder = false;  // `push` has one row with all scalars of the block
  std::vector<DescribedBinding> bindings;
  bool barrier = true;
  Formula repeat{1};
  // Of a blit, which has no module.
  struct LevelBlit {
    std::string resource;
    Formula from{0}, to{1};
  };
  std::optional<LevelBlit> blit;
};

// What says what the results are: one of these, or nothing, and then only invariants do.
struct DescribedReference {
  struct File {
    PlacedText what;                                         // a case without the kernel's name
    std::vector<std::pair<PlacedText, PlacedText>> outputs;  // the name of each, and its file
  };
  TextPlace at;
  std::optional<PlacedText> kernel, recorded;
  std::vector<DescribedDispatch> dispatches;
  std::vector<std::string> program;
  double timeout = 10;
  std::vector<File> files;
};

struct DescribedParameter {
  Parameter parameter;
  std::vector<std::uint32_t> quick;  // empty: derived
};

struct Description {
  std::string file, name, summary, promise;
  FormulaScope scope;  // width, height, the parameters, i
  std::vector<Formula> where;
  std::vector<std::string> inputs;
  bool line = false;
  std::uint32_t largest = 4096;
  std::vector<Size> quickSizes;
  std::vector<DescribedParameter> parameters;
  std::vector<std::uint32_t> subgroupSizes;
  std::uint32_t leastSubgroup = 1, greatestSubgroup = 128;
  std::vector<DescribedModule> modules;
  std::vector<DescribedResource> resources;
  std::vector<DescribedDispatch> dispatches;
  DescribedReference reference;
  std::vector<Tolerance> tolerances;

  const DescribedResource* resource(std::string_view name) const;
};

// Whether a text can be a part of a case's name.
bool isWordOfCases(std::string_view text);

Expected<Description> readDescription(const std::string& file, std::string_view text);

}  // namespace lanewise
