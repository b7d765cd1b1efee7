#include "ssp/ssp_algorithm.h"

#include <cassert>

namespace carl::ssp {

const std::vector<std::string>& ssp_algorithm_names() {
  static const std::vector<std::string> names{"cg-ilao", "ilao", "lrtdp", "vi"};
  return names;
}

std::unique_ptr<SspAlgorithm> make_ssp_algorithm(const std::string& name, ScalarisedSsp& ssp,
                                                 std::uint64_t seed) {
  if (name == "cg-ilao") return make_cg_ilao(ssp);
  if (name == "ilao") return make_ilao(ssp);
  if (name == "lrtdp") return make_lrtdp(ssp, seed);
  assert(name == "vi");
  return make_value_iteration(ssp);
}

}  // namespace carl::ssp
