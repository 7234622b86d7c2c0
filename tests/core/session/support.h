// SPDX-License-Identifier: GPL-3.0-or-later
// Sessions for tests, from scenario text on shipped machines.
#pragma once
#include "core/scenario/build_run.h"
#include "core/scenario/loader.h"
#include "core/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace rqs::session::test {

inline scenario::Folders folders() { return {RQS_SOURCE_DIR "/scenarios", RQS_SOURCE_DIR "/resources"}; }

inline scenario::RunSetup setupFrom(const scenario::Scenario& s, const std::string& variant, std::uint64_t seed) {
    scenario::Overrides o;
    o.seed = seed;
    const bool listed = std::any_of(s.variants.begin(), s.variants.end(), [&](const auto& v) { return v.name == variant; });
    auto r = scenario::buildRun(s, listed || s.variants.empty() ? variant : s.variants.front().name, o);
    EXPECT_TRUE(r) << (r ? "" : r.error().text());
    return r ? std::move(r).value() : scenario::RunSetup{};
}

/// hackbench on the 7950X, one group, CFS 6.5.
inline std::string smallHackbench(const std::string& extra = "") {
    return R"({"schema_version":1,"title":"t","summary":"s","machine":"amd-7950x","kernel":"6.5-tip-88c56cf",
      "workload":{"generator":"hackbench","args":{"groups":2,"loops":1000}},
      "seed":1,"duration":"10ms","warmup":"1ms")" + extra + "}";
}

inline scenario::Scenario parse(const std::string& text) {
    auto s = scenario::parseScenario(text, "test.json", "", folders().resources);
    EXPECT_TRUE(s) << (s ? "" : s.error().text());
    return s ? std::move(s).value() : scenario::Scenario{};
}

inline Session openText(const std::string& text, std::uint64_t seed = 1, const std::string& variant = "A") {
    return Session(setupFrom(parse(text), variant, seed));
}

inline Session openScenario(const std::string& id, const std::string& variant = "A", std::uint64_t seed = 1) {
    auto s = scenario::loadScenario(id, folders());
    EXPECT_TRUE(s) << (s ? "" : s.error().text());
    return Session(setupFrom(s ? *s : scenario::Scenario{}, variant, seed));
}

} // namespace rqs::session::test
