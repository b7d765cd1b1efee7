// Where the files of this repository are. One translation unit knows the folder, so that the others
// compile to the same objects in every clone and a compiler cache serves them all.
#ifndef CARL_TESTS_SUPPORT_SOURCE_PATH_H
#define CARL_TESTS_SUPPORT_SOURCE_PATH_H

#include <string>

namespace carl::tests {

/// `relative` to the top of the repository.
std::string source_path(const std::string& relative);

}  // namespace carl::tests

#endif
