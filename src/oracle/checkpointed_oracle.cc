#include "oracle/checkpointed_oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <filesystem>
#include <utility>

#include "carl/error.h"
#include "carl/solution.h"
#include "util/checksum.h"

namespace carl::oracle {
namespace {

// Costs of a policy that agree to this are those of the same policy: read back on another machine
// they are summed up in another order. They are in units of a typical step (cssp/cost_units.h).
constexpr double same_cost = 1e-9;

bool agree(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](double x, double y) {
    return std::abs(x - y) <= same_cost * std::max({std::abs(x), std::abs(y), next_to_nothing});
  });
}

void add(Checksum& sum, double number) {
  sum.add(fmt::format("{:016x};", std::bit_cast<std::uint64_t>(number)));
}

/// What answers depend on.
std::uint64_t identity(const Cssp& cssp, const std::string& problem) {
  Checksum sum;
  sum.add(problem + "\n");
  for (const std::string& cost : cssp.cost_names())
    sum.add(cost + "\n");
  for (const Bound& bound : cssp.bounds()) {
    sum.add(fmt::format("bound {};", bound.cost));
    add(sum, bound.upper);
  }
  sum.add("units;");
  for (const double unit : cssp.units())
    add(sum, unit);
  if (!cssp.give_up_penalty()) return sum.value();
  sum.add("give up;");
  for (const double penalty : *cssp.give_up_penalty())
    add(sum, penalty);
  return sum.value();
}

std::string file_name(std::size_t number, const std::vector<double>& costs) {
  // A policy that takes the place of one that was dropped has a name of its own.
  Checksum sum;
  for (const double cost : costs)
    add(sum, cost);
  return fmt::format("policy-{}-{:08x}.json", number, sum.value() >> 32);
}

const std::string& made_folder(const std::string& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error)
    throw InputError(fmt::format("cannot make the folder '{}': {}", directory, error.message()));
  return directory;
}

}  // namespace

CheckpointedOracle::CheckpointedOracle(Oracle& oracle, PolicyKeeper& keeper, const Cssp& cssp,
                                       const CheckpointOptions& options)
    : oracle_(oracle),
      keeper_(keeper),
      directory_(options.directory),
      lock_(made_folder(directory_)) {
  const std::uint64_t problem = identity(cssp, options.problem);
  if (!has_checkpoint(directory_)) {
    checkpoint_.problem = problem;
    // That it can be written is better known now than after the first hour.
    write_checkpoint(checkpoint_, directory_);
    return;
  }
  if (!options.resume)
    throw InputError(fmt::format("there is a checkpoint in '{}' already", directory_),
                     "resume from it, or choose another folder");
  checkpoint_ = read_checkpoint(directory_, oracle_.monitor());
  if (checkpoint_.problem != problem)
    throw InputError(fmt::format("the checkpoint in '{}' is of another problem", directory_),
                     "give the same files, bounds and penalties, or choose another folder");
  expect_sound(cssp.num_costs());
  handles_.resize(checkpoint_.policies.size());
  num_saved_ = handles_.size();
}

/// Policies are numbered as they were found.
void CheckpointedOracle::expect_sound(std::size_t num_costs) const {
  std::size_t known = 0;
  bool sound = true;
  for (const Call& call : checkpoint_.calls) {
    if (call.kind != Call::Kind::ask) continue;
    known += call.policy == known ? 1 : 0;
    sound = sound && call.policy < known;
  }
  for (const Checkpoint::KnownPolicy& policy : checkpoint_.policies)
    sound = sound && policy.costs.size() == num_costs;
  if (!sound || known != checkpoint_.policies.size())
    throw InputError(fmt::format("the checkpoint in '{}' contradicts itself", directory_),
                     "remove it to begin from the beginning");
}

// --- questions ------------------------------------------------------------------------------------

Answer CheckpointedOracle::ask(std::span<const double> weights) {
  last_weights_.assign(weights.begin(), weights.end());
  if (const Call* call = recorded({.kind = Call::Kind::ask, .weights = last_weights_})) {
    const bool is_new = call->policy == num_known_;
    num_known_ += is_new ? 1 : 0;
    ++num_resumed_;
    last_policy_ = call->policy;
    return {Answer::Outcome::answered, call->policy,        is_new,
            call->lower_bound,         call->weighted_cost, call->is_final};
  }
  catch_up();
  last_policy_.reset();
  Answer answer = oracle_.ask(weights);
  if (answer.outcome != Answer::Outcome::answered) return answer;
  answer.policy = own_handle(answer.policy, answer.is_new);
  record({.kind = Call::Kind::ask,
          .weights = last_weights_,
          .policy = answer.policy,
          .weighted_cost = answer.weighted_cost,
          .is_final = answer.is_final,
          .lower_bound = answer.lower_bound});
  return answer;
}

