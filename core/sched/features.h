// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduler features under the kernel's names, kernel presets, and algorithm variants. One table, here.
#pragma once
#include "core/base/result.h"
#include "core/sched/tunables.h"

#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rqs::sched {

/// Names are exactly those of /sys/kernel/debug/sched/features; PREEMPT_AUTO is a choice, not a bit.
enum class Feature : std::uint8_t {
    PLACE_LAG, PLACE_DEADLINE_INITIAL, PLACE_REL_DEADLINE, RUN_TO_PARITY, PREEMPT_SHORT, NEXT_BUDDY, PICK_BUDDY,
    CACHE_HOT_BUDDY, DELAY_DEQUEUE, DELAY_ZERO, WAKEUP_PREEMPTION, HRTICK, TTWU_QUEUE, SIS_UTIL, SIS_SYNC,
    SHARED_RUNQ, SIS_NODE, WA_IDLE, WA_WEIGHT, WA_BIAS, GENTLE_FAIR_SLEEPERS, START_DEBIT, LAST_BUDDY,
    ALT_PERIOD, BASE_SLICE, NI_RANDOM, Count
};
inline constexpr std::size_t kFeatures = static_cast<std::size_t>(Feature::Count);
using FeatureSet = std::bitset<kFeatures>;
inline bool has(const FeatureSet& s, Feature f) { return s[static_cast<std::size_t>(f)]; }

struct FeatureInfo {
    std::string_view name;
    std::string_view meaning;    ///< one sentence
    std::string_view file;       ///< mechanism file in this repository
    bool runtime = true;         ///< can flip while running
    bool built = true;           ///< false: named in the table, not modelled yet ("not built yet")
};
const FeatureInfo& info(Feature f);
std::optional<Feature> featureByName(std::string_view name);

enum class Policy : std::uint8_t { Cfs, Eevdf };
enum class SharedRunqVersion : std::uint8_t { None, V3, V4 };
/// Reference vruntime of a queue: monotone min_vruntime, or 6.12.y's zero_vruntime.
enum class ReferenceRule : std::uint8_t { MinVruntime, ZeroVruntime };
enum class Preemption : std::uint8_t { None, Voluntary, Full };
std::string_view preemptionName(Preemption p);
/// What changing a weight does to lag and deadline (eevdf spec 6.1).
enum class ReweightRule : std::uint8_t { Cfs, R66, R67, R613, R613n, R71 };
/// Resolution of weights in V, eligibility, placement and calc_delta: s(w), or w itself. The value is the shift.
enum class WeightsInV : std::uint8_t { Full = 0, Scaled = 10 };
/// Bound of a stored lag (eevdf spec 2.3).
enum class LagClamp : std::uint8_t { TwiceOwnSlice, LongestSliceOnQueue };
/// Which groups count as delayed in h_nr_delayed (eevdf spec 5.4). Needs groups.
enum class DelayedCount : std::uint8_t { None, TasksAndGroups, TasksOnly };

struct KernelPreset {
    std::string_view id, title, provenance;
    Policy policy = Policy::Eevdf;
    FeatureSet exists;           ///< features this kernel has at all
    FeatureSet defaults;
    SharedRunqVersion sharedRunq = SharedRunqVersion::None;
    ReferenceRule reference = ReferenceRule::MinVruntime;
    bool customSlice = true;           ///< sched_setattr slices (6.12+)
    bool yieldForfeits = false;        ///< 6.12.y: an eligible yielder sets v = d and adds a slice
    bool placeLagNeedsLag = false;     ///< 6.13: inflation only if vl != 0
    bool idleLosesProtection = false;  ///< 6.15: a SCHED_IDLE curr loses its slice protection to a normal wakee
    bool tickCapsSlice = true;         ///< CFS: the tick's ideal slice is at most sched_latency (6.3)
    ReweightRule reweight = ReweightRule::R67;
    WeightsInV weightsInV = WeightsInV::Scaled;
    LagClamp lagClamp = LagClamp::TwiceOwnSlice;
    DelayedCount delayedCount = DelayedCount::None;
    bool preserveEmptyWeight = false;  ///< an empty group keeps its weight (needs groups)
    bool tgLoadLimit = true;           ///< tg->load_avg written at most once per ms (needs groups)
    bool lazyPreemption = false;       ///< PREEMPT_LAZY exists
    std::int64_t baseSliceUnitNs = 750000;
    Preemption preemption = Preemption::Voluntary;
    std::int32_t schedstatVersion = 15;
};
std::span<const KernelPreset> kernelPresets();
const KernelPreset* kernelById(std::string_view id);

/// Everything a scenario can choose about the kernel; plain value inside the World.
struct KernelConfig {
    const KernelPreset* preset = nullptr;
    FeatureSet features;
    Tunables tunables;
    Preemption preemption = Preemption::Voluntary;
    bool on(Feature f) const { return has(features, f); }
};
/// Defaults of a preset on a machine with that many CPUs and HZ.
KernelConfig makeKernel(const KernelPreset& preset, int cpus, int hz);
/// Sets one feature by name: "on"/"off"; error if unknown (with suggestion), absent from the preset, not built.
Status setFeature(KernelConfig& k, std::string_view name, std::string_view value);
/// Why `f` cannot be switched under this kernel: "not in 6.5", "not built yet"; empty if it can.
std::string unavailableReason(const KernelPreset& preset, Feature f);

} // namespace rqs::sched
