// SPDX-License-Identifier: GPL-3.0-or-later
// Running 64-bit hash over what happened in a run. Two runs with equal fingerprints made the same steps.
#pragma once
#include "core/engine/random.h"

namespace rqs::engine {

class Fingerprint {
public:
    void add(std::uint64_t x) { m_h = (m_h ^ x) * 0x9fb21c651e98df25ULL; m_h ^= m_h >> 32; }
    std::uint64_t value() const { return mix64(m_h); }
    bool operator==(const Fingerprint&) const = default;

private:
    std::uint64_t m_h = 0x243f6a8885a308d3ULL;
};

} // namespace rqs::engine
