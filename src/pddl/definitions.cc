#include "pddl/definitions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <span>

#include "carl/options.h"
#include "pddl/diagnostics.h"
#include "util/shown.h"

namespace carl::pddl {
namespace {

constexpr std::array<std::string_view, 6> domain_sections{
    ":requirements", ":types", ":constants", ":predicates", ":functions", ":action"};
constexpr std::array<std::string_view, 10> problem_sections{
    ":domain", ":requirements", ":objects", ":init",        ":goal",
    ":metric", ":constraints",  ":give-up", ":goal-reward", ":goal-probability"};

/// Sections of other planning languages, and what to do without them.
struct Unsupported {
  std::string_view keyword;
  const char* hint;
};
constexpr std::array unsupported_sections{
    Unsupported{":durative-action", "write an (:action ...) and let it increase a cost for time"},
    Unsupported{":derived", "write the condition out where the derived predicate is used"},
    Unsupported{":axiom", "write the condition out where the derived predicate is used"},
    Unsupported{":process", "only changes by actions are planned for"},
    Unsupported{":event", "let the actions have the event's effects"},
    Unsupported{":length", "leave it out"},
};

class DefinitionFinder {
 public:
  explicit DefinitionFinder(const std::vector<SourceText>& sources) : sources_(sources) {}

  void take(Form form);
  /// `problem` is the name of the problem, or empty if there is one only.
  Definitions finish(std::string_view problem);

 private:
  [[noreturn]] void fail(Form form, std::string message, std::string hint = {}) const {
    throw error_at(sources_, form.position(), std::move(message), std::move(hint));
  }
  [[noreturn]] void fail_second(const Definition& earlier, Form title, const char* kind) const;
  void check_complete() const;
  Definition& chosen_problem(std::string_view name);
  std::string problem_names() const;
  void check_domain(const Definition& problem) const;
  void add_sections(Definition& definition, bool is_domain) const;
  void add_section(Definition& definition, Form section, bool is_domain) const;
  [[noreturn]] void fail_section(Form keyword, bool is_domain) const;

