#include "task/formula.h"

#include <algorithm>
#include <iterator>

namespace carl::task {

void FormulaBuilder::add(Formula part) {
  if (decided_) return;
  const bool conjunction = kind_ == Formula::Kind::conjunction;
  if (part.is_true() || part.is_false()) {
    decided_ = part.is_true() != conjunction;
  } else if (part.kind == kind_) {
    std::move(part.children.begin(), part.children.end(), std::back_inserter(parts_));
  } else {
    parts_.push_back(std::move(part));
  }
}

Formula FormulaBuilder::build() {
  const bool conjunction = kind_ == Formula::Kind::conjunction;
  if (decided_) return Formula::constant(!conjunction);
  if (parts_.empty()) return Formula::constant(conjunction);
  if (parts_.size() == 1) return std::move(parts_.front());
  return Formula{kind_, Literal({}, true), std::move(parts_)};
}

void for_each_atom(const Formula& formula, const std::function<void(AtomId)>& visit) {
  if (formula.kind == Formula::Kind::literal) visit(formula.literal.atom());
  for (const Formula& child : formula.children)
    for_each_atom(child, visit);
}

namespace {

using Terms = std::vector<Conjunction>;

/// The union of two conjunctions, or nothing if it contradicts itself.
std::optional<Conjunction> unite(const Conjunction& a, const Conjunction& b) {
  Conjunction both;
  both.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  for (std::size_t i = 1; i < both.size(); ++i)
    if (both[i - 1].atom() == both[i].atom()) return std::nullopt;
  return both;
}

/// Collects the terms of a normal form. Repeats are removed only now and then, since most forms
/// have none.
class TermCollector {
 public:
  explicit TermCollector(std::size_t max_terms) : max_terms_(max_terms) {}

  void add(Conjunction term) {
    if (too_many_) return;
    num_literals_ += term.size();
    terms_.push_back(std::move(term));
    if (terms_.size() > 2 * max_terms_) remove_repeats();
    too_many_ = terms_.size() > 2 * max_terms_ || num_literals_ > max_literals;
  }
  std::optional<Terms> finish() {
    remove_repeats();
    if (too_many_ || terms_.size() > max_terms_) return std::nullopt;
    return std::move(terms_);
  }
  bool too_many() const { return too_many_; }

 private:
  static constexpr std::size_t max_literals = std::size_t{1} << 26;  // where terms are very long

  void remove_repeats() {
    if (terms_.size() < 2) return;
    std::sort(terms_.begin(), terms_.end());
    terms_.erase(std::unique(terms_.begin(), terms_.end()), terms_.end());
  }

  std::size_t max_terms_;
  std::size_t num_literals_ = 0;
  bool too_many_ = false;
  Terms terms_;
};

/// The literals among the parts of a conjunction as one term; none if they contradict each other.
Terms literal_term(const Formula& conjunction) {
  Conjunction literals;
  for (const Formula& part : conjunction.children)
    if (part.kind == Formula::Kind::literal) literals.push_back(part.literal);
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  auto term = unite(literals, {});
  return term ? Terms{std::move(*term)} : Terms{};
}

std::optional<Terms> conjoin(const Formula& conjunction, std::size_t max_terms) {
  Terms result = literal_term(conjunction);
  for (const Formula& part : conjunction.children) {
    if (part.kind == Formula::Kind::literal) continue;
    const auto factor = disjunctive_normal_form(part, max_terms);
    if (!factor) return std::nullopt;
    TermCollector product(max_terms);
    for (const Conjunction& a : result)
      for (const Conjunction& b : *factor)
        if (auto both = product.too_many() ? std::nullopt : unite(a, b))
          product.add(std::move(*both));
    auto terms = product.finish();
    if (!terms) return std::nullopt;
    result = std::move(*terms);
  }
  return result;
}

std::optional<Terms> disjoin(const Formula& disjunction, std::size_t max_terms) {
  TermCollector sum(max_terms);
  for (const Formula& part : disjunction.children) {
    auto terms = disjunctive_normal_form(part, max_terms);
    if (!terms || sum.too_many()) return std::nullopt;
    for (Conjunction& term : *terms)
      sum.add(std::move(term));
  }
  return sum.finish();
}

}  // namespace

std::optional<Terms> disjunctive_normal_form(const Formula& formula, std::size_t max_size) {
  switch (formula.kind) {
    case Formula::Kind::truth:
      return Terms{{}};
    case Formula::Kind::falsehood:
      return Terms{};
    case Formula::Kind::literal:
      return Terms{{formula.literal}};
    case Formula::Kind::conjunction:
      return conjoin(formula, max_size);
    case Formula::Kind::disjunction:
      break;
  }
  return disjoin(formula, max_size);
}

}  // namespace carl::task
