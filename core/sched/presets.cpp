// SPDX-License-Identifier: GPL-3.0-or-later
// Kernel presets: which features exist, which are on, and which variant of every versioned rule holds.
// `provenance` says for each where its row comes from: the version matrix (eevdf spec 12), a recording, or by
// which reasoning a kernel without a column got its row.
#include "core/sched/features.h"

#include <array>
#include <initializer_list>

namespace rqs::sched {
namespace {

using Bits = unsigned long long;
constexpr Bits of(std::initializer_list<Feature> list) {
    Bits bits = 0;
    for (Feature f : list) bits |= 1ULL << static_cast<unsigned>(f);
    return bits;
}

using enum Feature;

/// Off by default wherever they exist.
constexpr Bits kOff = of({NEXT_BUDDY, HRTICK, SHARED_RUNQ, SIS_SYNC, SIS_NODE});

constexpr Bits kCommon = of({NEXT_BUDDY, CACHE_HOT_BUDDY, WAKEUP_PREEMPTION, HRTICK, TTWU_QUEUE, SIS_UTIL,
                             WA_IDLE, WA_WEIGHT, WA_BIAS});
constexpr Bits kCfs = kCommon | of({GENTLE_FAIR_SLEEPERS, START_DEBIT, LAST_BUDDY, ALT_PERIOD, BASE_SLICE});
constexpr Bits kFirstEevdf = kCommon | of({PLACE_LAG, PLACE_DEADLINE_INITIAL, RUN_TO_PARITY});
constexpr Bits kComplete = kFirstEevdf | of({PLACE_REL_DEADLINE, PREEMPT_SHORT, DELAY_DEQUEUE, DELAY_ZERO});
constexpr Bits kWithPickBuddy = kComplete | of({PICK_BUDDY});

KernelPreset make(std::string_view id, std::string_view title, std::string_view provenance, Bits exists) {
    KernelPreset p;
    p.id = id;
    p.title = title;
    p.provenance = provenance;
    p.exists = FeatureSet(exists);
    p.defaults = FeatureSet(exists & ~kOff);
    return p;
}

KernelPreset cfs(std::string_view id, std::string_view title, std::string_view provenance, Bits exists) {
    KernelPreset p = make(id, title, provenance, exists);
    p.policy = Policy::Cfs;
    p.reweight = ReweightRule::Cfs;
    p.customSlice = false;
    p.tgLoadLimit = false;
    return p;
}

/// EEVDF before delayed dequeue and custom slices.
KernelPreset firstEevdf(std::string_view id, std::string_view title, std::string_view provenance) {
    KernelPreset p = make(id, title, provenance, kFirstEevdf);
    p.customSlice = false;
    return p;
}

KernelPreset of613(std::string_view id, std::string_view title, std::string_view provenance) {
    KernelPreset p = make(id, title, provenance, kWithPickBuddy);
    p.delayedCount = DelayedCount::TasksAndGroups;
    p.lazyPreemption = true;
    p.schedstatVersion = 16;
    return p;
}

/// 6.13-rc6 with the first reweight fix.
KernelPreset of613Placing(std::string_view id, std::string_view title, std::string_view provenance) {
    KernelPreset p = of613(id, title, provenance);
    p.reweight = ReweightRule::R613;
    p.placeLagNeedsLag = true;
    return p;
}

KernelPreset of6137(std::string_view id, std::string_view title, std::string_view provenance) {
    KernelPreset p = of613Placing(id, title, provenance);
    p.preserveEmptyWeight = true;
    p.delayedCount = DelayedCount::TasksOnly;
    return p;
}

KernelPreset debian61() {
    KernelPreset p =
        cfs("6.1-debian", "Linux 6.1 of Debian 12 (CFS)",
            "Features, tunables and defaults as recorded from 6.1.0-57-cloud-amd64; rules of the 6.5 column "
            "of the version matrix, except that the tick does not cap the ideal slice (6.3 added that).",
            kCfs | of({NI_RANDOM}));
    p.tickCapsSlice = false;
    return p;
}

KernelPreset eevdf66() {
    KernelPreset p = firstEevdf("6.6", "Linux 6.6 (first EEVDF)", "Column 6.6 of the version matrix.");
    p.reweight = ReweightRule::R66;
    p.tgLoadLimit = false;
    return p;
}

KernelPreset auto69() {
    KernelPreset p = firstEevdf(
        "6.9-rc1-auto", "Linux 6.9-rc1 + PREEMPT_AUTO",
        "No column of its own: rules of 6.6 with the reweight of 6.7 (R67) and the load_avg limit of "
        "6.7; preemption model none, as the reports ran it.");
    p.preemption = Preemption::None;
    return p;
}

KernelPreset complete610() {
    KernelPreset p =
        make("6.10-eevdf-complete", "Linux 6.10 + EEVDF completion series + SIS_SYNC patch",
             "No column of its own: the reports name the completion series (custom slices) as base, which "
             "became 6.12, so rules of column 6.12.0; SIS_SYNC is the posted patch, off.",
             kComplete | of({SIS_SYNC}));
    p.schedstatVersion = 16;
    return p;
}

KernelPreset before152e() {
    KernelPreset p = firstEevdf(
        "pre-152e11f6", "Linux before delayed dequeue (published label: b12)",
        "No column of its own: the commit before 152e11f6df29, the last good step of the published "
        "bisection: EEVDF as in 6.6 with the reweight of 6.7 (R67) and the load_avg limit.");
    p.schedstatVersion = 16;
    return p;
}

KernelPreset v6120() {
    KernelPreset p = make("6.12.0", "Linux 6.12.0", "Column 6.12.0 of the version matrix.", kComplete);
    p.schedstatVersion = 16;
    return p;
}

KernelPreset debian612() {
    KernelPreset p =
        make("6.12.117-debian", "Linux 6.12.117 of Debian (recorded)",
             "Features, base slice, reference and yield as recorded from 6.12.117+deb12-cloud-amd64; stable "
             "backports of R613 and of keeping an empty group's weight as the version matrix says.",
             kWithPickBuddy | of({NI_RANDOM}));
    p.reference = ReferenceRule::ZeroVruntime;
    p.yieldForfeits = true;
    p.placeLagNeedsLag = true;
    p.reweight = ReweightRule::R613;
    p.preserveEmptyWeight = true;
    p.delayedCount = DelayedCount::TasksOnly;
    p.baseSliceUnitNs = 700000;
    p.schedstatVersion = 16;
    return p;
}

KernelPreset v6130(std::string_view id, std::string_view title, std::string_view provenance) {
    KernelPreset p = of613Placing(id, title, provenance);
    p.preserveEmptyWeight = true;
    return p;
}

KernelPreset v616() {
    KernelPreset p = of6137("6.16", "Linux 6.16", "Column 6.16 of the version matrix.");
    p.reweight = ReweightRule::R613n;
    p.baseSliceUnitNs = 700000;
    p.idleLosesProtection = true;
    p.schedstatVersion = 17;
    return p;
}

KernelPreset v71() {
    KernelPreset p = of6137(
        "7.1", "Linux 7.1",
        "Column 7.1 of the version matrix, which is from commit messages only. Reference and yield as in "
        "6.12.117, whose backports come from mainline (inference). Weights count in full (the document: "
        "nearly so), also in what running time costs.");
    p.reweight = ReweightRule::R71;
    p.weightsInV = WeightsInV::Full;
    p.lagClamp = LagClamp::LongestSliceOnQueue;
    p.reference = ReferenceRule::ZeroVruntime;
    p.yieldForfeits = true;
    p.baseSliceUnitNs = 700000;
    p.idleLosesProtection = true;
    p.schedstatVersion = 17;
    return p;
}

KernelPreset tip65() {
    KernelPreset p =
        cfs("6.5-tip-88c56cf", "Linux 6.5 tip at 88c56cfeaec4 + SHARED_RUNQ v3 (CFS)",
            "Column 6.5 of the version matrix: the commit before the EEVDF series, base of the published "
            "SHARED_RUNQ v3 figures. SIS_NODE is the earlier proposal those figures are compared with.",
            kCfs | of({SHARED_RUNQ, SIS_NODE}));
    p.sharedRunq = SharedRunqVersion::V3;
    return p;
}

KernelPreset allFour() {
    KernelPreset p =
        of6137("all-four", "6.13.7 + all four switches (no such kernel was released)",
               "Playground: rules of column 6.13.7. SHARED_RUNQ is v3 until v4 is built; SIS_SYNC is not "
               "built yet. No such kernel was released.");
    p.exists |= FeatureSet(of({SHARED_RUNQ, SIS_SYNC}));
    p.sharedRunq = SharedRunqVersion::V3;
    return p;
}

} // namespace

std::span<const KernelPreset> kernelPresets() {
    static const std::array<KernelPreset, 17> kPresets{
        debian61(),
        cfs("6.3-rc4", "Linux 6.3-rc4 (CFS)",
            "No column of its own: rules of column 6.5; CFS changed nothing of it between.", kCfs),
        tip65(),
        eevdf66(),
        auto69(),
        complete610(),
        before152e(),
        v6120(),
        debian612(),
        of613("6.13-rc6", "Linux 6.13-rc6", "Column 6.13-rc6 of the version matrix."),
        of613Placing("6.13-rc6+p1", "Linux 6.13-rc6 + reweight fix (6d71a9c61604)",
                     "Column \"+patch 1\" of the version matrix."),
        v6130("6.13-rc6+p1+p2", "Linux 6.13-rc6 + both fixes (6d71a9c61604, 66951e4860d3)",
              "Column 6.13.0 of the version matrix: 6.13-rc6 plus both patches is what was released."),
        v6130("6.13.0", "Linux 6.13.0", "Column 6.13.0 of the version matrix."),
        of6137("6.13.7", "Linux 6.13.7", "Column 6.13.7 of the version matrix."),
        v616(),
        v71(),
        allFour(),
    };
    return kPresets;
}

} // namespace rqs::sched
