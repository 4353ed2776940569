// What growing and pruning are asked with: a ranked table, a target, options by name, and the link back to Python.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bough/base/error.hpp"
#include "bough/engine/options.hpp"
#include "bough/table/ranked.hpp"

namespace bough::python {

struct OwnedTable {
  RankedTable table;
  std::vector<nanobind::object> owners;  // the arrays that the table's views read
};

// Asks Python for pending signals (Ctrl-C) and passes the progress on; called without the interpreter's lock.
class Asker {
 public:
  explicit Asker(nanobind::object progress) : progress_(std::move(progress)) {}
  void operator()(double share) const;

 private:
  nanobind::object progress_;
};

// Reads options by name; what is left over at the end was misspelt.
class Options {
 public:
  explicit Options(const nanobind::dict& given) : given_(given) {}

  template <class T>
  void read(const char* name, T& into) {
    if (!given_.contains(name)) return;
    ++known_;
    into = nanobind::cast<T>(given_[name]);
  }
  template <class T>
  void read_choice(const char* name, T& into, const std::map<std::string, T>& choices) {
    if (!given_.contains(name)) return;
    ++known_;
    const auto chosen = nanobind::cast<std::string>(given_[name]);
    const auto found = choices.find(chosen);
    if (found == choices.end()) throw InvalidInput(name, "unknown choice " + chosen);
    into = found->second;
  }
  // Whether an option is given, which somebody else reads.
  bool has(const char* name) {
    const bool given = given_.contains(name);
    known_ += static_cast<std::size_t>(given);
    return given;
  }
  void finish() const;

 private:
  const nanobind::dict& given_;
  std::size_t known_ = 0;
};

// Parts of requests that growing and pruning share.
void read_size(Options& options, SizePenalty& into);
void read_significance_test(Options& options, SignificanceTest& into);

[[nodiscard]] Target read_target(const nanobind::dict& fields);

// Throws InvalidInput unless the target has an entry for each row and a scale for each class.
void check_target(const Target& target, const RankedTable& table);

}  // namespace bough::python
