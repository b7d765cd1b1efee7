// A model from PPDDL text, domain and problem in one.
#ifndef CARL_TESTS_SUPPORT_LOAD_H
#define CARL_TESTS_SUPPORT_LOAD_H

#include <memory>
#include <string>

#include "model/task_model.h"

namespace carl::testing {

std::shared_ptr<TaskModel> load_text(const std::string& text);

}  // namespace carl::testing

#endif
