// The page of `carl studio` and its examples, compiled in.
#ifndef CARL_APPS_STUDIO_FILES_H
#define CARL_APPS_STUDIO_FILES_H

#include <string_view>

namespace carl::app {

/// By its path in the source, "web/dist/studio.html"; empty if it is not among them.
std::string_view studio_file(std::string_view name);

}  // namespace carl::app

#endif
