// Writes models in DRN, the text format of the model checker Storm, as read_drn.h reads them.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "carl/error.h"
#include "carl/io.h"
#include "io/whole_model.h"

namespace carl {
namespace {

using io::WholeModel;

/// Blanks end a name there, and brackets begin something else.
std::string plain(std::string_view name) {
  std::string result(name);
  for (char& c : result)
    if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '[' || c == ']' || c == '"')
      c = '_';
  return result;
}

std::string label(const std::string& name) {
  const auto blank = [](unsigned char c) { return std::isspace(c) != 0; };
  if (name.find_first_of("\"\n\r") != std::string::npos)
    throw InputError(fmt::format("the label '{}' cannot be written as DRN", name),
                     "there labels have neither quotation marks nor line breaks");
  return std::any_of(name.begin(), name.end(), blank) ? fmt::format("\"{}\"", name) : name;
}

class DrnWriter {
 public:
  DrnWriter(WholeModel& model, std::ostream& out, Monitor& monitor)
      : model_(model), out_(out), monitor_(monitor) {
    for (const std::string& name : model.labels())
      labels_.push_back(label(name));
  }

  void write() {
    write_head();
    for (std::uint64_t s = 0; s < model_.num_states(); ++s) {
      monitor_.check();
      write_state(s);
      if (buffer_.size() > enough) flush();
    }
    flush();
  }

 private:
  static constexpr std::size_t enough = std::size_t{1} << 16;

  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(buffer_), format, std::forward<Arguments>(arguments)...);
  }
  void flush() {
    out_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    buffer_.clear();
  }

  void write_head() {
    std::uint64_t choices = 0;
    for (std::uint64_t s = 0; s < model_.num_states(); ++s) {
      monitor_.check();
      model_.visit(s);
      choices += model_.num_choices();
    }
    print("// Exported by carl\n@type: {}\n@parameters\n\n@reward_models\n",
          model_.is_chain() ? "DTMC" : "MDP");
    std::set<std::string> names;
    for (const std::string& cost : model_.costs()) {
      std::string name = plain(cost);
      while (!names.insert(name).second)
        name += '_';
      print("{}{}", names.size() == 1 ? "" : " ", name);
    }
    print("\n@nr_states\n{}\n@nr_choices\n{}\n@model\n", model_.num_states(), choices);
  }

  void write_costs(std::span<const double> costs) {
    for (std::size_t i = 0; i < costs.size(); ++i)
      print("{}{}", i == 0 ? " [" : ", ", costs[i]);
    print("]");
  }

  /// What choices cost is theirs, but states have a reward each as well.
  void write_state(std::uint64_t s) {
    model_.visit(s);
    const std::vector<double> zero(model_.costs().size(), 0.0);
    print("state {}", s);
    write_costs(model_.is_chain() ? model_.cost(0) : std::span<const double>(zero));
    for (std::size_t l = 0; l < labels_.size(); ++l)
      if (model_.holds(l, s)) print(" {}", labels_[l]);
    print("\n");
    for (std::size_t c = 0; c < model_.num_choices(); ++c) {
      print("\taction {}", model_.is_chain() ? "0" : plain(model_.action_name(c)));
      write_costs(model_.is_chain() ? std::span<const double>(zero) : model_.cost(c));
      print("\n");
      write_branches(c);
    }
  }

  /// One line for each target: those that differ in cost alone are one to Storm.
  void write_branches(std::size_t choice) {
    sums_.clear();
    sums_.begin_action(ActionId(0));
    for (const WholeModel::Branch& branch : model_.branches(choice))
      sums_.add_outcome(branch.probability, branch.target);
    for (std::size_t k = 0; k < sums_.successors(0).size(); ++k)
      print("\t\t{} : {}\n", sums_.successors(0)[k].index(), sums_.probabilities(0)[k]);
  }

  WholeModel& model_;
  std::ostream& out_;
  Monitor& monitor_;
  std::vector<std::string> labels_;
  fmt::memory_buffer buffer_;
  Expansion sums_;
};

void write(WholeModel model, std::ostream& out, Monitor& monitor) {
  DrnWriter(model, out, monitor).write();
}

}  // namespace

void write_drn(Cssp& cssp, std::ostream& out, Monitor& monitor) {
  write(WholeModel(cssp, monitor), out, monitor);
}

void write_drn(const std::shared_ptr<Model>& model, std::ostream& out, Monitor& monitor) {
  write(WholeModel(model), out, monitor);
}

void write_chain_drn(Cssp& cssp, const Policy& policy, std::ostream& out, Monitor& monitor) {
  write(WholeModel(cssp, policy, monitor), out, monitor);
}

}  // namespace carl
