// SPDX-License-Identifier: GPL-3.0-or-later
// The tables: features, tunables, presets; and making states and tasks from them.
#include "core/sched/weights.h"
#include "tests/core/sched/support/one_queue.h"

#include <algorithm>
#include <set>
#include <sstream>

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr const char* kRecorded612 =
    "PLACE_LAG PLACE_DEADLINE_INITIAL PLACE_REL_DEADLINE RUN_TO_PARITY PREEMPT_SHORT NO_NEXT_BUDDY "
    "PICK_BUDDY "
    "CACHE_HOT_BUDDY DELAY_DEQUEUE DELAY_ZERO WAKEUP_PREEMPTION NO_HRTICK NO_HRTICK_DL NO_DOUBLE_TICK "
    "NONTASK_CAPACITY TTWU_QUEUE SIS_UTIL NO_WARN_DOUBLE_CLOCK NO_RT_PUSH_IPI NO_RT_RUNTIME_SHARE NO_LB_MIN "
    "ATTACH_AGE_LOAD WA_IDLE WA_WEIGHT WA_BIAS UTIL_EST NO_LATENCY_WARN NI_RANDOM";
constexpr const char* kRecorded61 =
    "GENTLE_FAIR_SLEEPERS START_DEBIT NO_NEXT_BUDDY LAST_BUDDY CACHE_HOT_BUDDY WAKEUP_PREEMPTION NO_HRTICK "
    "NO_HRTICK_DL NO_DOUBLE_TICK NONTASK_CAPACITY TTWU_QUEUE NO_SIS_PROP SIS_UTIL NO_WARN_DOUBLE_CLOCK "
    "NO_RT_PUSH_IPI "
    "NO_RT_RUNTIME_SHARE NO_LB_MIN ATTACH_AGE_LOAD WA_IDLE WA_WEIGHT WA_BIAS UTIL_EST UTIL_EST_FASTUP "
    "NO_LATENCY_WARN "
    "NI_RANDOM ALT_PERIOD BASE_SLICE";

/// What a recorded features file says about the features we name.
std::pair<FeatureSet, FeatureSet> existingAndOn(const char* text) {
    FeatureSet exists, on;
    std::istringstream in(text);
    for (std::string word; in >> word;) {
        const bool off = word.rfind("NO_", 0) == 0 && !featureByName(word);
        const auto f = featureByName(off ? word.substr(3) : word);
        if (!f) continue;
        exists.set(static_cast<std::size_t>(*f));
        on.set(static_cast<std::size_t>(*f), !off);
    }
    return {exists, on};
}

const KernelPreset& preset(std::string_view id) {
    const KernelPreset* p = kernelById(id);
    if (!p) throw std::runtime_error("no preset " + std::string(id));
    return *p;
}
KernelConfig config(std::string_view id, int cpus = 16) { return makeKernel(preset(id), cpus, 250); }
std::string errorOf(const Status& s) { return s ? "" : s.error().text(); }

} // namespace

TEST(Features, names_stand_at_their_enum_value_and_every_row_is_complete) {
    EXPECT_EQ(info(Feature::PLACE_LAG).name, "PLACE_LAG");
    EXPECT_EQ(info(Feature::TTWU_QUEUE).name, "TTWU_QUEUE");
    EXPECT_EQ(info(Feature::SHARED_RUNQ).name, "SHARED_RUNQ");
    EXPECT_EQ(info(Feature::WA_BIAS).name, "WA_BIAS");
    EXPECT_EQ(info(Feature::BASE_SLICE).name, "BASE_SLICE");
    EXPECT_EQ(info(Feature::NI_RANDOM).name, "NI_RANDOM");
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < kFeatures; ++i) {
        const FeatureInfo& f = info(static_cast<Feature>(i));
        EXPECT_TRUE(names.insert(f.name).second) << f.name;
        EXPECT_EQ(featureByName(f.name), static_cast<Feature>(i));
        ASSERT_FALSE(f.meaning.empty());
        EXPECT_EQ(f.meaning.back(), '.') << f.name;
        EXPECT_EQ(f.file.rfind("core/", 0), 0u) << f.name;
    }
    EXPECT_FALSE(featureByName("PREEMPT_AUTO")) << "a choice, not a bit";
}

