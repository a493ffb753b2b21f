// One operation on constants, computed by the functions of the program's own rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/ir/ir.h"
#include "model/operations/profile_rows.h"

namespace lanewise {

// The result's bits; empty if the operation is not an arithmetic one of the table. Thread-safe.
std::optional<std::uint64_t> evaluate(const OpRows& rows, ir::Code op, Scalar result, std::span<const Scalar> types,
                                      std::span<const std::uint64_t> bits);

}  // namespace lanewise
