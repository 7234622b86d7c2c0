// SPDX-License-Identifier: GPL-3.0-or-later
// Reweighting: the kernels' own trace lines (T*), the running entity, the law behind the six seconds (I20).
#include "core/sched/reweight.h"

#include "tests/core/sched/support/one_queue.h"

#include <cmath>

using namespace rqs;
using namespace rqs::sched;
using namespace rqs::sched::test;

namespace {

constexpr std::int64_t kFull = 1048576;

/// A group entity `e` against one other entity `o`, as in the traces: any others of the same weight will do.
struct Pair : OneQueue {
    TaskId o, e;
    Pair(std::string_view kernel, std::int64_t others, std::uint64_t ov, std::int64_t w, std::uint64_t ev,
         std::uint64_t ed, std::int64_t slice = 3 * kMs)
        : OneQueue(kernel) {
        reference(ov);
        o = member(0, ov);
        e = member(0, ev, 3 * kMs);
        // Weights before anything depends on them.
        weigh(o, others << 10);
        weigh(e, w);
        put(e, ev, ed);
        entity().slice = Duration{slice};
        entity().customSlice = true;
    }
    Entity& entity() { return OneQueue::e(e); }
    void weigh(TaskId t, std::int64_t w) {
        const VTime v = OneQueue::e(t).vruntime, d = OneQueue::e(t).deadline;
        eevdf::takeOut(s, q(), t.v);
        q().load += w - OneQueue::e(t).weight.w;
        setWeight(s, OneQueue::e(t), Load{Weight{w}, inverseOf(Weight{w})});
        eevdf::putBack(s, q(), t.v);
        put(t, v.v, d.v);
    }
    ReweightNote reweight(std::int64_t w) {
        ReweightNote note;
        EXPECT_FALSE(reweightEntity(s, q(), e.v, Weight{w}, now, &note));
        EXPECT_EQ(note.after.weight.w, w);
        EXPECT_EQ(q().load, OneQueue::e(o).weight.w + w);
        return note;
    }
    /// ns until the other has caught up, if only the other runs.
    std::int64_t stall() {
        const std::int64_t gap = (entity().vruntime - OneQueue::e(o).vruntime).v;
        return gap * OneQueue::e(o).weight.scaled() / 1024;
    }
};

void expectState(const ReweightView& x, std::uint64_t average, std::uint64_t v, std::int64_t lag,
                 std::uint64_t deadline) {
    EXPECT_EQ(x.average.v, average);
    EXPECT_EQ(x.vruntime.v, v);
    EXPECT_EQ(x.lag.v, lag);
    EXPECT_EQ(x.deadline.v, deadline);
}

/// The queue of trace T1: a group alone against others of weight 64.
struct TraceOne : Pair {
    explicit TraceOne(std::string_view kernel)
        : Pair(kernel, 64, 3184159621107, kFull, 3184159640194, 3184162621107) {}
};
/// The queue of trace T3: a parked group whose request is 0, HZ 250.
struct TraceThree : Pair {
    explicit TraceThree(std::string_view kernel)
        : Pair(kernel, 512, 4874217676516, 2, 4939833828823, 6316614641111, 0) {}
};

/// A group of full weight with lag `lag` (virtual ns) against others of weight `others`.
Pair owing(std::int64_t others, std::int64_t lag, std::int64_t w = kFull,
           std::string_view kernel = "6.12.0") {
    constexpr std::int64_t kV = 1000000000000000;
    const std::int64_t s = Weight{w}.scaled();
    const std::int64_t behind = -lag * s / others; // rounded towards V, so that V rounds down to kV
    return Pair(kernel, others, static_cast<std::uint64_t>(kV - behind), w,
                static_cast<std::uint64_t>(kV - lag), static_cast<std::uint64_t>(kV - lag + 3 * kMs));
}

/// One sched_setaffinity of a task alone in its group, and its next arrival: parked and raised twice. A
/// parked group's request is 0.
std::int64_t stallOfRoundTrip(std::int64_t others, std::int64_t lag, std::string_view kernel = "6.12.0") {
    Pair p = owing(others, lag, kFull, kernel);
    for (int i = 0; i < 2; ++i) {
        p.reweight(2);
        p.entity().slice = Duration{0};
        p.reweight(kFull);
        p.entity().slice = Duration{3 * kMs};
    }
    return p.stall();
}

} // namespace

TEST(Reweight, T1_a_round_trip_through_weight_2_multiplies_the_debt) {
    TraceOne p("6.12.0");
    const ReweightNote down = p.reweight(2);
    expectState(down.before, 3184159639071, 3184159640194, -1123, 3184162621107);
    expectState(down.after, 3184177463330, 3184748414495, -570951165, 4747605329439);
    const ReweightNote up = p.reweight(kFull);
    EXPECT_EQ(up.before.lag.v, -570951165);
    expectState(up.after, 3184176414812, 3184177464419, -1049607, 3184180445332);
    EXPECT_EQ(p.stall(), 17843312 * 64 / 1024);
}