TEST(Features, all_presets_of_the_architecture_are_there_once_and_consistent) {
    const std::vector<std::string_view> expected = {"6.1-debian",   "6.3-rc4",      "6.5-tip-88c56cf",
                                                    "6.6",          "6.9-rc1-auto", "6.10-eevdf-complete",
                                                    "pre-152e11f6", "6.12.0",       "6.12.117-debian",
                                                    "6.13-rc6",     "6.13-rc6+p1",  "6.13-rc6+p1+p2",
                                                    "6.13.0",       "6.13.7",       "6.16",
                                                    "7.1",          "all-four"};
    std::vector<std::string_view> ids;
    for (const KernelPreset& p : kernelPresets()) {
        ids.push_back(p.id);
        EXPECT_FALSE(p.title.empty() || p.provenance.empty()) << p.id;
        EXPECT_TRUE((p.defaults & ~p.exists).none()) << p.id << ": on but does not exist";
        EXPECT_EQ(p.policy == Policy::Cfs, has(p.exists, Feature::START_DEBIT)) << p.id;
        EXPECT_EQ(p.policy == Policy::Eevdf, has(p.exists, Feature::PLACE_LAG)) << p.id;
        EXPECT_EQ(p.sharedRunq != SharedRunqVersion::None, has(p.exists, Feature::SHARED_RUNQ)) << p.id;
        EXPECT_FALSE(has(p.defaults, Feature::SHARED_RUNQ)) << p.id;
        EXPECT_FALSE(has(p.defaults, Feature::SIS_SYNC)) << p.id;
        EXPECT_EQ(has(p.exists, Feature::DELAY_DEQUEUE), p.customSlice) << p.id << ": both came with 6.12";
        EXPECT_EQ(kernelById(p.id), &p);
    }
    EXPECT_EQ(ids, expected);
    EXPECT_EQ(kernelById("6.14"), nullptr);
    EXPECT_EQ(preset("6.5-tip-88c56cf").sharedRunq, SharedRunqVersion::V3);
    EXPECT_EQ(preset("all-four").sharedRunq, SharedRunqVersion::V3) << "until v4 is built";
    EXPECT_EQ(preset("6.9-rc1-auto").preemption, Preemption::None);
}

TEST(Features, recorded_kernels_have_the_features_their_debugfs_showed) {
    for (const auto& [id, text] : {std::pair{"6.12.117-debian", kRecorded612}, {"6.1-debian", kRecorded61}}) {
        const auto [exists, on] = existingAndOn(text);
        EXPECT_EQ(preset(id).exists, exists) << id;
        EXPECT_EQ(preset(id).defaults, on) << id;
    }
}

TEST(Features, version_matrix_rows) {
    const auto reweights = [] {
        std::vector<ReweightRule> out;
        for (std::string_view id : {"6.5-tip-88c56cf", "6.6", "6.12.0", "6.13-rc6", "6.13-rc6+p1", "6.13.0",
                                    "6.13.7", "6.16", "7.1"})
            out.push_back(preset(id).reweight);
        return out;
    };
    using enum ReweightRule;
    EXPECT_EQ(reweights(), (std::vector{Cfs, R66, R67, R67, R613, R613, R613, R613n, R71}));
    EXPECT_FALSE(preset("6.13-rc6+p1").preserveEmptyWeight);
    EXPECT_TRUE(preset("6.13-rc6+p1+p2").preserveEmptyWeight);
    EXPECT_FALSE(preset("6.6").tgLoadLimit);
    EXPECT_TRUE(preset("6.12.0").tgLoadLimit);
    EXPECT_FALSE(preset("6.12.0").lazyPreemption);
    EXPECT_TRUE(preset("6.13-rc6").lazyPreemption);
    EXPECT_EQ(preset("6.12.0").reference, ReferenceRule::MinVruntime);
    EXPECT_EQ(preset("6.12.117-debian").reference, ReferenceRule::ZeroVruntime);
    EXPECT_FALSE(has(preset("6.12.0").exists, Feature::PICK_BUDDY));
    EXPECT_FALSE(has(preset("pre-152e11f6").exists, Feature::PREEMPT_SHORT));
}

TEST(Features, tunables_scale_with_CPUs) {
    EXPECT_EQ(config("6.12.117-debian", 2).tunables.base_slice_ns, 1400000);
    EXPECT_EQ(config("6.12.117-debian", 1).tunables.base_slice_ns, 700000);
    EXPECT_EQ(config("6.12.0", 1).tunables.base_slice_ns, 750000);
    EXPECT_EQ(config("6.12.0", 4).tunables.base_slice_ns, 2250000);
    EXPECT_EQ(config("6.12.0", 512).tunables.base_slice_ns, 3000000);
    EXPECT_EQ(config("6.16", 8).tunables.base_slice_ns, 2800000);
    const Tunables recorded = config("6.1-debian", 2).tunables;
    EXPECT_EQ(recorded.latency_ns, 12000000);
    EXPECT_EQ(recorded.min_granularity_ns, 1500000);
    EXPECT_EQ(recorded.wakeup_granularity_ns, 2000000);
    EXPECT_EQ(recorded.idle_min_granularity_ns, 750000);
    EXPECT_EQ(makeKernel(preset("6.6"), 2, 1000).tunables.tick().ns, 1000000);
}

