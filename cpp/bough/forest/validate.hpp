// Whether arrays make a forest: what comes from a file is checked before anything walks it.
#pragma once

#include "bough/forest/forest.hpp"

namespace bough::forest {

// Works out what follows from the other arrays (the shares of the classes) and throws InvalidInput, which names the
// place, unless every tree is one: each node reached once, all columns, cuts, sets and answers in range.
void complete(Forest& forest);

}  // namespace bough::forest