TEST(Reweight, T1b_placing_anew_brings_the_debt_back) {
    TraceOne p("6.13-rc6+p1");
    const ReweightNote down = p.reweight(2);
    expectState(down.after, 3184178020339, 3184766795763, -588775424, down.after.deadline.v);
    EXPECT_EQ((down.after.average - p.OneQueue::e(p.o).vruntime).v, 18399232);
    const ReweightNote up = p.reweight(kFull);
    expectState(up.after, 3184159639075, 3184159640198, -1123, 3184162621111);
}

TEST(Reweight, T1c_full_weights_leave_the_average_alone) {
    Pair p("7.1", 64, 3184159639071 - 16 * 1123, kFull, 3184159640194, 3184162621107);
    const ReweightNote down = p.reweight(2);
    EXPECT_EQ(down.before.lag.v, -1123);
    EXPECT_EQ(down.after.average, down.before.average);
    EXPECT_EQ(down.after.lag.v, -588775424);
    const ReweightNote up = p.reweight(kFull);
    EXPECT_EQ(up.after.average, down.before.average);
    EXPECT_EQ(up.after.lag.v, -1123);
    EXPECT_EQ(up.after.deadline.v, 3184162621107u);
}

TEST(Reweight, T2_parking_an_emptied_group_moves_the_average_of_all) {
    Pair p("6.13-rc6+p1", 34, 4860513332177, 977582, 4860513347908, 4860516552475);
    const ReweightNote down = p.reweight(2);
    expectState(down.before, 4860513347366, 4860513347908, -542, 4860516552475);
    expectState(down.after, 4860528915984, 4860793840706, -264924722, 6427157349203);
    EXPECT_EQ((down.after.average - down.before.average).v, 15568618);
}

TEST(Reweight, T3_raising_a_parked_group_clamps_its_debt_to_a_tick) {
    TraceThree p("6.13-rc6+p1");
    const ReweightNote up = p.reweight(967149);
    expectState(up.before, 4874472992283, 4939833828823, -65360836540, 6316614641111);
    expectState(up.after, 4874217684324, 4874217688559, -4235, 4874220535650);
    EXPECT_EQ((up.before.average - up.after.average).v, 255307959);
}

TEST(Reweight, T3b_before_the_fix_it_waits_for_an_eighth_of_a_second) {
    TraceThree p("6.12.0");
    const ReweightNote up = p.reweight(967149);
    EXPECT_EQ(up.after.vruntime.v, 4874472996518u);
    EXPECT_EQ(up.after.average.v, 4874383213660u);
    EXPECT_EQ(up.after.lag.v, -89782858);
    EXPECT_EQ(p.stall(), 127660001);
}

TEST(Reweight, T4_reweighting_the_running_entity_inflates_its_lag) {
    const auto lags = [](std::string_view kernel, std::vector<std::uint64_t>* vruntimes = nullptr) {
        Pair p(kernel, 1024, 1000100000, kFull, 999900000, 1002900000);
        p.run(p.e);
        std::vector<std::int64_t> out{p.lag(p.e)};
        for (int i = 0; i < 6; ++i) {
            out.push_back(p.reweight(i % 2 ? kFull : kFull - 1024).after.lag.v);
            if (vruntimes) vruntimes->push_back(p.v(p.e));
        }
        return out;
    };
    std::vector<std::uint64_t> v;
    EXPECT_EQ(lags("6.13.0", &v),
              (std::vector<std::int64_t>{100000, 125097, 156249, 195463, 244138, 305410, 381464}));
    EXPECT_EQ(v[0], 999849927u);
    EXPECT_EQ(v[1], 999787502u);
    EXPECT_EQ(v[2], 999709264u);
    EXPECT_EQ(lags("6.12.0"),
              (std::vector<std::int64_t>{100000, 100097, 99999, 100096, 99999, 100096, 99998}));
    for (std::int64_t lag : lags("7.1")) EXPECT_NEAR(static_cast<double>(lag), 100000, 100);
}

TEST(Reweight, I20_growth_of_the_debt_per_round_trip) {
    const auto percent = [](std::int64_t others) {
        Pair p = owing(others, -6000);
        const double before = static_cast<double>(p.lag(p.e));
        p.reweight(2);
        p.reweight(kFull);
        return std::round(100 * static_cast<double>(p.lag(p.e)) / before);
    };
    EXPECT_NEAR(percent(64), 93465, 1);
    EXPECT_NEAR(percent(85), 92388, 1);
    EXPECT_NEAR(percent(34), 93612, 1);
    EXPECT_NEAR(percent(512), 68034, 1);
}