double CheckpointedOracle::bound_nearby(std::span<const double> weights, double negligible_loss,
                                        double target) {
  Call call{.kind = Call::Kind::bound_nearby,
            .weights = {weights.begin(), weights.end()},
            .negligible_loss = negligible_loss,
            .target = target};
  if (const Call* known = recorded(call)) return known->lower_bound;
  catch_up();
  // What the last answer has left is asked for: then the oracle has to have given it.
  if (std::exchange(last_policy_, std::nullopt)) oracle_.ask(last_weights_);
  call.lower_bound = oracle_.bound_nearby(weights, negligible_loss, target);
  record(call);
  return call.lower_bound;
}

bool CheckpointedOracle::tighten() {
  if (const Call* call = recorded({.kind = Call::Kind::tighten})) {
    num_tightened_ += call->tightened ? 1 : 0;
    return call->tightened;
  }
  catch_up();
  // It will be written with the next answer.
  checkpoint_.calls.push_back({.kind = Call::Kind::tighten, .tightened = oracle_.tighten()});
  next_ = checkpoint_.calls.size();
  return checkpoint_.calls.back().tightened;
}

/// The call that comes next, if it is this one.
const Checkpoint::Call* CheckpointedOracle::recorded(const Call& asked) {
  if (next_ == checkpoint_.calls.size()) return nullptr;
  const Call& call = checkpoint_.calls[next_];
  if (call.kind == asked.kind && call.weights == asked.weights &&
      call.negligible_loss == asked.negligible_loss && call.target == asked.target) {
    ++next_;
    return &call;
  }
  forget_the_rest();
  return nullptr;
}

void CheckpointedOracle::forget_the_rest() {
  checkpoint_.calls.resize(next_);
  checkpoint_.policies.resize(num_known_);
  handles_.resize(num_known_);
  num_saved_ = std::min(num_saved_, num_known_);
}

/// The oracle is about to be asked for the first time: it should be as precise as it was, and begin
/// with the policy that it found last.
void CheckpointedOracle::catch_up() {
  for (; num_tightened_ > 0; --num_tightened_)
    oracle_.tighten();
  if (last_policy_) fetch(*last_policy_);
}

// --- policies -------------------------------------------------------------------------------------

/// Of the one that the oracle has found. It may be one that it was spared before.
PolicyHandle CheckpointedOracle::own_handle(PolicyHandle handle, bool& is_new) {
  const std::vector<double>& costs = oracle_.costs(handle);
  is_new = false;
  for (PolicyHandle own = 0; own < handles_.size(); ++own)
    if (handles_[own] == handle) return own;
  for (PolicyHandle own = 0; own < handles_.size(); ++own) {
    if (handles_[own] || !agree(costs, checkpoint_.policies[own].costs)) continue;
    handles_[own] = handle;
    return own;
  }
  is_new = true;
  checkpoint_.policies.push_back({file_name(num_known_ + 1, costs), costs});
  handles_.emplace_back(handle);
  return num_known_++;
}

PolicyHandle CheckpointedOracle::fetch(PolicyHandle policy) const {
  std::optional<PolicyHandle>& handle = handles_[policy];
  if (handle) return *handle;
  const Checkpoint::KnownPolicy& known = checkpoint_.policies[policy];
  const std::string path = (std::filesystem::path(directory_) / known.file).string();
  const PolicyHandle found = keeper_.restore(path);
  if (!agree(oracle_.costs(found), known.costs))
    throw InputError(fmt::format("'{}' is not the policy that the checkpoint is about", path),
                     "remove the checkpoint to begin from the beginning");
  handle = found;
  return found;
}

Policy CheckpointedOracle::policy(PolicyHandle policy) const {
  return oracle_.policy(fetch(policy));
}

bool CheckpointedOracle::is_allowed(PolicyHandle policy) const {
  return !handles_[policy] || oracle_.is_allowed(*handles_[policy]);
}

EvaluatedPolicy CheckpointedOracle::mix(std::span<const double> mixture) const {
  for (PolicyHandle own = 0; own < mixture.size(); ++own)
    if (mixture[own] != 0) fetch(own);
  std::vector<double> weights(oracle_.num_policies(), 0.0);
  for (PolicyHandle own = 0; own < mixture.size(); ++own)
    if (mixture[own] != 0) weights[*handles_[own]] += mixture[own];
  return oracle_.mix(weights);
}

// --- the folder -----------------------------------------------------------------------------------

void CheckpointedOracle::record(const Call& call) {
  checkpoint_.calls.push_back(call);
  next_ = checkpoint_.calls.size();
  write();
}

/// A disk that is full is no reason to end a search; perhaps there is room again after the next
/// answer.
void CheckpointedOracle::write() {
  try {
    for (; num_saved_ < handles_.size(); ++num_saved_)
      keeper_.save(
          *handles_[num_saved_],
          (std::filesystem::path(directory_) / checkpoint_.policies[num_saved_].file).string());
    write_checkpoint(checkpoint_, directory_);
    trouble_.clear();
  } catch (const InputError& error) {
    trouble_ = error.message();
  }
}

}  // namespace carl::oracle
