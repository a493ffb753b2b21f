// The arguments of a subject as one line of JSON, and back: what a saved state keeps.
#pragma once

#include "tools/subject/subject.h"

namespace lanewise {

std::string subjectText(const SubjectArguments& arguments);
std::optional<SubjectArguments> parseSubjectText(const std::string& text);

}  // namespace lanewise
