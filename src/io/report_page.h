// The page of `carl report`, web/dist/report.html, compiled in, so that an installed binary can
// write it anywhere.
#ifndef CARL_IO_REPORT_PAGE_H
#define CARL_IO_REPORT_PAGE_H

#include <string_view>

namespace carl::io {

extern const std::string_view report_page;

/// Where its data go: a JSON text in a script element of type application/json.
constexpr std::string_view report_placeholder = "\"carl-report-data\"";

}  // namespace carl::io

#endif