TEST(Reweight, I20_stall_of_one_affinity_change) {
    const auto ms = [](std::int64_t others, std::int64_t lag) {
        return static_cast<double>(stallOfRoundTrip(others, lag)) / kMs;
    };
    EXPECT_NEAR(ms(64, -1123), 1042, 1);
    EXPECT_NEAR(ms(85, -300), 277, 1);
    EXPECT_NEAR(ms(85, -1123), 1038, 1);
    EXPECT_NEAR(ms(85, -3000), 2773, 1);
    EXPECT_NEAR(ms(85, -6400), 5915, 1);
    EXPECT_NEAR(ms(85, -6600), 6003, 1) << "the cap";
    EXPECT_NEAR(ms(64, -7000), 5958, 1);
    EXPECT_NEAR(ms(34, -7000), 5803, 1);
    EXPECT_NEAR(ms(512, -100000), 6120, 1);
    for (std::string_view kernel : {"6.13-rc6+p1", "6.16", "7.1"})
        EXPECT_EQ(stallOfRoundTrip(85, -3000, kernel), 3249) << kernel << ": what it owed";
}

TEST(Reweight, I20_stall_law) {
    for (std::uint64_t seed = 0; seed < 20000; ++seed) {
        Dice dice(seed);
        const std::int64_t w = dice.oneIn(2) ? kFull : dice.between(64, 1024) << 10;
        // The law leaves out what the entity owes once its weight is back, (W + 2) / w of it, here at most
        // 0.5 %.
        const std::int64_t others = dice.between(2, std::min<std::int64_t>(2000, w / 200 - 2));
        const std::int64_t lag = -dice.between(1000, dice.oneIn(2) ? 20000 : 20000000);
        Pair p = owing(others, lag, w);
        const VDelta most = calcDeltaFair(Duration{6 * kMs}, p.entity());
        const double clamped = static_cast<double>(std::min(-p.lag(p.e), most.v));
        p.reweight(2);
        p.reweight(w);
        const auto full = static_cast<double>(w) / 1024;
        const double law = full * clamped * static_cast<double>(others) / static_cast<double>(others + 2);
        const auto stall = static_cast<double>(p.stall());
        ASSERT_GE(stall / law, 0.99) << seed << " others " << others << " w " << w << " lag " << lag;
        ASSERT_LE(stall / law, 1.01) << seed << " others " << others << " w " << w << " lag " << lag;
        ASSERT_LE(stall, 1024.0 * 6 * kMs * 1.01) << seed;
    }
}

TEST(Reweight, curr_is_charged_at_its_old_weight_first) {
    for (std::string_view kernel : {"6.6", "6.12.0", "6.13.0", "6.16", "7.1"}) {
        Pair p(kernel, 1024, 1000000, kFull / 2, 1000000, 9000000);
        p.run(p.e);
        p.now = p.now + Duration{kMs};
        ReweightNote note;
        reweightEntity(p.s, p.q(), p.e.v, Weight{kFull}, p.now, &note);
        const bool full = p.s.kernel.preset->weightsInV == WeightsInV::Full;
        EXPECT_EQ(note.before.vruntime.v, full ? 3000000u : 2999999u) << kernel << ": reciprocals round down";
        EXPECT_EQ(note.before.weight.w, kFull / 2);
    }
    OneQueue q("6.5-tip-88c56cf");
    const TaskId a = q.member(0, 1000000), b = q.member(5, 2000000);
    q.run(a);
    q.now = q.now + Duration{kMs};
    const std::int64_t load = q.q().load;
    EXPECT_FALSE(reweightEntity(q.s, q.q(), a.v, Weight{kFull / 2}, q.now));
    EXPECT_EQ(q.v(a), 2000000u) << "and CFS changes nothing but the weight";
    EXPECT_EQ(q.q().load, load - kFull / 2);
    EXPECT_FALSE(reweightEntity(q.s, q.q(), b.v, Weight{kFull}, q.now));
    EXPECT_EQ(q.v(b), 2000000u);
    EXPECT_EQ(q.q().load, kFull / 2 + kFull);
}

TEST(Reweight, a_charge_that_ends_the_slice_asks_for_a_reschedule) {
    Pair p("6.12.0", 1024, 0, kFull, 0, 3000000);
    p.run(p.e);
    p.now = p.now + Duration{4 * kMs};
    EXPECT_TRUE(reweightEntity(p.s, p.q(), p.e.v, Weight{kFull / 2}, p.now));
}

