#include "tools/described/keys.h"

#include <map>
#include <nlohmann/json.hpp>

namespace lanewise {
namespace {

using Json = nlohmann::ordered_json;

constexpr KeyRow kRows[] = {
    {"", "lanewise", "version", "The version of this format: 1"},
    {"", "name", "string", "The name of the contract; kernels of one contract have the same results (default: the file's name)"},
    {"", "summary", "string", "What an invocation does, in one line"},
    {"", "promise", "string", "What the results are, in one line"},
    {"", "where", "formulas", "Which cases exist: those for which all of these are not 0"},
    {"", "inputs", "strings", "The inputs of the quick set: noise:1, extremes:1, ramp, checkerboard, constant:V, impulse:X,Y"},
    {"", "size", "table", "The sizes of cases: width and height"},
    {"", "parameters", "table", "What else a case has: a number in a range, or one of several names"},
    {"", "subgroups", "table", "The subgroup sizes that the kernel is right for"},
    {"", "modules", "table", "The modules, by a name for each"},
    {"", "resources", "table", "Buffers and images, by a name for each"},
    {"", "dispatches", "tables", "What runs, in this order"},
    {"", "reference", "table", "What says what the results have to be (default: nothing; only invariants are checked)"},
    {"", "tolerance", "table", "What results may differ by, by output and component (default: nothing)"},

    {"size", "dimensions", "integer", "2, or 1 for kernels of lines: then the height is 1 (default: 2)"},
    {"size", "largest", "integer", "The greatest width and height (default: 4096)"},
    {"size", "quick", "strings", "Sizes of the quick set besides those that follow from the workgroups: \"33x65\""},

    {"parameters", "*", "table", "A parameter by its name"},
    {"parameters.*", "range", "integers", "The least and the greatest number"},
    {"parameters.*", "choices", "strings", "The names of its values; in formulas a value is its number, from 0"},
    {"parameters.*", "default", "value", "The value of a case that does not name it (default: the first)"},
    {"parameters.*", "quick", "values", "Its values in the quick set (default: the ends of the range and a few between)"},

    {"subgroups", "least", "integer", "The least size at which its algorithm is right (default: 1)"},
    {"subgroups", "greatest", "integer", "... and the greatest (default: 128)"},
    {"subgroups", "sizes", "integers", "Sizes of the quick set besides the device's own, powers of two up to 128"},

    {"modules", "*", "table", "A module by its name"},
    {"modules.*", "file", "string", "GLSL (.comp), HLSL (.hlsl), assembly (.spvasm) or SPIR-V (.spv), beside the description"},
    {"modules.*", "entry", "string", "The entry point (default: main, or the only one)"},
    {"modules.*", "define", "strings", "GLSL and HLSL: NAME or NAME=VALUE"},
    {"modules.*", "include", "strings", "GLSL and HLSL: folders for #include"},
    {"modules.*", "target", "string", "GLSL, HLSL and assembly: vulkan1.0 to vulkan1.3 (default: vulkan1.3)"},
    {"modules.*", "optimise", "boolean", "GLSL and HLSL: optimise it, as spirv-opt -O does"},

    {"resources", "*", "table", "A buffer or an image by its name"},
    {"resources.*", "buffer", "string", "A buffer of elements of this type: u8 to u64, i8 to i64, f16, f32, f64"},
    {"resources.*", "elements", "formula", "Of a buffer: how many (default: as many as `values` has)"},
    {"resources.*", "image", "string", "An image of this format, rgba8ui or R8G8B8A8_UINT, or of the one that this parameter chooses"},
    {"resources.*", "extent", "formulas", "Of an image: texels of each axis (default: width and height)"},
    {"resources.*", "levels", "formula", "Of an image: mip levels (default: 1)"},
    {"resources.*", "layers", "formula", "Of an image: array layers, 6 for a cube (default: 1)"},
    {"resources.*", "samples", "formula", "Of an image: samples of a texel (default: 1)"},
    {"resources.*", "data", "string",
     "What it starts with: input (the input of the case), input+1 (the same with the next seed), an input by name (noise:7), "
     "zeros, poison, fill:BYTE, file:NAME, or values: u32:1,2,3 (default: poison)"},
    {"resources.*", "values", "formulas", "Of a buffer: its elements; \"f32: 0.5 * width\" gives this and the following another type"},
    {"resources.*", "range", "formulas", "Of an input: the least and the greatest value that it is brought into"},
    {"resources.*", "output", "boolean", "Its bytes are a result (default: false)"},

    {"dispatches[]", "module", "string", "The module by its name (default: the only one)"},
    {"dispatches[]", "groups", "formulas", "Workgroups of each axis (default: 1)"},
    {"dispatches[]", "push", "push",
     "Push constants: a formula for each member of the block by its name, or a list for all scalars in order; \"addr: NAME\" is the device "
     "address of a buffer, \"addr: NAME + 16\" one inside of it"},
    {"dispatches[]", "spec", "table", "Specialization constants: a formula for each, by its id or name"},
    {"dispatches[]", "bind", "table",
     "What a binding has, by SET:BINDING, SET:BINDING:ELEMENT or name; a binding that is not here has the "
     "resource of its own name"},
    {"dispatches[]", "barrier", "boolean", "A full memory barrier before it (default: true)"},
    {"dispatches[]", "repeat", "formula", "How often it comes, with i = 0, 1, .. in its formulas (default: 1)"},
    {"dispatches[]", "blit", "table", "Instead of a dispatch: a mip level scaled into another one, by vkCmdBlitImage with a linear filter"},
    {"dispatches[].blit", "resource", "string", "The image"},
    {"dispatches[].blit", "from", "formula", "The level that is read (default: 0)"},
    {"dispatches[].blit", "to", "formula", "The level that is written (default: 1)"},
    {"dispatches[].push", "*", "formulas", "The member's value, or values"},
    {"dispatches[].spec", "*", "formula", "The constant's value"},
    {"dispatches[].bind", "*", "binding", "The name of a resource, or a table"},
    {"dispatches[].bind.*", "resource", "string", "The resource's name"},
    {"dispatches[].bind.*", "level", "formula", "Of an image's view: the first level"},
    {"dispatches[].bind.*", "levels", "formula", "... and how many (default: all the rest)"},
    {"dispatches[].bind.*", "layer", "formula", "... the first layer"},
    {"dispatches[].bind.*", "layers", "formula", "... and how many"},
    {"dispatches[].bind.*", "format", "string", "... and its format; of a texel buffer the format of a texel"},
    {"dispatches[].bind.*", "offset", "formula", "Of a buffer: the first byte that the kernel sees"},
    {"dispatches[].bind.*", "size", "formula", "... and how many (default: all the rest)"},
    {"dispatches[].bind.*", "sampler", "string", "What a sampler does: linear,repeat,mip=linear"},

    {"reference", "kernel", "string", "A built-in kernel: its contract says what the results are, for the same size and parameters"},
    {"reference", "dispatches", "tables", "Other dispatches on the same resources, which run on the model"},
    {"reference", "program", "strings", "A program and its arguments, which is asked for the results (docs/descriptions.md)"},
    {"reference", "timeout", "number", "Seconds that the program may take for an answer (default: 10)"},
    {"reference", "files", "tables", "Files with the results of some cases; the kernel then has no others"},
    {"reference", "recorded", "string", "A file of results that `lanewise golden approve` records from the model"},
    {"reference.files[]", "case", "string", "The case: \"33x65 radius=7 input=noise:1\""},
    {"reference.files[]", "*", "string", "An output by its name: the file with its bytes"},

    {"tolerance", "*", "table", "An output by its name"},
    {"tolerance.*", "*", "table", "A component, r, g, b, a or 0 to 3, or all that have no table of their own"},
    {"tolerance.*.*", "exact", "boolean", "It may not differ"},
    {"tolerance.*.*", "ulp", "integer", "At most so many representable values; of integers and codes, steps of one"},
    {"tolerance.*.*", "absolute", "number", "At most this difference, of integers and codes in steps of one"},
    {"tolerance.*.*", "relative", "number", "At most this part of the right value"},
    {"tolerance.*.*", "rmse", "number", "The root of the mean squared difference of the whole output is at most this"},
    {"tolerance.*.*", "reason", "string", "Why; reports print it"},
};

Json formulaSchema() {
  return {{"type", {"string", "number", "boolean"}}};
}

Json schemaOfType(const std::string& type) {
  if (type == "version") return {{"const", 1}};
  if (type == "strings") return {{"type", "array"}, {"items", {{"type", "string"}}}};
  if (type == "integers") return {{"type", "array"}, {"items", {{"type", "integer"}}}};
  if (type == "formula") return formulaSchema();
  if (type == "formulas") return {{"anyOf", {formulaSchema(), {{"type", "array"}, {"items", formulaSchema()}}}}};
  if (type == "value") return {{"type", {"string", "integer"}}};
  if (type == "values") return {{"type", "array"}, {"items", {{"type", {"string", "integer"}}}}};
  if (type == "table") return {{"type", "object"}};
  if (type == "push") return {{"type", {"object", "array"}}};
  if (type == "binding") return {{"type", {"string", "object"}}};
  if (type == "tables") return {{"type", "array"}};
  return {{"type", type}};
}

// The schema of a table, with those inside of it.
Json schemaOfTable(const std::string& table) {
  Json json = {{"type", "object"}, {"properties", Json::object()}, {"additionalProperties", false}};
  for (const KeyRow& row : kRows) {
    if (table != row.table) continue;
    Json value = schemaOfType(row.type);
    value["description"] = row.help;
    const std::string type = row.type, inner = (table.empty() ? "" : table + ".") + row.key;
    if (type == "table" || type == "push" || type == "binding") {
      Json members = schemaOfTable(inner);
      members.erase("type");
      if (type == "push") value["items"] = formulaSchema();
      value.update(members);
    } else if (type == "tables") {
      // A reference's dispatches are as the others.
      value["items"] = schemaOfTable(std::string(row.key) == "dispatches" ? "dispatches[]" : inner + "[]");
    }
    if (std::string(row.key) == "*")
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
