#include "cluster/agreement.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace carl::cluster {
namespace {

// What a rank has met: a kind of limit, or one of these.
constexpr std::uint64_t nothing = static_cast<std::uint64_t>(LimitKind::none);
constexpr std::uint64_t too_large = 98;
constexpr std::uint64_t bad_input = 99;

constexpr std::string_view word = "error: ";

struct Failure {
  std::uint64_t kind = nothing;
  std::string text;
};

Failure failure_of(const std::exception_ptr& exception) {
  if (!exception) return {};
  try {
    std::rethrow_exception(exception);
  } catch (const InputError& error) {
    const std::string text = error.what();  // which is made again from what comes after the word
    return {bad_input, text.starts_with(word) ? text.substr(word.size()) : text};
  } catch (const TooLarge& error) {
    return {too_large, error.what()};
  } catch (const LimitReached& limit) {
    return {static_cast<std::uint64_t>(limit.kind()), {}};
  }
}

}  // namespace

void throw_on_all(const Ranks& ranks, const std::exception_ptr& own) {
  const Failure failure = failure_of(own);
  const std::vector<std::uint64_t> kinds = ranks.gather_to_all(failure.kind);
  const auto first =
      std::find_if(kinds.begin(), kinds.end(), [](std::uint64_t kind) { return kind != nothing; });
  if (first == kinds.end()) return;
  std::vector<std::uint64_t> letters;
  for (const char letter : failure.text)
    letters.push_back(static_cast<unsigned char>(letter));
  ranks.broadcast(letters, static_cast<int>(first - kinds.begin()));
  if (own) std::rethrow_exception(own);
  std::string text;
  for (const std::uint64_t letter : letters)
    text += static_cast<char>(letter);
  if (*first == bad_input) throw InputError(text);
  if (*first == too_large) throw TooLarge(text);
  throw LimitReached(static_cast<LimitKind>(*first));
}

}  // namespace carl::cluster
