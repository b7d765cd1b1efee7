#include "support/source_path.h"

namespace carl::tests {

std::string source_path(const std::string& relative) {
  return std::string(CARL_SOURCE_DIR) + "/" + relative;
}

}  // namespace carl::tests
