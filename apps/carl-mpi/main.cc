// `mpirun -n 8 carl-mpi solve MODEL`: carl's command, on many ranks. Every rank reads the problem and
// takes part; the first one writes. Errors are told once, whichever rank meets them, and end all.

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "carl/cluster.h"
#include "carl/error.h"
#include "carl/monitor.h"
#include "command_line.h"
#include "commands.h"
#include "output.h"
#include "program.h"

namespace {

using namespace carl::app;

// Signal handlers can reach nothing but globals.
std::atomic<bool> interrupted{false};

/// Another rank has failed, and says so.
struct OtherRankFailed {
  int status;
};

/// Where memory runs out on one rank the others would wait for it for ever.
[[noreturn]] void on_no_memory() {
  carl::cluster::Session::abort(report_no_memory());
}

class Program {
 public:
  int run(const std::vector<std::string>& arguments) {
    try {
      return run_command(arguments);
    } catch (const OtherRankFailed& other) {
      return other.status;
    } catch (...) {
      return end_by_exception();
    }
  }

 private:
  int run_command(const std::vector<std::string>& arguments) {
    CommandLine line("carl on many machines: as 'carl', with 'solve' as its only command.",
                     "carl-mpi " CARL_VERSION, "mpirun -n 8 carl-mpi solve MODEL");
    add_solve_by(engine(), line, interrupted);
    if (const auto text = line.parse(arguments, Style::of(STDOUT_FILENO))) {
      if (session_.is_first()) show("{}", *text);
      return exit_ok;
    }
    return line.run();
  }

  SolveEngine engine() {
    return {[this](carl::Cssp& cssp, const carl::SolveOptions& options, carl::Monitor& monitor,
                   const std::string& policy) {
              meet();
              return carl::cluster::solve(cssp, options, monitor, policy);
            },
            [this](const std::function<carl::Solution()>& solve) {
              meet();
              if (!session_.is_first()) return carl::Solution();
              carl::Solution solution = solve();
              carl::cluster::note_one_rank(solution);
              return solution;
            },
            session_.is_first(),
            {static_cast<std::size_t>(session_.rank()), static_cast<std::size_t>(session_.size())}};
  }

  /// All have read the problem, or none goes on.
  void meet() {
    has_met_ = true;
    const auto meeting = session_.meet(exit_ok);
    if (meeting.status != exit_ok) throw OtherRankFailed{meeting.status};
  }

  /// What the library throws once all have met is thrown on all ranks, or on the first after the
  /// others are done; but for errors that should not be.
  int end_by_exception() {
    const int status = status_of_exception();
    if (!has_met_) {
      const auto meeting = session_.meet(status);
      if (meeting.speaks) report_exception();
      return meeting.status;
    }
    const bool agreed = is_known_to_all();
    if (session_.is_first() || !agreed) report_exception();
    if (!agreed) carl::cluster::Session::abort(status);
    return status;
  }

  static bool is_known_to_all() {
    try {
      throw;
    } catch (const carl::InputError&) {
      return true;
    } catch (const carl::LimitReached&) {
      return true;
    } catch (...) {
      return false;
    }
  }

  carl::cluster::Session session_;
  bool has_met_ = false;
};

}  // namespace

int main(int argc, char** argv) {
  // Open MPI gives ranks a terminal of their own, also where what they print goes to a file.
  setenv("NO_COLOR", "1", 0);
  begin_program(interrupted);
  std::set_new_handler(on_no_memory);
  return Program().run({argv + (argc > 0 ? 1 : 0), argv + argc});
}