  const std::vector<SourceText>& sources_;
  std::optional<Definition> domain_;
  std::vector<Definition> problems_;
};

void DefinitionFinder::take(Form form) {
  constexpr const char* shape = "write (define (domain name) ...) or (define (problem name) ...)";
  if (form.head() != "define") fail(form, "expected (define ...)", shape);
  if (form.size() < 2) fail(form, "an empty definition", shape);
  const Form title = form[1];
  const bool is_domain = title.head() == "domain";
  if ((!is_domain && title.head() != "problem") || title.size() != 2 || title[1].is_list())
    fail(title, "expected (domain name) or (problem name)", shape);
  const Definition definition{form, title[1], {}, {}};
  if (is_domain) {
    if (domain_) fail_second(*domain_, title, "domain");
    domain_ = definition;
    return;
  }
  for (const Definition& earlier : problems_)
    if (earlier.name.text() == definition.name.text()) fail_second(earlier, title, "problem");
  problems_.push_back(definition);
}

void DefinitionFinder::fail_second(const Definition& earlier, Form title, const char* kind) const {
  fail(title, fmt::format("a second {}", kind),
       fmt::format("the first is {} in {}:{}", quoted(earlier.name.text()),
                   sources_[earlier.form.position().file].name, earlier.form.position().line));
}

void DefinitionFinder::add_sections(Definition& definition, bool is_domain) const {
  const Form form = definition.form;
  for (Form::Iterator i = ++(++form.begin()); i != form.end(); ++i)
    add_section(definition, *i, is_domain);
}

void DefinitionFinder::add_section(Definition& definition, Form section, bool is_domain) const {
  if (!section.head().starts_with(':'))
    fail(section, "expected a section",
         is_domain ? "sections begin with a keyword: (:predicates ...), (:action ...)"
                   : "sections begin with a keyword: (:init ...), (:goal ...)");
  const std::string_view keyword = section.head();
  const std::span<const std::string_view> known =
      is_domain ? std::span<const std::string_view>(domain_sections) : problem_sections;
  if (std::find(known.begin(), known.end(), keyword) == known.end())
    fail_section(*section.begin(), is_domain);
  if (keyword == ":action") {
    definition.actions.push_back(section);
    return;
  }
  if (const auto earlier = definition.section(keyword))
    fail(section, fmt::format("a second section '{}'", keyword),
         fmt::format("the first is in line {}", earlier->position().line));
  definition.sections.emplace_back(keyword, section);
}

void DefinitionFinder::fail_section(Form keyword, bool is_domain) const {
  const std::string_view text = keyword.text();
  for (const Unsupported& section : unsupported_sections)
    if (text == section.keyword)
      fail(keyword, fmt::format("'{}' is not supported", text), section.hint);
  const std::span<const std::string_view> here =
      is_domain ? std::span<const std::string_view>(domain_sections) : problem_sections;
  const std::span<const std::string_view> there =
      is_domain ? std::span<const std::string_view>(problem_sections) : domain_sections;
  if (std::find(there.begin(), there.end(), text) != there.end())
    fail(keyword,
         fmt::format("'{}' cannot be part of a {}", text, is_domain ? "domain" : "problem"),
         fmt::format("it belongs in the {}", is_domain ? "problem" : "domain"));
  fail(keyword, fmt::format("unknown section {}", quoted(text)), did_you_mean(text, here));
}

void DefinitionFinder::check_complete() const {
  if (problems_.empty())
    throw error_at(sources_, {domain_->form.position().file, 0, 0},
                   "there is a domain but no problem",
                   "give the problem's file too: (define (problem ...) ...)");
  if (!domain_)
    throw error_at(sources_, {problems_.front().form.position().file, 0, 0},
                   "there is a problem but no domain",
                   "give the domain's file too: (define (domain ...) ...)");
}

std::string DefinitionFinder::problem_names() const {
  constexpr std::size_t most = 20;
  std::vector<std::string> names;
  for (const Definition& problem : problems_)
    if (names.size() < most) names.push_back(shown(problem.name.text()));
  const std::size_t more = problems_.size() - names.size();
  return fmt::format("{}{}", fmt::join(names, ", "),
                     more > 0 ? fmt::format(" and {} more", more) : "");
}

Definition& DefinitionFinder::chosen_problem(std::string_view name) {
  const bool several = problems_.size() > 1;
  if (name.empty() && several)
    throw OptionError(fmt::format("there are {} problems to choose from", problems_.size()),
                      fmt::format("give one by `problem NAME`: {}", problem_names()));
  const auto found = std::find_if(problems_.begin(), problems_.end(), [&](const Definition& known) {
    return name.empty() || known.name.text() == name;
  });
  if (found == problems_.end())
    throw OptionError(fmt::format("`problem`: there is no problem named {}", quoted(name)),
                      fmt::format("the problem{} {}: {}", several ? "s" : "",
                                  several ? "are" : "is", problem_names()));
  const std::size_t file = found->form.position().file;
  found->shares_its_text =
      std::count_if(problems_.begin(), problems_.end(), [&](const Definition& other) {
        return other.form.position().file == file;
      }) > 1;
  return *found;
}

Definitions DefinitionFinder::finish(std::string_view problem_name) {
  check_complete();
  Definition& problem = chosen_problem(problem_name);
  add_sections(*domain_, true);
  add_sections(problem, false);
  check_domain(problem);
  return {*domain_, problem};
}

void DefinitionFinder::check_domain(const Definition& problem) const {
  const auto reference = problem.section(":domain");
  if (!reference)
    fail(problem.form, "the problem does not say which domain it belongs to",
         fmt::format("add (:domain {})", domain_->name.text().substr(0, 60)));
  if (reference->size() != 2 || (*reference)[1].is_list())
    fail(*reference, "expected (:domain name)");
  if ((*reference)[1].text() != domain_->name.text())
    fail((*reference)[1],
         fmt::format("the problem belongs to the domain {}, but the domain is called {}",
                     quoted((*reference)[1].text()), quoted(domain_->name.text())));
}

}  // namespace

std::optional<Form> Definition::section(std::string_view keyword) const {
  for (const auto& [known, section] : sections)
    if (known == keyword) return section;
  return std::nullopt;
}

Definitions find_definitions(const std::vector<SourceText>& sources,
                             const std::vector<FormTree>& texts, std::string_view problem) {
  DefinitionFinder finder(sources);
  for (std::size_t file = 0; file < texts.size(); ++file) {
    if (texts[file].begin() == texts[file].end())
      throw error_at(sources, {static_cast<std::uint32_t>(file), 0, 0}, "the text is empty",
                     "a domain (define (domain ...) ...) and a problem are needed");
    for (const Form form : texts[file])
      finder.take(form);
  }
  return finder.finish(problem);
}

}  // namespace carl::pddl
