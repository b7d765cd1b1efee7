#include "soak/judge.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "carl/certificate.h"
#include "carl/check.h"
#include "carl/error.h"
#include "carl/io.h"
#include "util/random.h"

namespace carl::soak {
namespace {

/// Relative: bounds may be missed by this, measured in floating point.
constexpr double bound_tolerance = 1.001e-9;
constexpr double gap = 1e-4;
/// Seconds for a certificate and its check.
constexpr double certificate_patience = 5;
/// What rounding may do to a number in an answer.
constexpr double rounding = 1e-9;

Verdict wrong(std::string code, std::string text) {
  return {Verdict::Kind::wrong, std::move(code), std::move(text)};
}

}  // namespace

std::string Configuration::command() const {
  std::string text;
  const auto add = [&](const char* name, std::string_view value) {
    text += fmt::format(" --{} {}", name, value);
  };
  if (options.algorithm != Algorithm::carl) add("algorithm", to_string(options.algorithm));
  if (options.carl.outer != OuterAlgorithm::bundle) add("outer", to_string(options.carl.outer));
  if (options.carl.inner) add("inner", to_string(*options.carl.inner));
  if (options.search.heuristic) add("heuristic", to_string(*options.search.heuristic));
  if (options.search.heuristic_mode)
    add("heuristic-mode", to_string(*options.search.heuristic_mode));
  if (seed != 0) add("seed", fmt::format("{}", seed));
  return text;
}

std::string Configuration::group() const {
  if (options.algorithm != Algorithm::carl) return std::string(to_string(options.algorithm));
  return fmt::format("carl {} {}", to_string(options.carl.outer),
                     options.carl.inner ? to_string(*options.carl.inner) : "");
}

std::vector<Configuration> configurations(const Problem& problem, std::uint64_t number) {
  SplitMix64 random(~number);
  const auto one_of = [&](const std::vector<std::string>& names) {
    return names[random.below(names.size())];
  };
  const std::vector<std::string> heuristics =
      problem.factored ? heuristic_names() : std::vector<std::string>{"dijkstra", "zero"};
  std::vector<Configuration> list;
  const auto add = [&](Algorithm algorithm) -> SolveOptions& {
    list.emplace_back();
    list.back().options.algorithm = algorithm;
    return list.back().options;
  };
  const auto heuristic_or_none = [&]() -> std::optional<HeuristicKind> {
    if (random.below(2) != 0) return std::nullopt;
    return heuristic_named(one_of(heuristics));
  };
  add(Algorithm::carl);
  for (const std::string& inner : inner_names()) {
    SolveOptions& options = add(Algorithm::carl);
    options.carl.inner = inner_named(inner);
    options.search.heuristic = heuristic_or_none();
    if (random.below(4) == 0)
      options.search.heuristic_mode = heuristic_mode_named(one_of({"lambda", "ideal-point"}));
  }
  add(Algorithm::carl).carl.outer = OuterAlgorithm::coordinate;
  SolveOptions& coordinate = add(Algorithm::carl);
  coordinate.carl.outer = OuterAlgorithm::coordinate;
  coordinate.carl.inner = inner_named(one_of(inner_names()));
  coordinate.search.heuristic = heuristic_named(one_of(heuristics));
  SolveOptions& paper = add(Algorithm::carl);
  paper.carl.outer = OuterAlgorithm::coordinate;
  paper.carl.inner = inner_named(one_of({"cg-ilao-paper", "ilao"}));
  paper.search.heuristic_mode = heuristic_mode_named(one_of({"lambda", "ideal-point"}));
  add(Algorithm::automatic);
  add(Algorithm::lp);
  add(Algorithm::i_dual).search.heuristic = heuristic_or_none();
  add(Algorithm::i_dual_textbook).search.heuristic = heuristic_or_none();
  if (problem.factored) add(Algorithm::i2_dual);
  if (problem.bounds.empty())
    for (const std::string& algorithm : inner_names())
      add(algorithm_named(algorithm)).search.heuristic = heuristic_or_none();
  if (random.below(4) == 0) list[random.below(list.size())].seed = 1 + random.below(1000);
  return list;
}

Judge::Judge(const Problem& problem)
    : problem_(problem),
      cssp_(problem_.cssp(false)),
      oracle_(cssp_, most),
      bounds_(exact_bounds(cssp_)) {
  if (!oracle_.complete()) return;
  proper_ = oracle_.has_proper_policy();
  allowed_ = proper_ && oracle_.has_allowed_policy(bounds_);
  may_refuse_ = oracle_.has_free_loop(bounds_);
  if (!allowed_) return;
  optimum_ = oracle_.minimum(0, bounds_);
  if (!optimum_) tolerated_ = oracle_.minimum(0, exact_bounds(cssp_, 1 + decimal(bound_tolerance)));
}

std::string Judge::truth() const {
  if (!proper_) return "no-proper-policy";
  if (optimum_) return "optimal";
  return tolerated_ ? "borderline" : "infeasible";
}

std::string Judge::truth_in_numbers() const {
  if (optimum_) return fmt::format("optimal, {}", to_double(optimum_->value));
  if (tolerated_)
    return fmt::format("infeasible, but {} where bounds are met within 1e-9",
                       to_double(tolerated_->value));
  return truth();
}

Verdict Judge::verdict(const Configuration& configuration, CpuWatch& watch, double seconds) const {
  Cssp cssp = problem_.cssp(true, configuration.seed);
  Solution solution;
  watch.start(seconds);
  try {
    Monitor monitor(std::numeric_limits<double>::infinity(), 0, &watch.flag());
    solution = solve(cssp, configuration.options, monitor);
  } catch (const InputError& error) {
    if (may_refuse_) return {};
    return wrong("refused", error.what());
  } catch (const std::exception& error) {
    return wrong("exception", error.what());
  }
  const double taken = watch.used();
  watch.start(1e9);
  if (taken > seconds + 0.5)
    return wrong("deaf", fmt::format("{:.2f} s under a limit of {} s", taken, seconds));
  Verdict answer = judge(cssp, solution);
  if (answer.kind != Verdict::Kind::right) return answer;
  watch.start(certificate_patience);
  answer = judge_certificate(cssp, solution, watch);
  watch.start(1e9);
  return answer;
}

Verdict Judge::judge(const Cssp& cssp, const Solution& solution) const {
  const std::string status(to_string(solution.status));
  switch (solution.status) {
    case Status::limit:
    case Status::interrupted: {
      // Of an unfinished run the statements so far must hold.
      if (solution.costs)
        if (Verdict v = judge_policy(cssp, solution); v.kind == Verdict::Kind::wrong) return v;
      if (solution.lower_bound && optimum_ &&
          *solution.lower_bound > to_double(optimum_->value) * (1 + rounding))
        return wrong("lower bound", fmt::format("{} at a limit", *solution.lower_bound));
      return {Verdict::Kind::limit, "limit", solution.note};
    }
    case Status::no_proper_policy:
      if (proper_) return wrong("status " + status, "in truth " + truth());
      return {};
    case Status::infeasible:
      if (!proper_ || optimum_) return wrong("status " + status, "in truth " + truth());
      return judge_infeasible(solution);
    case Status::optimal:
      if (!proper_ || !(optimum_ || tolerated_))
        return wrong("status " + status, "in truth " + truth());
      return judge_optimal(cssp, solution);
  }
  return {};
}

Verdict Judge::judge_optimal(const Cssp& cssp, const Solution& solution) const {
  if (Verdict v = judge_policy(cssp, solution); v.kind != Verdict::Kind::right) return v;
  const double objective = (*solution.costs)[0];
  if (!solution.lower_bound) return wrong("lower bound", "none");
  const double lower = *solution.lower_bound;
  if (lower > objective * (1 + rounding))
    return wrong("lower bound", fmt::format("{} above the objective {}", lower, objective));
  if (objective - lower > gap * objective * (1 + 1e-6))
    return wrong("gap", fmt::format("lower bound {}, objective {}", lower, objective));
  // What the tolerance on the bounds is worth at most.
  Rational worth = 0;
  const ExactOracle::Optimum& best = optimum_ ? *optimum_ : *tolerated_;
  if (optimum_)
    for (std::size_t i = 0; i < bounds_.size(); ++i)
      if (bounds_[i]) worth += best.multipliers[i] * *bounds_[i] * decimal(bound_tolerance);
  const double least = to_double(Rational(best.value - worth));
  const double value = to_double(best.value);
  if (objective < least - 2 * rounding * value)
    return wrong("objective", fmt::format("{} below the optimum {}", objective, value));
  if (optimum_ && objective > value * (1 + 1.001 * gap))
    return wrong("objective", fmt::format("{} above the optimum {}", objective, value));
  if (optimum_ && lower > value * (1 + rounding))
    return wrong("lower bound", fmt::format("{} above the optimum {}", lower, value));
  return {};
}

/// Whether the policy is one, costs what is claimed and meets the bounds, by the independent check
/// in rational numbers.
Verdict Judge::judge_policy(const Cssp& cssp, const Solution& solution) const {
  if (!solution.costs) return wrong("policy", "no costs");
  std::ostringstream policy_text;
  std::ostringstream result_text;
  write_policy(cssp, solution.policy, policy_text);
  write_result(cssp, solution, result_text);
  Monitor monitor;
  CheckOptions options;
  options.exact = true;
  Cssp all = problem_.cssp(false);
  const PolicyFile policy = read_policy_text("policy.json", policy_text.str(), monitor);
  const ResultFile result = read_result_text("result.json", result_text.str());
  const CheckReport report = check_policy(all, policy, &result, options, monitor);
  for (const Finding& finding : report.findings)
    if (!finding.warning)
      return wrong(fmt::format("check {}", to_string(finding.kind)),
                   fmt::format("{} {}: {} expected, {} found", finding.state, finding.what,
                               finding.expected, finding.found));
  const double slack = rounding + 1e-15 * report.steps;
  for (std::size_t i = 0; i < report.exact.size(); ++i) {
    const double claim = (*solution.costs)[i];
    const ExactCost& exact = report.exact[i];
    if (claim > exact.upper * (1 + slack) || claim < exact.lower * (1 - slack))
      return wrong("claimed cost", fmt::format("{} of cost {}, in truth {} … {}", claim, i,
                                               exact.lower, exact.upper));
  }
  for (const Bound& bound : all.bounds()) {
    const double allowed = bound.upper * (1 + bound_tolerance + 1e-15 * report.steps);
    if (!report.exact.empty() && report.exact[bound.cost].lower > allowed)
      return wrong("bound", fmt::format("cost {} is {}, bound {}, relative excess {:.3g}",
                                        bound.cost, report.exact[bound.cost].lower, bound.upper,
                                        report.exact[bound.cost].lower / bound.upper - 1));
  }
  return {};
}

/// An answer can be proved to somebody else: its certificate is written, read back and verified.
Verdict Judge::judge_certificate(Cssp& cssp, const Solution& solution, CpuWatch& watch) const {
  Monitor monitor(std::numeric_limits<double>::infinity(), 0, &watch.flag());
  try {
    std::ostringstream text;
    write_certificate(make_certificate(cssp, solution, {}, monitor), text);
    const Certificate certificate = read_certificate_text("certificate.json", text.str(), monitor);
    Cssp all = problem_.cssp(false);
    const CertificateReport report = check_certificate(all, certificate, nullptr, {}, monitor);
    if (report.verdict == CertificateReport::Verdict::refuted) {
      if (report.violations.empty()) return wrong("certificate", "refuted");
      const CertificateReport::Violation& first = report.violations.front();
      return wrong("certificate",
                   fmt::format("{} {} {}: {} expected, {} found", first.what, first.state,
                               first.action, first.expected, first.found));
    }
    if (report.verdict != CertificateReport::Verdict::proved)
      return wrong("certificate", "proved only up to a heuristic");
    if (solution.status == Status::optimal && !(report.gap && *report.gap <= 1.01 * gap))
      return wrong("certificate gap", fmt::format("{}", report.gap.value_or(-1)));
  } catch (const InputError& error) {
    if (!may_refuse_) return wrong("no certificate", error.what());
  } catch (const NoCertificate& none) {
    return wrong("no certificate", none.what());
  } catch (const LimitReached&) {
    return {Verdict::Kind::limit, "limit", "certificate"};
  }
  return {};
}

Verdict Judge::judge_infeasible(const Solution& solution) const {
  if (!allowed_) return {};  // a bound of zero says it all
  if (!solution.infeasibility) return wrong("reason", "none");
  const Infeasibility& reason = *solution.infeasibility;
  const std::vector<Bound>& bounds = cssp_.bounds();
  if (reason.weights.size() != bounds.size())
    return wrong("reason", fmt::format("{} weights", reason.weights.size()));
  std::vector<Rational> weights(cssp_.num_costs());
  Rational allowed = 0;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    if (!(reason.weights[i] >= 0)) return wrong("reason", "a negative weight");
    weights[bounds[i].cost] = decimal(reason.weights[i]);
    allowed += weights[bounds[i].cost] * decimal(bounds[i].upper);
  }
  ExactOracle::Bounds zeros = bounds_;
  for (auto& bound : zeros)
    if (bound && *bound > 0) bound.reset();
  const Rational least = oracle_.minimum(weights, zeros)->value;
  const auto numbers = [&] {
    return fmt::format("least {} (in truth {}), allowed {} (in truth {})", reason.least,
                       to_double(least), reason.allowed, to_double(allowed));
  };
  if (least <= allowed) return wrong("proof", numbers());
  if (reason.least > to_double(least) * (1 + rounding) || reason.least <= reason.allowed ||
      std::abs(reason.allowed - to_double(allowed)) > rounding * to_double(allowed))
    return wrong("reason", numbers());
  return {};
}

}  // namespace carl::soak
