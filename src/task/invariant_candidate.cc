#include "task/invariant_candidate.h"

#include <algorithm>
#include <numeric>

namespace carl::task {

InvariantCandidate::InvariantCandidate(std::vector<InvariantPart> parts)
    : parts_(std::move(parts)) {
  std::sort(parts_.begin(), parts_.end());
  // Parameters have no order of their own: number them by their positions in the first part, so
  // that equal candidates are equal.
  const std::vector<std::uint32_t> first = parts_.front().positions;
  std::vector<std::size_t> order(first.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return first[a] < first[b]; });
  for (InvariantPart& part : parts_) {
    const std::vector<std::uint32_t> old = part.positions;
    for (std::size_t i = 0; i < order.size(); ++i)
      part.positions[i] = old[order[i]];
  }
}

const InvariantPart* InvariantCandidate::part_of(std::uint32_t predicate) const {
  for (const InvariantPart& part : parts_)
    if (part.predicate == predicate) return &part;
  return nullptr;
}

bool InvariantCandidate::instance_of(AtomId atom, const AtomTable& atoms, Arguments& key) const {
  const InvariantPart* part = part_of(static_cast<std::uint32_t>(atoms.predicate(atom).index()));
  if (part == nullptr) return false;
  const Tuple arguments = atoms.arguments(atom);
  key.clear();
  for (const std::uint32_t position : part->positions)
    key.push_back(arguments[position]);
  return true;
}

namespace {

/// Extends `part` in all ways that give each parameter of `key` a position of its own that holds
/// its object.
void assign_positions(InvariantPart& part, const Arguments& key, Tuple arguments,
                      std::vector<InvariantPart>& found) {
  const std::size_t parameter = part.positions.size();
  if (parameter == key.size()) {
    found.push_back(part);
    return;
  }
  for (std::uint32_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] != key[parameter]) continue;
    if (std::find(part.positions.begin(), part.positions.end(), i) != part.positions.end())
      continue;
    part.positions.push_back(i);
    assign_positions(part, key, arguments, found);
    part.positions.pop_back();
  }
}

}  // namespace

std::vector<InvariantCandidate> InvariantCandidate::with_part_for(AtomId extra,
                                                                  const Arguments& key,
                                                                  const AtomTable& atoms) const {
  const Tuple arguments = atoms.arguments(extra);
  if (arguments.size() != key.size() && arguments.size() != key.size() + 1) return {};
  InvariantPart part{static_cast<std::uint32_t>(atoms.predicate(extra).index()), {}};
  std::vector<InvariantPart> found;
  assign_positions(part, key, arguments, found);
  std::vector<InvariantCandidate> result;
  for (InvariantPart& extension : found) {
    std::vector<InvariantPart> parts = parts_;
    parts.push_back(std::move(extension));
    result.emplace_back(std::move(parts));
  }
  return result;
}

std::vector<InvariantCandidate> initial_candidates(const std::vector<AtomId>& fluents,
                                                   const AtomTable& atoms) {
  std::vector<std::pair<std::uint32_t, std::size_t>> predicates;  // and arity
  predicates.reserve(fluents.size());
  for (const AtomId atom : fluents)
    predicates.emplace_back(atoms.predicate(atom).index(), atoms.arguments(atom).size());
  std::sort(predicates.begin(), predicates.end());
  predicates.erase(std::unique(predicates.begin(), predicates.end()), predicates.end());
  std::vector<InvariantCandidate> result;
  for (const auto& [predicate, arity] : predicates) {
    std::vector<std::uint32_t> all(arity);
    std::iota(all.begin(), all.end(), 0U);
    result.push_back(InvariantCandidate({{predicate, all}}));
    for (std::size_t counted = 0; counted < arity; ++counted) {
      std::vector<std::uint32_t> positions = all;
      positions.erase(positions.begin() + static_cast<std::ptrdiff_t>(counted));
      result.push_back(InvariantCandidate({{predicate, positions}}));
    }
  }
  return result;
}

}  // namespace carl::task