TEST(Reweight, protection_of_the_running_entity_ends_except_under_R71) {
    for (const auto& [kernel, kept] :
         {std::pair{"6.6", false}, {"6.12.0", false}, {"6.13.0", false}, {"6.16", false}, {"7.1", true}}) {
        Pair p(kernel, 1024, 1000100000, kFull, 999900000, 1002900000);
        p.run(p.e);
        ASSERT_TRUE(eevdf::markerIntact(p.entity()));
        p.reweight(kFull / 2);
        EXPECT_EQ(eevdf::markerIntact(p.entity()), kept) << kernel;
    }
    Pair p("7.1", 1024, 1000100000, kFull, 999900000, 1002900000);
    p.run(p.e);
    p.entity().vlag.v += 1; // broken by PREEMPT_SHORT
    p.reweight(kFull * 256);
    EXPECT_FALSE(eevdf::markerIntact(p.entity())) << "broken stays broken, however small the difference gets";
}

TEST(Reweight, alone_on_its_queue) {
    const auto after = [](std::string_view kernel, bool runs) {
        OneQueue q(kernel);
        q.reference(5000000);
        const TaskId t = q.member(0, 5000000, 3 * kMs);
        if (runs) q.run(t);
        reweightEntity(q.s, q.q(), t.v, Weight{kFull / 4}, q.now);
        EXPECT_EQ(q.q().nr, 1);
        EXPECT_EQ(q.q().load, kFull / 4);
        EXPECT_EQ(q.pick(), t);
        return q.v(t);
    };
    for (bool runs : {false, true})
        for (std::string_view kernel : {"6.6", "6.12.0", "6.13.0", "6.16", "7.1"})
            EXPECT_EQ(after(kernel, runs), 5000000u) << kernel;
}

TEST(Reweight, off_the_queue_lag_and_relative_deadline_are_rescaled) {
    const auto after = [](std::string_view kernel) {
        OneQueue q(kernel);
        q.member(0, 0);
        const TaskId t = q.task();
        q.e(t).vlag = VDelta{-1001};
        q.e(t).relDeadline = true;
        q.e(t).deadline = VTime{static_cast<std::uint64_t>(-3001)};
        reweightEntity(q.s, q.q(), t.v, Weight{kFull * 2}, q.now);
        EXPECT_EQ(q.e(t).weight.w, kFull * 2);
        EXPECT_EQ(q.q().load, kFull);
        return std::pair(q.e(t).vlag.v, static_cast<std::int64_t>(q.d(t)));
    };
    using P = std::pair<std::int64_t, std::int64_t>;
    EXPECT_EQ(after("6.5-tip-88c56cf"), P(-1001, -3001));
    EXPECT_EQ(after("6.6"), P(-500, -3001));
    EXPECT_EQ(after("6.12.0"), P(-500, -3001));
    EXPECT_EQ(after("6.13.0"), P(-500, -1500));
    EXPECT_EQ(after("6.16"), P(-500, -1500));
    EXPECT_EQ(after("7.1"), P(-500, -1500));
}

TEST(Reweight, full_weights_also_decide_what_running_costs) {
    Pair scaled("6.13.7", 64, 0, 2, 0, 1), full("7.1", 64, 0, 2, 0, 1);
    EXPECT_EQ(calcDeltaFair(Duration{3 * kMs}, scaled.entity()).v, 1535999999);
    EXPECT_EQ(calcDeltaFair(Duration{3 * kMs}, full.entity()).v, 3 * kMs * 524288);
    EXPECT_EQ(eevdf::sums(scaled.s, scaled.q()).weight, 64 + 2);
    EXPECT_EQ(eevdf::sums(full.s, full.q()).weight, (64 << 10) + 2);
    OneQueue q("7.1");
    EXPECT_EQ(calcDeltaFair(Duration{kMs}, q.e(q.task(5))).v, 3056716) << "rounded down, no reciprocal";
}

TEST(Reweight, products_beyond_64_bits_are_exact_with_full_weights) {
    constexpr std::int64_t kFar = 6 * kMs * (kFull / 2); // what 6 ms of nice 0 become at weight 2
    for (const bool owes : {true, false}) {
        OneQueue q("7.1");
        const TaskId a = q.member(-20, 0), b = q.member(-20, 1000), parked = q.task(0, 3 * kMs);
        q.e(parked).vlag = VDelta{(owes ? -kFar : kFar) / (kFull / 2)};
        reweightEntity(q.s, q.q(), parked.v, Weight{2}, q.now);
        q.enqueue(parked);
        EXPECT_NEAR(static_cast<double>(q.lag(parked)), static_cast<double>(owes ? -kFar : kFar), 1);
        EXPECT_EQ(q.eligible(parked), !owes);
        q.put(a, q.v(a), q.v(parked) + 3 * kMs);
        q.put(b, q.v(b), q.v(parked) + 3 * kMs);
        q.put(parked, q.v(parked), q.v(parked) + 1);
        EXPECT_EQ(q.pick(), owes ? a : parked);
    }
}
