// The arguments of a subject as one line of JSON, and back, for saved states.
#pragma once

#include "tools/subject/subject.h"

namespace lanewise {

std::string subjectText(const SubjectArguments& arguments);
std::optional<SubjectArguments> parseSubjectText(const std::string& text);

// The same as options of a command line: "kernel.comp --groups 2 --buffer 0:0=zeros:16".
std::string subjectOptions(const SubjectArguments& arguments);

}  // namespace lanewise
