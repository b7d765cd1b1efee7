#include "io/write_umb.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "io/archive.h"
#include "io/json_writer.h"
#include "io/umb_index.h"
#include "model/intern_table.h"

namespace carl::io {
namespace {

using Branch = WholeModel::Branch;

/// Names of folders are of small letters, digits, '-' and '_'.
std::vector<std::string> ids_of(const std::vector<std::string>& names) {
  std::vector<std::string> ids;
  std::set<std::string> taken;
  for (const std::string& name : names) {
    std::string id;
    for (const char c : name) {
      const char small = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
      const bool plain =
          (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9') || small == '-';
      id += plain ? small : '_';
    }
    constexpr std::size_t most = 60;
    id = id.substr(0, most);
    if (id.empty()) id = "_";
    std::string distinct = id;
    for (std::size_t n = 2; !taken.insert(distinct).second; ++n)
      distinct = fmt::format("{}-{}", id, n);
    ids.push_back(distinct);
  }
  return ids;
}

/// Numbers on their way into a file of the archive.
class Numbers {
 public:
  explicit Numbers(ArchiveWriter& archive) : archive_(archive) { buffer_.reserve(most); }
  ~Numbers() = default;
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;

  template <class T>
  void add(T number) {
    static_assert(std::is_arithmetic_v<T>);
    char bytes[sizeof(T)];
    std::memcpy(bytes, &number, sizeof(T));
    buffer_.insert(buffer_.end(), bytes, bytes + sizeof(T));
    if (buffer_.size() >= most) flush();
  }
  void flush() {
    archive_.write({buffer_.data(), buffer_.size()});
    buffer_.clear();
  }

 private:
  static constexpr std::size_t most = std::size_t{1} << 16;
  ArchiveWriter& archive_;
  std::vector<char> buffer_;
};

class UmbWriter {
 public:
  UmbWriter(WholeModel& model, std::ostream& out, Monitor& monitor, Compression compression)
      : model_(model), monitor_(monitor), archive_(out, compression) {
    cost_ids_ = ids_of(model.costs());
    label_ids_ = ids_of(model.labels());
  }

  void write() {
    count();
    const std::string index = index_text();
    archive_.begin_file("index.json", index.size());
    archive_.write(index);
    write_structure();
    write_actions();
    write_labels();
    for (std::size_t cost = 0; cost < model_.costs().size(); ++cost)
      write_reward(cost);
    archive_.finish();
  }

 private:
  struct Reward {
    bool by_choice = false;  // otherwise all choices of a state cost the same
    bool by_branch = false;  // some branches have costs of their own
  };

  template <class Visit>
  void for_states(Visit visit) {
    for (std::uint64_t s = 0; s < model_.num_states(); ++s) {
      monitor_.check();
      visit(s);
    }
  }
  template <class Visit>
  void for_choices(Visit visit) {
    for_states([&](std::uint64_t s) {
      model_.visit(s);
      for (std::size_t c = 0; c < model_.num_choices(); ++c)
        visit(c);
    });
  }
  /// A file of the archive, whose numbers `write(numbers)` adds.
  template <class Write>
  void file(const std::string& path, std::uint64_t size, Write write) {
    archive_.begin_file(path, size);
    Numbers numbers(archive_);
    write(numbers);
    numbers.flush();
  }
  void bits(const std::string& path, auto holds) {
    file(path, (model_.num_states() + 63) / 64 * 8, [&](Numbers& numbers) {
      std::uint64_t word = 0;
      for_states([&](std::uint64_t s) {
        if (holds(s)) word |= std::uint64_t{1} << (s % 64);
        if (s % 64 != 63 && s + 1 != model_.num_states()) return;
        numbers.add(word);
        word = 0;
      });
    });
  }

  void count() {
    rewards_.resize(model_.costs().size());
    std::vector<double> first;
    for_states([&](std::uint64_t s) {
      model_.visit(s);
      choices_ += model_.num_choices();
      for (std::size_t c = 0; c < model_.num_choices(); ++c) {
        if (!model_.is_chain()) names_.intern(model_.action_name(c));
        const auto cost = model_.cost(c);
        if (c == 0) first.assign(cost.begin(), cost.end());
        for (std::size_t i = 0; i < rewards_.size(); ++i)
          rewards_[i].by_choice |= cost[i] != first[i];
        const std::vector<Branch>& branches = model_.branches(c);
        branches_ += branches.size();
        if (branches.empty() || branches.front().cost.empty()) continue;
        for (Reward& reward : rewards_)
          reward.by_choice = reward.by_branch = true;
      }
    });
  }

  std::string index_text() const {
    std::ostringstream out;
    JsonWriter json(out, JsonWriter::Layout::indented);
    json.object([&] {
      json.member("format-version", umb_version);
      json.member("format-revision", std::uint64_t{0});
      json.object("model-data", [] {});
      json.object("file-data", [&] { write_file_data(json); });
      json.object("transition-system", [&] { write_system(json); });
      json.object("annotations", [&] {
        json.object("rewards", [&] {
          for (std::size_t i = 0; i < rewards_.size(); ++i)
            write_annotation(json, cost_ids_[i], model_.costs()[i], entities(rewards_[i]), "double",
                             64);
        });
        json.object("aps", [&] {
          for (std::size_t i = 0; i < label_ids_.size(); ++i)
            write_annotation(json, label_ids_[i], model_.labels()[i], {"states"}, "bool", 1);
        });
      });
    });
    return out.str() + '\n';
  }

  static std::vector<std::string> entities(const Reward& reward) {
    if (!reward.by_choice) return {"states"};
    return reward.by_branch ? std::vector<std::string>{"choices", "branches"}
                            : std::vector<std::string>{"choices"};
  }

  void write_file_data(JsonWriter& json) const {
    json.member("tool", umb_tool);
    if (model_.bounds().empty()) return;
    json.object("parameters", [&] {
      json.object("bounds", [&] {
        for (const Bound& bound : model_.bounds())
          json.member(model_.costs()[bound.cost], bound.upper);
      });
    });
  }

  void write_system(JsonWriter& json) const {
    json.member("time", "discrete");
    json.member("#players", std::uint64_t{model_.is_chain() ? 0U : 1U});
    json.member("#states", model_.num_states());
    json.member("#initial-states", std::uint64_t{1});
    json.member("#choices", choices_);
    json.member("#choice-actions", std::uint64_t{names_.size()});
    json.member("#branches", branches_);
    json.member("#branch-actions", std::uint64_t{0});
    json.member("#observations", std::uint64_t{0});
    json.object("branch-probability-type", [&] { write_type(json, "double", 64); });
  }

  static void write_type(JsonWriter& json, const char* type, std::uint64_t bits) {
    json.member("type", type);
    json.member("size", bits);
  }

  static void write_annotation(JsonWriter& json, const std::string& id, const std::string& name,
                               const std::vector<std::string>& entities, const char* type,
                               std::uint64_t bits) {
    json.object(id, [&] {
      json.member("alias", name);
      json.member("applies-to", entities);
      json.object("type", [&] { write_type(json, type, bits); });
    });
  }

  void write_structure() {
    if (!model_.is_chain())
      file("state-to-choices.bin", (model_.num_states() + 1) * 8, [&](Numbers& numbers) {
        std::uint64_t sum = 0;
        numbers.add(sum);
        for_states([&](std::uint64_t s) {
          model_.visit(s);
          numbers.add(sum += model_.num_choices());
        });
      });
    bits("state-is-initial.bin", [&](std::uint64_t s) { return s == model_.initial_state(); });
    file("choice-to-branches.bin", (choices_ + 1) * 8, [&](Numbers& numbers) {
      std::uint64_t sum = 0;
      numbers.add(sum);
      for_choices([&](std::size_t c) { numbers.add(sum += model_.branches(c).size()); });
    });
    file("branch-to-target.bin", branches_ * 8, [&](Numbers& numbers) {
      for_choices([&](std::size_t c) {
        for (const Branch& branch : model_.branches(c))
          numbers.add(std::uint64_t{branch.target.index()});
      });
    });
    file("branch-to-probability.bin", branches_ * 8, [&](Numbers& numbers) {
      for_choices([&](std::size_t c) {
        for (const Branch& branch : model_.branches(c))
          numbers.add(branch.probability);
      });
    });
  }

  void write_actions() {
    if (names_.size() == 0) return;
    file("actions/choices/values.bin", choices_ * 4, [&](Numbers& numbers) {
      for_choices([&](std::size_t c) { numbers.add(*names_.find(model_.action_name(c))); });
    });
    file("actions/choices/string-mapping.bin", (names_.size() + 1) * 8, [&](Numbers& numbers) {
      for (std::size_t i = 0; i <= names_.size(); ++i)
        numbers.add(std::uint64_t{names_.offset(i)});
    });
    archive_.begin_file("actions/choices/strings.bin", names_.elements().size());
    archive_.write(names_.elements());
  }

  void write_labels() {
    for (std::size_t i = 0; i < label_ids_.size(); ++i)
      bits(fmt::format("annotations/aps/{}/states/values.bin", label_ids_[i]),
           [&](std::uint64_t s) { return model_.holds(i, s); });
  }

  void write_reward(std::size_t i) {
    const auto path = [&](const char* entity) {
      return fmt::format("annotations/rewards/{}/{}/values.bin", cost_ids_[i], entity);
    };
    if (!rewards_[i].by_choice)
      file(path("states"), model_.num_states() * 8, [&](Numbers& numbers) {
        for_states([&](std::uint64_t s) {
          model_.visit(s);
          numbers.add(model_.cost(0)[i]);
        });
      });
    else
      file(path("choices"), choices_ * 8, [&](Numbers& numbers) {
        for_choices([&](std::size_t c) {
          const bool elsewhere = rewards_[i].by_branch && !model_.branches(c).front().cost.empty();
          numbers.add(elsewhere ? 0.0 : model_.cost(c)[i]);
        });
      });
    if (rewards_[i].by_branch)
      file(path("branches"), branches_ * 8, [&](Numbers& numbers) {
        for_choices([&](std::size_t c) {
          for (const Branch& branch : model_.branches(c))
            numbers.add(branch.cost.empty() ? 0.0 : branch.cost[i]);
        });
      });
  }

  WholeModel& model_;
  Monitor& monitor_;
  ArchiveWriter archive_;
  std::vector<std::string> cost_ids_;
  std::vector<std::string> label_ids_;
  std::vector<Reward> rewards_;  // by cost
  NameTable names_;              // of actions
  std::uint64_t choices_ = 0;
  std::uint64_t branches_ = 0;
};

}  // namespace

void write_umb(WholeModel& model, std::ostream& out, Monitor& monitor, Compression compression) {
  UmbWriter(model, out, monitor, compression).write();
}

}  // namespace carl::io

namespace carl {

void write_umb(Cssp& cssp, std::ostream& out, Monitor& monitor, Compression compression) {
  io::WholeModel model(cssp, monitor);
  io::write_umb(model, out, monitor, compression);
}

void write_umb(const std::shared_ptr<Model>& model, std::ostream& out, Monitor& monitor,
               Compression compression) {
  io::WholeModel whole(model);
  io::write_umb(whole, out, monitor, compression);
}

void write_chain_umb(Cssp& cssp, const Policy& policy, std::ostream& out, Monitor& monitor,
                     Compression compression) {
  io::WholeModel chain(cssp, policy, monitor);
  io::write_umb(chain, out, monitor, compression);
}

}  // namespace carl
