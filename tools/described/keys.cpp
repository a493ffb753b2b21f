#include "tools/described/keys.h"

#include <map>
#include <nlohmann/json.hpp>

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

using enum KeyType;

constexpr KeyRow kRows[] = {
    {"", "lanewise", kVersion, "The version of this format: 1"},
    {"", "name", kText, "The name of the contract; kernels of one contract have the same results (default: the file's name)"},
    {"", "summary", kText, "What an invocation does, in one line"},
    {"", "promise", kText, "What the results are, in one line"},
    {"", "where", kFormulas, "Which cases exist: those for which all of these are not 0"},
    {"", "inputs", kTexts, "The inputs of the quick set: noise:1, extremes:1, ramp, checkerboard, constant:V, impulse:X,Y"},
    {"", "size", kTable, "The sizes of cases: width and height"},
    {"", "parameters", kTable, "What else a case has: a number in a range, or one of several names"},
    {"", "subgroups", kTable, "The subgroup sizes that the kernel is right for"},
    {"", "modules", kTable, "The modules, by a name for each"},
    {"", "resources", kTable, "Buffers and images, by a name for each"},
    {"", "dispatches", kDispatches, "What runs, in this order"},
    {"", "reference", kTable, "What says what the results have to be (default: nothing; only invariants are checked)"},
    {"", "tolerance", kTable, "What results may differ by, by output and component (default: nothing)"},

    {"size", "dimensions", kInteger, "2, or 1 for kernels of lines: then the height is 1 (default: 2)"},
    {"size", "largest", kInteger, "The greatest width and height (default: 4096)"},
    {"size", "quick", kTexts, "Sizes of the quick set besides those that follow from the workgroups: \"33x65\""},

    {"parameters", "*", kTable, "A parameter by its name"},
    {"parameters.*", "range", kIntegers, "The least and the greatest number"},
    {"parameters.*", "choices", kTexts, "The names of its values; in formulas a value is its number, from 0"},
    {"parameters.*", "default", kValue, "The value of a case that does not name it (default: the first)"},
    {"parameters.*", "quick", kValues, "Its values in the quick set (default: the ends of the range and a few between)"},

    {"subgroups", "least", kInteger, "The least size at which its algorithm is right (default: 1)"},
    {"subgroups", "greatest", kInteger, "... and the greatest (default: 128)"},
    {"subgroups", "sizes", kIntegers, "Sizes of the quick set besides the device's own, powers of two up to 128"},

    {"modules", "*", kTable, "A module by its name"},
    {"modules.*", "file", kText, "GLSL (.comp), HLSL (.hlsl), assembly (.spvasm) or SPIR-V (.spv), beside the description"},
    {"modules.*", "entry", kText, "The entry point (default: main, or the only one)"},
    {"modules.*", "define", kTexts, "GLSL and HLSL: NAME or NAME=VALUE"},
    {"modules.*", "include", kTexts, "GLSL and HLSL: folders for #include"},
    {"modules.*", "target", kText, "GLSL, HLSL and assembly: vulkan1.0 to vulkan1.3 (default: vulkan1.3)"},
    {"modules.*", "optimise", kBoolean, "GLSL and HLSL: optimise it, as spirv-opt -O does"},

    {"resources", "*", kTable, "A buffer or an image by its name"},
    {"resources.*", "buffer", kText, "A buffer of elements of this type: u8 to u64, i8 to i64, f16, f32, f64"},
    {"resources.*", "elements", kFormula, "Of a buffer: how many (default: as many as `values` has)"},
    {"resources.*", "image", kText, "An image of this format, rgba8ui or R8G8B8A8_UINT, or of the one that this parameter chooses"},
    {"resources.*", "extent", kFormulas, "Of an image: texels of each axis (default: width and height)"},
    {"resources.*", "levels", kFormula, "Of an image: mip levels (default: 1)"},
    {"resources.*", "layers", kFormula, "Of an image: array layers, 6 for a cube (default: 1)"},
    {"resources.*", "samples", kFormula, "Of an image: samples of a texel (default: 1)"},
    {"resources.*", "data", kText,
     "What it starts with: input (the input of the case), input+1 (the same with the next seed), an input by name (noise:7), "
     "zeros, poison, fill:BYTE, file:NAME, or values: u32:1,2,3 (default: poison)"},
    {"resources.*", "values", kFormulas, "Of a buffer: its elements; \"f32: 0.5 * width\" gives this and the following another type"},
    {"resources.*", "range", kFormulas, "Of an input: the least and the greatest value that it is brought into"},
    {"resources.*", "output", kBoolean, "Its bytes are a result (default: false)"},

    {"dispatches[]", "module", kText, "The module by its name (default: the only one)"},
    {"dispatches[]", "groups", kFormulas, "Workgroups of each axis (default: 1)"},
    {"dispatches[]", "push", kPush,
     "Push constants: a formula for each member of the block by its name, or a list for all scalars in order; \"addr: NAME\" is the device "
     "address of a buffer, \"addr: NAME + 16\" one inside of it"},
    {"dispatches[]", "spec", kTable, "Specialization constants: a formula for each, by its id or name"},
    {"dispatches[]", "bind", kTable,
     "What a binding has, by SET:BINDING, SET:BINDING:ELEMENT or name; a binding that is not here has the "
     "resource of its own name"},
    {"dispatches[]", "barrier", kBoolean, "A full memory barrier before it (default: true)"},
    {"dispatches[]", "repeat", kFormula, "How often it comes, with i = 0, 1, .. in its formulas (default: 1)"},
    {"dispatches[]", "blit", kTable, "Instead of a dispatch: a mip level scaled into another one, by vkCmdBlitImage with a linear filter"},
    {"dispatches[].blit", "resource", kText, "The image"},
    {"dispatches[].blit", "from", kFormula, "The level that is read (default: 0)"},
    {"dispatches[].blit", "to", kFormula, "The level that is written (default: 1)"},
    {"dispatches[].push", "*", kFormulas, "The member's value, or values"},
    {"dispatches[].spec", "*", kFormula, "The constant's value"},
    {"dispatches[].bind", "*", kBinding, "The name of a resource, or a table"},
    {"dispatches[].bind.*", "resource", kText, "The resource's name"},
    {"dispatches[].bind.*", "level", kFormula, "Of an image's view: the first level"},
    {"dispatches[].bind.*", "levels", kFormula, "... and how many (default: all the rest)"},
    {"dispatches[].bind.*", "layer", kFormula, "... the first layer"},
    {"dispatches[].bind.*", "layers", kFormula, "... and how many"},
    {"dispatches[].bind.*", "format", kText, "... and its format; of a texel buffer the format of a texel"},
    {"dispatches[].bind.*", "offset", kFormula, "Of a buffer: the first byte that the kernel sees"},
    {"dispatches[].bind.*", "size", kFormula, "... and how many (default: all the rest)"},
    {"dispatches[].bind.*", "sampler", kText, "What a sampler does: linear,repeat,mip=linear"},

    {"reference", "kernel", kText, "A built-in kernel: its contract says what the results are, for the same size and parameters"},
    {"reference", "dispatches", kDispatches, "Other dispatches on the same resources, which run on the model"},
    {"reference", "program", kTexts, "A program and its arguments, which is asked for the results (docs/descriptions.md)"},
    {"reference", "timeout", kNumber, "Seconds that the program may take for an answer (default: 10)"},
    {"reference", "files", kTables, "Files with the results of some cases; the kernel then has no others"},
    {"reference", "recorded", kText, "A file of results that `lanewise golden approve` records from the model"},
    {"reference.files[]", "case", kText, "The case: \"33x65 radius=7 input=noise:1\""},
    {"reference.files[]", "*", kText, "An output by its name: the file with its bytes"},

    {"tolerance", "*", kTable, "An output by its name"},
    {"tolerance.*", "*", kTable, "A component, r, g, b, a or 0 to 3, or all that have no table of their own"},
    {"tolerance.*.*", "exact", kBoolean, "It may not differ"},
    {"tolerance.*.*", "ulp", kInteger, "At most so many representable values; of integers and codes, steps of one"},
    {"tolerance.*.*", "absolute", kNumber, "At most this difference, of integers and codes in steps of one"},
    {"tolerance.*.*", "relative", kNumber, "At most this part of the right value"},
    {"tolerance.*.*", "rmse", kNumber, "The root of the mean squared difference of the whole output is at most this"},
    {"tolerance.*.*", "reason", kText, "Why; reports print it"},
};