TEST(Features, setting_a_feature) {
    KernelConfig k = config("6.12.0");
    EXPECT_TRUE(setFeature(k, "RUN_TO_PARITY", "off"));
    EXPECT_FALSE(k.on(Feature::RUN_TO_PARITY));
    EXPECT_TRUE(setFeature(k, "RUN_TO_PARITY", "on"));
    EXPECT_TRUE(k.on(Feature::RUN_TO_PARITY));
    const FeatureSet before = k.features;
    EXPECT_EQ(errorOf(setFeature(k, "RUN_TO_PARTY", "on")),
              "unknown feature \"RUN_TO_PARTY\" (did you mean \"RUN_TO_PARITY\"?)");
    EXPECT_NE(errorOf(setFeature(k, "START_DEBIT", "on")).find("not in 6.12.0"), std::string::npos);
    EXPECT_NE(errorOf(setFeature(k, "HRTICK", "on")).find("not built yet"), std::string::npos);
    EXPECT_NE(errorOf(setFeature(k, "RUN_TO_PARITY", "maybe")).find("on or off"), std::string::npos);
    EXPECT_NE(errorOf(setFeature(k, "PREEMPT_AUTO", "on")).find("not built yet"), std::string::npos);
    EXPECT_EQ(k.features, before);
    EXPECT_EQ(unavailableReason(preset("6.5-tip-88c56cf"), Feature::DELAY_DEQUEUE), "not in 6.5");
    EXPECT_EQ(unavailableReason(preset("all-four"), Feature::SIS_SYNC), "not built yet");
    EXPECT_EQ(unavailableReason(preset("all-four"), Feature::SHARED_RUNQ), "");
}

TEST(Features, setting_a_tunable) {
    Tunables t;
    EXPECT_TRUE(setTunable(t, "base_slice_ns", 100000));
    EXPECT_EQ(t.base_slice_ns, 100000);
    EXPECT_EQ(errorOf(setTunable(t, "base_slice_ns", 99999)),
              "base_slice_ns: value 99999 is out of range (100000 .. 100000000 ns)");
    EXPECT_FALSE(setTunable(t, "base_slice_ns", 100000001));
    EXPECT_EQ(t.base_slice_ns, 100000);
    EXPECT_EQ(errorOf(setTunable(t, "base_slice", 1)),
              "unknown tunable \"base_slice\" (did you mean \"base_slice_ns\"?)");
    EXPECT_FALSE(setTunable(t, "hz", 500));
    EXPECT_TRUE(setTunable(t, "hz", 300));
    EXPECT_TRUE(setTunable(t, "migration_cost_ns", -1));
    EXPECT_FALSE(setTunable(t, "migration_cost_ns", -2));
    EXPECT_FALSE(setTunable(t, "shared_runq_shard_size", 0));
    for (const TunableInfo& i : tunableTable()) {
        EXPECT_LE(i.min, Tunables{}.*i.field) << i.name;
        EXPECT_GE(i.max, Tunables{}.*i.field) << i.name;
        EXPECT_EQ(i.runtime, i.name != "hz");
    }
}

TEST(SchedState, an_empty_machine_is_sized_by_its_hardware) {
    const State s = emptyState(toyBoxA());
    ASSERT_EQ(s.rqs.size(), 16u);
    ASSERT_EQ(s.masks.size(), 1u);
    EXPECT_EQ(s.masks[0].count(), 16);
    EXPECT_EQ(s.hasIdleCores.size(), 2u);
    for (const Rq& rq : s.rqs) {
        EXPECT_EQ(rq.maxNewidleCost.size(), s.hw->domains.of(CpuId(0)).size());
        EXPECT_EQ(rq.lastDecay.size(), rq.maxNewidleCost.size());
        EXPECT_TRUE(rq.idle());
        EXPECT_EQ(rq.cfs.v0.v, UINT64_MAX - (1 << 20) + 1) << "the kernel starts just before the wrap";
    }
    EXPECT_FALSE(s.shards.empty());
}

TEST(SchedState, masks_are_stored_once_and_tasks_get_their_weights_and_requests) {
    State s = emptyState(toyBoxA(), "6.12.0");
    CpuMask m(16);
    m.set(CpuId(3));
    const MaskId one = internMask(s, m);
    EXPECT_EQ(internMask(s, m), one);
    EXPECT_EQ(internMask(s, CpuMask::all(16)), MaskId(0));
    EXPECT_EQ(s.masks.size(), 2u);
    const TaskId t = addTask(s, 5, TaskPolicy::Batch, one, 7, Duration{});
    EXPECT_EQ(s.task(t).nrAllowed, 1);
    EXPECT_EQ(s.task(t).mm, 7);
    EXPECT_EQ(s.entity(t).weight.scaled(), 335);
    EXPECT_EQ(s.entity(t).slice.ns, 3000000);
    EXPECT_FALSE(s.entity(t).customSlice);
    const auto sliceOf = [&](std::int64_t ns) {
        const TaskId x = addTask(s, 0, TaskPolicy::Normal, MaskId(0), 0, Duration{ns});
        EXPECT_TRUE(s.entity(x).customSlice);
        return s.entity(x).slice.ns;
    };
    EXPECT_EQ(sliceOf(1), 100000);
    EXPECT_EQ(sliceOf(8000000), 8000000);
    EXPECT_EQ(sliceOf(1000000000), 100000000);
    const TaskId idle = addTask(s, -20, TaskPolicy::Idle, MaskId(0), 0, Duration{});
    EXPECT_EQ(s.entity(idle).weight.scaled(), 3);
    s.kernel.preset = kernelById("6.6");
    EXPECT_FALSE(s.entity(addTask(s, 0, TaskPolicy::Normal, MaskId(0), 0, Duration{8000000})).customSlice);
}
