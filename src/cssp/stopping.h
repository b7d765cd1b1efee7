// Where the runs of a question may stop: in end components without any of the rewards that are
// counted for ever (see model/question_model.h). That takes all states of the product, so it is done
// for questions only that cannot do without.
//
// End components: L. de Alfaro, "Formal Verification of Probabilistic Systems", PhD thesis, Stanford
// University, 1997.
#ifndef CARL_CSSP_STOPPING_H
#define CARL_CSSP_STOPPING_H

#include <cstddef>
#include <memory>

#include "carl/monitor.h"
#include "model/question_model.h"

namespace carl::cssp {

/// Throws LimitReached.
void find_where_to_stop(const std::shared_ptr<QuestionModel>& model, std::size_t threads,
                        Monitor& monitor);

}  // namespace carl::cssp

#endif
