// Readers and writers of the file formats: problems, results and policies.
#ifndef CARL_IO_H
#define CARL_IO_H

#include <iosfwd>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "carl/certificate.h"
#include "carl/check.h"
#include "carl/cssp.h"
#include "carl/explain.h"
#include "carl/explore.h"
#include "carl/model.h"
#include "carl/monitor.h"
#include "carl/pareto.h"
#include "carl/policy.h"
#include "carl/policy_file.h"
#include "carl/simulate.h"
#include "carl/solution.h"
#include "carl/sweep.h"

namespace carl {

/// A problem, or a part of one, in memory. The name is for messages; its extension tells the format
/// if it is a known one.
struct ModelText {
  std::string name;
  std::string text;
};

/// Seconds that reading a problem took, and how its text calls it.
struct LoadTimes {
  double parse = 0;
  double ground = 0;
  /// "today (getting-to-work)": problem and domain; empty if the text has no such names.
  std::string title = {};
};

/// Of the files that a UMB model is a bundle of.
enum class Compression { none, gzip, xz };

/// Which part of a large model to read, where several processes share one. UMB models of so many
/// states are read in parts, by ranges of states; other models as a whole.
struct LoadShare {
  std::size_t number = 0;
  std::size_t of = 1;
  std::size_t least_states = 100'000;
};

/// What to read of a text.
struct LoadOptions {
  /// The name of the problem, where a PPDDL text defines several. Empty: there must be one only.
  std::string problem;
  /// The cost to minimise, by its name; the others keep their order. Empty: what the text says.
  std::string minimise = {};
  /// The label of the goals, for formats whose states have labels (PRISM, UMB, DRN). Empty: "goal"
  /// or, if there is no such label, "target".
  std::string goal = {};
  /// False: no state is a goal, for questions that bring their own. Then no label is looked for.
  bool has_goal = true;
  /// Names and values of constants that the model or the property leaves open.
  std::vector<std::pair<std::string, std::string>> constants = {};
  LoadShare share = {};
};

/// Read a problem: PPDDL in one text or several, or one explicit model in JSON; from files ("-" is
/// standard input), from memory or from a stream. `times`, if given, are added to. Throw
/// InputError, OptionError, LimitReached.
std::shared_ptr<Model> load_model(const std::vector<std::string>& paths, Monitor& monitor,
                                  LoadTimes* times = nullptr, const LoadOptions& options = {});
std::shared_ptr<Model> load_model_texts(std::vector<ModelText> texts, Monitor& monitor,
                                        LoadTimes* times = nullptr,
                                        const LoadOptions& options = {});
std::shared_ptr<Model> load_model(std::istream& in, const std::string& name, Monitor& monitor,
                                  LoadTimes* times = nullptr, const LoadOptions& options = {});

/// Read a policy, a result or a certificate; "-" is standard input. Throw InputError, LimitReached.
PolicyFile read_policy(const std::string& path, Monitor& monitor);
ResultFile read_result(const std::string& path, Monitor& monitor);
Certificate read_certificate(const std::string& path, Monitor& monitor);
/// The same for a text in memory; `name` is for messages.
PolicyFile read_policy_text(const std::string& name, std::string text, Monitor& monitor);
ResultFile read_result_text(const std::string& name, std::string text);
Certificate read_certificate_text(const std::string& name, std::string text, Monitor& monitor);

void write_result(const Cssp& cssp, const Solution& solution, std::ostream& out);
/// What a policy file says besides what to do.
struct PolicyDetails {
  /// The policy is that of cover_all_states().
  bool covers_all = false;
  /// Expected costs from each of its states on, as policy_values() has them; empty: not written.
  std::vector<double> values = {};
};

void write_policy(const Cssp& cssp, const Policy& policy, std::ostream& out,
                  const PolicyDetails& details = {});
/// A line for each action of each state, as a spreadsheet reads it.
void write_policy_csv(const Cssp& cssp, const Policy& policy, std::ostream& out,
                      const PolicyDetails& details = {});
/// A graph of states, actions and outcomes in the language of Graphviz. Throws InputError if the
/// policy is none of the problem; LimitReached.
void write_policy_dot(Cssp& cssp, const Policy& policy, std::ostream& out, Monitor& monitor,
                      const PolicyDetails& details = {});
void write_certificate(const Certificate& certificate, std::ostream& out);
void write_certificate_check(const CertificateReport& report, std::ostream& out);
void write_check(const Cssp& cssp, const CheckReport& report, std::ostream& out);
/// How large a problem is.
struct ProblemInfo {
  LoadTimes times;
  StateSpaceSize size;
  /// Bounds on CVaR, which the states were counted without.
  std::vector<std::string> cvars = {};
};
void write_info(const Cssp& cssp, const ProblemInfo& info, std::ostream& out);
void write_simulation(const Cssp& cssp, const Simulation& simulation,
                      const SimulateOptions& options, std::ostream& out);

/// A sweep as JSON, as a table with a line per point, and as a picture (SVG).
void write_sweep(const Cssp& cssp, const Sweep& sweep, std::ostream& out);
void write_sweep_csv(const Cssp& cssp, const Sweep& sweep, std::ostream& out);
void write_sweep_plot(const Cssp& cssp, const Sweep& sweep, std::ostream& out);

/// A front as JSON, as a table with a line per vertex, and as a picture (SVG) if it is of two costs
/// or three.
void write_front(const Cssp& cssp, const ParetoFront& front, std::ostream& out);
void write_front_csv(const Cssp& cssp, const ParetoFront& front, std::ostream& out);
void write_front_plot(const Cssp& cssp, const ParetoFront& front, std::ostream& out);

void write_explanation(const Cssp& cssp, const Explanation& explanation, std::ostream& out);

/// A whole file, or standard input for "-". Throws InputError, LimitReached.
std::string read_text(const std::string& path, Monitor& monitor);

/// Which entries of a policy file count: of the states that the policy meets, or of all that can be
/// reached by actions that no bound of zero forbids.
enum class Entries { met, all };

/// What a policy file says, in terms of the problem; check_policy() asks whether that is all there
/// is to say. Throws InputError if the file is not about this problem; LimitReached.
Policy resolve_policy(Cssp& cssp, const PolicyFile& file, Monitor& monitor,
                      Entries entries = Entries::met);

/// What a report is made from.
struct Report {
  struct Document {
    std::string name;  // for messages
    std::string text;
  };
  std::string title;      // what was solved
  std::string generator;  // name and version of the program
  Document result;        // as written by write_result()
  Document sweep;         // of a carl-sweep file; its text may be empty
  Document front;         // of a carl-front file; likewise
  Document explanation;   // of a carl-explanation file; likewise
  /// None if the problem has no solution.
  std::optional<Policy> policy;
  /// The policies that it is a mixture of, to be looked at one by one; may be empty.
  std::vector<MixtureComponent> mixture;
  /// How many runs of the policy to make, to show how often one exceeds the bounds that are kept on
  /// average; fewer if they are long.
  std::size_t runs = 10'000;
  std::uint64_t runs_seed = 1;
  /// Of larger policies only the most visited states are in the page.
  std::size_t max_states = 50'000;
};

/// One HTML page without references to anything else. Throws InputError if the parts do not fit
/// together, or if the policy is none of the problem; LimitReached.
void write_report(Cssp& cssp, const Report& report, std::ostream& out, Monitor& monitor);
/// What that page shows, as JSON, for pages of one's own.
void write_report_data(Cssp& cssp, const Report& report, std::ostream& out, Monitor& monitor);

/// Every reachable state of the problem as an explicit model in JSON. Throws LimitReached.
void write_explicit(Cssp& cssp, std::ostream& out, Monitor& monitor);
/// The same as UMB, with names for actions alone; bounds are written beside the model, and giving up
/// as an action. A model that is in memory is written with all its states, under their numbers.
void write_umb(Cssp& cssp, std::ostream& out, Monitor& monitor,
               Compression compression = Compression::none);
/// All states of a model that knows them from the beginning: see generate_model().
void write_umb(const std::shared_ptr<Model>& model, std::ostream& out, Monitor& monitor,
               Compression compression = Compression::none);
/// The Markov chain that a policy makes of a problem. Throws InputError if it is none of it.
void write_chain_umb(Cssp& cssp, const Policy& policy, std::ostream& out, Monitor& monitor,
                     Compression compression = Compression::none);
/// The same in DRN, the text format of the model checker Storm. Bounds are not written.
void write_drn(Cssp& cssp, std::ostream& out, Monitor& monitor);
void write_drn(const std::shared_ptr<Model>& model, std::ostream& out, Monitor& monitor);
void write_chain_drn(Cssp& cssp, const Policy& policy, std::ostream& out, Monitor& monitor);
/// The occupation-measure LP over all reachable states, in the LP format. Throws LimitReached, and
/// InputError if there is no proper policy (then there is no LP).
void write_lp(Cssp& cssp, std::ostream& out, Monitor& monitor);

}  // namespace carl

#endif
