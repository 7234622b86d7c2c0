// SPDX-License-Identifier: GPL-3.0-or-later
// load(write(x)) == x, for values by hand and for thousands of generated ones.
#include "core/base/text_file.h"
#include "core/engine/random.h"
#include "core/scenario/loader.h"
#include "core/scenario/writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

using namespace rqs;
using namespace rqs::scenario;

namespace {

Scenario full() {
    Scenario s;
    s.title = "A \"quoted\" title, ünïcode\n\t";
    s.summary = "Two lines\nof it";
    s.machine = "amd-7950x";
    s.base.kernel = "6.5-tip-88c56cf";
    s.base.preemption = "full";
    s.base.features = {{"SHARED_RUNQ", "off"}, {"SIS_UTIL", "on"}};
    s.base.tunables = {{"shared_runq_shard_size", 16}};
    s.workload.generator = "hackbench";
    s.workload.args = {{"groups", "10"}, {"mode", "thread"}, {"odd", "007"}, {"neg", "-0"}};
    s.groups = {{"/a", 100, 0}, {"/a/b", 0, 2}};
    s.base.autogroup = false;
    s.seed = 9223372036854775807u;
    s.duration = Duration{60'000'001};
    s.warmup = Duration{10'000'000};
    s.plots = {"throughput", "lock_wait"};
    s.variants = {{"A", "off", {}}, {"B", "", {}}};
    s.variants[1].changes.features = {{"SHARED_RUNQ", "on"}};
    s.variants[1].changes.kernel = "6.16";
    s.variants[1].changes.autogroup = true;
    s.variants[1].changes.workloadArgs = {{"groups", "20"}};
    s.inputs = {{SimTime{20'000'000}, "set SHARED_RUNQ=off", ""}};
    s.expectations = {{"throughput", "A", 0.1, 1e9}, {"Busy%", "B", -std::numeric_limits<double>::max(), 99.5}};
    s.reference = {"shared_runq_7950x_hackbench"};
    return s;
}

Scenario reload(const Scenario& s) {
    auto r = parseScenario(scenarioText(s), "t.json", s.folder, "");
    if (!r) ADD_FAILURE() << r.error().text() << "\n" << scenarioText(s);
    return r ? std::move(r).value() : Scenario{};
}

/// Draws from one counter-based stream.
class Draw {
public:
    explicit Draw(std::uint64_t seed) : m_seed(seed) {}
    std::uint64_t below(std::uint64_t n) { return engine::drawBelow(m_seed, 0, engine::Purpose::Workload, m_n++, n); }
    bool coin() { return below(2) == 1; }
    std::string word() {
        static const std::vector<std::string> kWords{"a", "SHARED_RUNQ", "x y", "\"", "\\", "é", "-1", "1.5", "true", "0", "\x01", "/"};
        return kWords[below(kWords.size())] + std::to_string(below(1000));
    }

private:
    std::uint64_t m_seed, m_n = 0;
};

Changes randomChanges(Draw& d) {
    Changes c;
    if (d.coin()) c.kernel = d.word();
    if (d.coin()) c.preemption = std::vector<std::string>{"none", "voluntary", "full"}[d.below(3)];
    for (std::uint64_t n = d.below(4); n > 0; --n) c.features[d.word()] = d.coin() ? "on" : "off";
    for (std::uint64_t n = d.below(4); n > 0; --n) c.tunables[d.word()] = static_cast<std::int64_t>(d.below(1u << 30)) - 5;
    return c;
}

Scenario randomScenario(Draw& d) {
    Scenario s;
    s.title = d.word();
    if (d.coin()) s.summary = d.word();
    s.machine = d.word();
    s.base = randomChanges(d);
    s.base.kernel = d.word();
    s.workload.generator = std::vector<std::string>{"hogs", "periodic", "pingpong", "schbench_pairs", "hackbench", "lab"}[d.below(6)];
    if (s.workload.generator == "lab") s.workload.line = d.word();
    else for (std::uint64_t n = d.below(5); n > 0; --n) s.workload.args[d.word()] = d.word();
    s.seed = d.below(1u << 31);
    s.warmup = Duration{static_cast<std::int64_t>(d.below(1u << 30))};
    s.duration = s.warmup + Duration{1 + static_cast<std::int64_t>(d.below(1u << 30))};
    for (std::uint64_t n = d.below(3); n > 0; --n) s.plots.push_back(d.word());
    for (std::uint64_t n = 1 + d.below(3); n > 0; --n) {
        Variant v{"v" + std::to_string(n), d.coin() ? d.word() : "", randomChanges(d)};
        if (d.coin()) v.changes.workloadArgs[d.word()] = d.word();
        s.variants.push_back(v);
    }
    for (std::uint64_t n = d.below(3); n > 0; --n)
        s.inputs.push_back({SimTime{static_cast<std::int64_t>(d.below(static_cast<std::uint64_t>(s.duration.ns)))}, d.word(), ""});
    if (d.coin()) s.expectations.push_back({d.word(), s.variants[0].name, static_cast<double>(d.below(1u << 20)) / 7, 1e12});
    return s;
}

} // namespace

TEST(ScenarioWriter, FullScenarioComesBack) {
    const Scenario s = full();
    EXPECT_EQ(reload(s), s) << scenarioText(s);
}

TEST(ScenarioWriter, DefaultVariantComesBack) {
    Scenario s = full();
    s.variants = {{"A", "", {}}};
    s.expectations.clear();
    EXPECT_EQ(reload(s), s);
    s.variants[0].title = "only"; // no longer the default one
    EXPECT_EQ(reload(s), s);
}

TEST(ScenarioWriter, RandomScenariosComeBack) {
    for (std::uint64_t seed = 0; seed < 3000; ++seed) {
        Draw d(seed);
        const Scenario s = randomScenario(d);
        ASSERT_EQ(reload(s), s) << "seed " << seed << "\n" << scenarioText(s);
    }
}

TEST(ScenarioWriter, SavesFolderAndKeepsWhatIsThere) {
    const std::string folder = (std::filesystem::path(::testing::TempDir()) / "rqs_saved").string();
    std::filesystem::remove_all(folder);
    Scenario s = full();
    s.readme = "# Title\n";
    ASSERT_TRUE(saveScenario(s, folder));
    const auto again = saveScenario(s, folder);
    ASSERT_FALSE(again);
    EXPECT_NE(again.error().text().find("there is a scenario already"), std::string::npos);
    s.seed = 3;
    ASSERT_TRUE(saveScenario(s, folder, true));
    auto loaded = loadScenario(folder, {});
    ASSERT_TRUE(loaded) << loaded.error().text();
    EXPECT_EQ(loaded->seed, 3u);
    EXPECT_EQ(loaded->readme, "# Title\n");
    EXPECT_EQ(loaded->id, "rqs_saved");
    std::filesystem::remove_all(folder);
    EXPECT_FALSE(saveScenario(s, "/proc/nowhere/x"));
}
