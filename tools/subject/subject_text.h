// The arguments of a subject as one line of JSON, and back: what a saved state keeps.
#pragma once

#include "tools/subject/subject.h"

namespace lanewise {

std::string subjectText(const SubjectArguments& arguments);
std::optional<SubjectArguments> parseSubjectText(const std::string& text);

// The same as a command line has them: "kernel.comp --groups 2 --buffer 0:0=zeros:16".
std::string subjectOptions(const SubjectArguments& arguments);
// A word as a shell reads it back: quoted where it must be.
std::string shellWord(const std::string& word);

}  // namespace lanewise
