// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of feature names and meanings, and how a configuration is made from a preset.
#include "core/sched/features.h"

#include "core/base/suggest.h"
#include "core/sched/weights.h"

#include <array>
#include <vector>

namespace rqs::sched {
namespace {

constexpr const char* kEevdf = "core/sched/eevdf.cpp";
constexpr const char* kPick = "core/sched/eevdf_pick.cpp";
constexpr const char* kCfs = "core/sched/cfs.cpp";
constexpr const char* kWakeup = "core/sched/wakeup.cpp";
constexpr bool kLive = true, kBuilt = true, kNotYet = false;

/// In the order of the enum.
constexpr std::array<FeatureInfo, kFeatures> kTable{{
    {"PLACE_LAG", "A joining task keeps the lag it left with.", kEevdf, kLive, kBuilt},
    {"PLACE_DEADLINE_INITIAL", "A new task's first deadline is half a request away.", kEevdf, kLive, kBuilt},
    {"PLACE_REL_DEADLINE", "A task moved without sleeping keeps its distance to its deadline.", kEevdf, kLive,
     kBuilt},
    {"RUN_TO_PARITY", "A picked task runs on until its request is used up or it is no longer eligible.",
     kPick, kLive, kBuilt},
    {"PREEMPT_SHORT", "A woken task with a shorter request may cut the running task's protection.", kPick,
     kLive, kBuilt},
    {"NEXT_BUDDY", "A woken task is preferred at the next pick.", "core/sched/fair.cpp", kLive, kBuilt},
    {"PICK_BUDDY", "The pick takes a marked buddy first if it is eligible.", kPick, kLive, kBuilt},
    {"CACHE_HOT_BUDDY", "Buddies count as cache hot and are not migrated.", "core/sched/newidle.cpp", kLive,
     kNotYet},
    {"DELAY_DEQUEUE", "A task that blocks owing time stays queued until its lag is paid.", kEevdf, kLive,
     kBuilt},
    {"DELAY_ZERO", "A delayed task leaves with no more than zero lag.", kEevdf, kLive, kBuilt},
    {"WAKEUP_PREEMPTION", "A woken task may preempt the running one.", "core/sched/fair.cpp", kLive, kBuilt},
    {"HRTICK", "A timer ends slices exactly instead of at the next tick.", "core/sched/fair.cpp", kLive,
     kNotYet},
    {"TTWU_QUEUE",
     "Wakeups for another cache domain are handed over by interrupt instead of taking its lock.",
     "core/sim/kernel_paths/wake.cpp", kLive, kNotYet},
    {"SIS_UTIL", "The scan for an idle CPU is as deep as the cache domain is idle.", kWakeup, kLive, kNotYet},
    {"SIS_SYNC", "A synchronous wakeup of a short sleeper stays on the waker's CPU.", kWakeup, kLive,
     kNotYet},
    {"SHARED_RUNQ", "Queued tasks are also on a list per cache domain, from which idle CPUs take them first.",
     "core/sched/shared_runq.cpp", kLive, kBuilt},
    {"SIS_NODE", "The scan for an idle CPU goes on through the other cache domains of the node.", kWakeup,
     kLive, kNotYet},
    {"WA_IDLE", "An affine wakeup goes to the waker's CPU if that is idle.", kWakeup, kLive, kBuilt},
    {"WA_WEIGHT", "An affine wakeup goes to the CPU with less load.", kWakeup, kLive, kNotYet},
    {"WA_BIAS", "The load comparison of affine wakeups favours the previous CPU.", kWakeup, kLive, kNotYet},
    {"GENTLE_FAIR_SLEEPERS", "Sleepers get only half the latency period as credit.", kCfs, kLive, kBuilt},
    {"START_DEBIT", "A new task starts one slice behind.", kCfs, kLive, kBuilt},
    {"LAST_BUDDY", "A task preempted by a wakeup is preferred when the wakee is done.", kCfs, kLive, kBuilt},
    {"ALT_PERIOD", "The period counts the tasks of the whole CPU, not of one group.", kCfs, kLive, kBuilt},
    {"BASE_SLICE", "No slice is shorter than the minimum granularity.", kCfs, kLive, kBuilt},
    {"NI_RANDOM", "Newly idle balancing is skipped at random where it rarely succeeds.",
     "core/sched/newidle.cpp", kLive, kNotYet},
}};

template<class Range, class F> auto namesOf(const Range& range, F&& name) {
    std::vector<std::string_view> out;
    for (const auto& x : range) out.push_back(name(x));
    return out;
}

} // namespace

const FeatureInfo& info(Feature f) { return kTable[static_cast<std::size_t>(f)]; }

std::optional<Feature> featureByName(std::string_view name) {
    for (std::size_t i = 0; i < kFeatures; ++i)
        if (kTable[i].name == name) return static_cast<Feature>(i);
    return std::nullopt;
}

std::string_view preemptionName(Preemption p) {
    switch (p) {
    case Preemption::None: return "none";
    case Preemption::Voluntary: return "voluntary";
    case Preemption::Full: return "full";
    }
    return "?";
}

const KernelPreset* kernelById(std::string_view id) {
    for (const KernelPreset& p : kernelPresets())
        if (p.id == id) return &p;
    return nullptr;
}

KernelConfig makeKernel(const KernelPreset& preset, int cpus, int hz) {
    const std::int64_t factor = scalingFactor(cpus);
    KernelConfig k;
    k.preset = &preset;
    k.features = preset.defaults;
    k.preemption = preset.preemption;
    k.tunables.base_slice_ns = preset.baseSliceUnitNs * factor;
    k.tunables.latency_ns = 6000000 * factor;
    k.tunables.min_granularity_ns = 750000 * factor;
    k.tunables.wakeup_granularity_ns = 1000000 * factor;
    k.tunables.hz = hz;
    return k;
}

std::string unavailableReason(const KernelPreset& preset, Feature f) {
    if (!has(preset.exists, f)) return "not in " + std::string(preset.id.substr(0, preset.id.find("-tip")));
    return info(f).built ? "" : "not built yet";
}

Status setFeature(KernelConfig& k, std::string_view name, std::string_view value) {
    if (name == "PREEMPT_AUTO")
        return Error{std::string(name), "cannot be set: not built yet",
                     "the preemption model is a choice of its own"};
    const auto f = featureByName(name);
    if (!f) {
        const auto names = namesOf(kTable, [](const FeatureInfo& i) { return i.name; });
        return Error{"", "unknown feature \"" + std::string(name) + "\"", didYouMean(name, names)};
    }
    if (const std::string reason = unavailableReason(*k.preset, *f); !reason.empty())
        return Error{std::string(name), "cannot be set: " + reason, "kernel " + std::string(k.preset->id)};
    if (value != "on" && value != "off")
        return Error{std::string(name), "cannot be \"" + std::string(value) + "\"", "on or off"};
    k.features.set(static_cast<std::size_t>(*f), value == "on");
    return Ok{};
}

} // namespace rqs::sched
