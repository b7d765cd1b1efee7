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

/// The union of two conjunctions, or nothing if it contradicts itself.
std::optional<Conjunction> unite(const Conjunction& a, const Conjunction& b) {
  Conjunction both;
  both.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  for (std::size_t i = 1; i < both.size(); ++i)
    if (both[i - 1].atom() == both[i].atom()) return std::nullopt;
  return both;
}

void remove_repeats(std::vector<Conjunction>& terms) {
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
}

}  // namespace

std::optional<std::vector<Conjunction>> disjunctive_normal_form(const Formula& formula,
                                                                std::size_t max_size) {
  if (formula.kind == Formula::Kind::literal) return {{{formula.literal}}};
  const bool all = formula.kind == Formula::Kind::conjunction || formula.is_true();
  std::vector<Conjunction> result;
  if (all) result.emplace_back();
  for (const Formula& child : formula.children) {
    auto terms = disjunctive_normal_form(child, max_size);
    if (!terms) return std::nullopt;
    if (all) {
      std::vector<Conjunction> product;
      for (const Conjunction& a : result) {
        for (const Conjunction& b : *terms)
          if (auto both = unite(a, b)) product.push_back(std::move(*both));
        // A product may shrink again by repeats, but not from this far above the limit.
        if (product.size() > 2 * max_size) remove_repeats(product);
        if (product.size() > 2 * max_size) return std::nullopt;
      }
      result = std::move(product);
    } else {
      std::move(terms->begin(), terms->end(), std::back_inserter(result));
    }
    if (result.size() > 1) remove_repeats(result);
    if (result.size() > max_size) return std::nullopt;
  }
  return result;
}

}  // namespace carl::task
