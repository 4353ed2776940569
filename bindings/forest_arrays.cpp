// See forest_arrays.hpp.
#include "bindings/forest_arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/interpreter.hpp"
#include "bough/base/error.hpp"
#include "bough/base/kept.hpp"
#include "bough/forest/validate.hpp"

namespace bough::python {
namespace {

using forest::Forest;
using forest::ShortNode;
using forest::WideNode;

// An object of Python that something of ours needs alive.
class Keeper {
 public:
  explicit Keeper(nb::object object) : object_(std::move(object)) {}
  ~Keeper() {
    const Locked locked;
    object_.reset();
  }
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  Keeper(Keeper&&) = delete;
  Keeper& operator=(Keeper&&) = delete;

 private:
  nb::object object_;
};

// Numbers of an array where they lie, so many a T.
template <class T, class S = T, std::size_t width = 1>
Kept<T> keep_numpy(const nb::dict& arrays, const char* name) {
  static_assert(sizeof(T) == width * sizeof(S));
  const nb::object source = arrays[name];
  const NumpyArray<S> array = numpy_array<S>(source, name);
  if (array.shape(0) % width != 0) throw InvalidInput(name, "expected whole nodes");
  if (array.shape(0) == 0) return {};
  if (array.stride(0) != 1) throw InvalidInput(name, "expected numbers side by side");
  const std::span<const T> there(reinterpret_cast<const T*>(array.data()), array.shape(0) / width);
  return {there, std::make_shared<const Keeper>(source)};
}

template <class T>
nb::object nodes_of(const Kept<T>& nodes, nb::handle owner) {
  const std::span<const T> all = nodes.all();
  return view_numpy(
      std::span<const std::uint32_t>(reinterpret_cast<const std::uint32_t*>(all.data()), all.size_bytes() / 4), owner);
}

void read_columns_of(Forest& grown, const nb::dict& arrays) {
  const auto levels = from_numpy<std::uint32_t>(arrays["levels"], "levels");
  const auto ends = from_numpy<std::uint64_t>(arrays["thresholds"], "thresholds");
  const auto threshold = from_numpy<double>(arrays["threshold"], "threshold");
  if (ends.size() != levels.size() + 1 || ends.front() != 0 || ends.back() != threshold.size() ||
      !std::ranges::is_sorted(ends)) {
    throw InvalidInput("thresholds", "expected the place of each column's");
  }
  grown.column.resize(levels.size());
  for (std::size_t c = 0; c < levels.size(); ++c) {
    grown.column[c].levels = levels[c];
    grown.column[c].threshold.assign(threshold.begin() + static_cast<std::ptrdiff_t>(ends[c]),
                                     threshold.begin() + static_cast<std::ptrdiff_t>(ends[c + 1]));
  }
}

}  // namespace

nb::dict forest_to_arrays(const Forest& grown, nb::handle owner) {
  std::vector<std::uint32_t> levels;
  std::vector<std::uint64_t> thresholds = {0};
  std::vector<double> threshold;
  for (const forest::Coding& coding : grown.column) {
    levels.push_back(coding.levels);
    threshold.insert(threshold.end(), coding.threshold.begin(), coding.threshold.end());
    thresholds.push_back(threshold.size());
  }
  nb::dict arrays;
  arrays["begin"] = to_numpy(std::vector<std::uint64_t>(grown.begin.begin(), grown.begin.end()));
  arrays["node"] = grown.wide() ? nodes_of(grown.wide_node, owner) : nodes_of(grown.short_node, owner);
  arrays["set"] = view_numpy(grown.set.all(), owner);
  arrays["levels"] = to_numpy(std::move(levels));
  arrays["thresholds"] = to_numpy(std::move(thresholds));
  arrays["threshold"] = to_numpy(std::move(threshold));
  arrays["count"] = view_numpy(grown.count.all(), owner);
  arrays["value"] = grown.classes == 0 ? view_numpy(grown.answer.all(), owner) : to_numpy(std::vector<double>());
  arrays["weight"] = view_numpy(grown.weight.all(), owner);
  arrays["gain"] = view_numpy(grown.gain.all(), owner);
  return arrays;
}

Forest forest_from_arrays(const nb::dict& arrays, std::uint32_t classes, bool wide) {
  Forest grown;
  grown.classes = classes;
  const auto begin = from_numpy<std::uint64_t>(arrays["begin"], "begin");
  grown.begin.assign(begin.begin(), begin.end());
  if (wide) {
    grown.wide_node = keep_numpy<WideNode, std::uint32_t, 3>(arrays, "node");
  } else {
    grown.short_node = keep_numpy<ShortNode, std::uint32_t, 2>(arrays, "node");
  }
  read_columns_of(grown, arrays);
  grown.set = keep_numpy<std::uint32_t>(arrays, "set");
  grown.count = keep_numpy<std::uint32_t>(arrays, "count");
  grown.answer = keep_numpy<double>(arrays, "value");
  grown.weight = keep_numpy<std::uint32_t>(arrays, "weight");
  grown.gain = keep_numpy<double>(arrays, "gain");
  const Unlocked unlocked;
  complete(grown);
  return grown;
}

}  // namespace bough::python
