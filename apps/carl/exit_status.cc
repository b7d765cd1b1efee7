#include "commands.h"

namespace carl::app {

int exit_status(Status status) {
  switch (status) {
    case Status::optimal:
      return exit_ok;
    case Status::infeasible:
      return exit_infeasible;
    case Status::no_proper_policy:
      return exit_no_proper_policy;
    case Status::limit:
    case Status::interrupted:
      return exit_limit;
  }
  return exit_internal_error;
}

}  // namespace carl::app