Json formulaSchema() {
  return {{"type", {"string", "number", "boolean"}}};
}

Json listOf(Json items) {
  return {{"type", "array"}, {"items", std::move(items)}};
}

Json schemaOfType(KeyType type) {
  switch (type) {
    case kVersion:
      return {{"const", 1}};
    case kText:
      return {{"type", "string"}};
    case kTexts:
      return listOf({{"type", "string"}});
    case kInteger:
      return {{"type", "integer"}};
    case kIntegers:
      return listOf({{"type", "integer"}});
    case kNumber:
      return {{"type", "number"}};
    case kBoolean:
      return {{"type", "boolean"}};
    case kFormula:
      return formulaSchema();
    case kFormulas:
      return {{"anyOf", {formulaSchema(), listOf(formulaSchema())}}};
    case kValue:
      return {{"type", {"string", "integer"}}};
    case kValues:
      return listOf({{"type", {"string", "integer"}}});
    case kTable:
      return {{"type", "object"}};
    case kTables:
    case kDispatches:
      return {{"type", "array"}};
    case kPush:
      return {{"type", {"object", "array"}}};
    case kBinding:
      return {{"type", {"string", "object"}}};
  }
  return {};
}

// The schema of a table, with those inside of it.
Json schemaOfTable(const std::string& table) {
  Json json = {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  for (const KeyRow& row : kRows) {
    if (table != row.table) continue;
    Json value = schemaOfType(row.type);
    value["description"] = row.help;
    const std::string inner = (table.empty() ? "" : table + ".") + row.key;
    if (row.type == kTable || row.type == kPush || row.type == kBinding) {
      Json members = schemaOfTable(inner);
      members.erase("type");
      if (row.type == kPush) value["items"] = formulaSchema();
      value.update(members);
    } else if (row.type == kTables || row.type == kDispatches) {
      value["items"] = schemaOfTable(row.type == kDispatches ? "dispatches[]" : inner + "[]");
    }
    if (std::string_view(row.key) == kAnyKey)
      json["additionalProperties"] = std::move(value);
    else
      json["properties"][row.key] = std::move(value);
  }
  return json;
}

}  // namespace

std::span<const KeyRow> descriptionKeys() {
  return kRows;
}

std::string descriptionSchema() {
  Json json = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Lanewise kernel description"}};
  json.update(schemaOfTable(""));
  json["required"] = {"lanewise", "modules", "resources", "dispatches"};
  return json.dump(1) + "\n";
}

}  // namespace lanewise
