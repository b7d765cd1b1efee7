// The files benchmarks/domains/*/domain.pddl, compiled in, so that an installed binary can write
// them.
#ifndef CARL_GENERATE_DOMAIN_TEXTS_H
#define CARL_GENERATE_DOMAIN_TEXTS_H

#include <string_view>

namespace carl::generators {

extern const std::string_view sar_domain_text;
extern const std::string_view elevators_domain_text;
extern const std::string_view exbw_domain_text;
extern const std::string_view parc_domain_text;
extern const std::string_view ctw_domain_text;

}  // namespace carl::generators

#endif
