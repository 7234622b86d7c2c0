// SPDX-License-Identifier: GPL-3.0-or-later
// Geometry of the machine picture for every shape of machine: nothing overlaps, nothing leaves the page,
// frames contain what they group, and the level of detail follows the table of the design.
#include "tests/ui/support/fake_snapshot.h"
#include "ui/views/machine_layout.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace rqs;
using namespace rqs::ui;

namespace {

struct Case {
    const char* name;
    test::FakeShape shape;
};
std::vector<Case> cases() {
    return {{"1", test::oneCpu()},         {"16", test::laptop16()},      {"32", test::ryzen7950x()},
            {"256", test::twoSocket256()}, {"512", test::epyc512()},      {"1024", test::huge1024()},
            {"power", test::power8Smt()},  {"clusters", test::clusters()}};
}
const QSizeF kSizes[] = {{1584, 892}, {1010, 560}, {800, 470}, {640, 400}};
constexpr double kSlack = 0.01;

bool apart(const QRectF& a, const QRectF& b) {
    return a.right() <= b.left() + kSlack || b.right() <= a.left() + kSlack ||
           a.bottom() <= b.top() + kSlack || b.bottom() <= a.top() + kSlack;
}
bool inside(const QRectF& outer, const QRectF& inner) {
    return outer.adjusted(-kSlack, -kSlack, kSlack, kSlack).contains(inner);
}

void expectApart(const std::vector<QRectF>& rects, const std::string& what) {
    for (std::size_t i = 0; i < rects.size(); ++i)
        for (std::size_t j = i + 1; j < rects.size(); ++j)
            ASSERT_TRUE(apart(rects[i], rects[j])) << what << ' ' << i << " and " << j;
}

} // namespace

TEST(MachineLayout, TilesAndShardsNeverOverlap) {
    for (const auto& c : cases())
        for (const QSizeF& size : kSizes) {
            const auto s = test::fakeSnapshot(c.shape);
            const auto l = layoutMachine(*s->run, s->shards, {size, 0, true});
            ASSERT_EQ(l.tiles.size(), s->cpus.size());
            std::vector<QRectF> all = l.tiles;
            for (const QRectF& r : l.shards)
                if (!r.isNull()) all.push_back(r);
            all.push_back(l.footer);
            expectApart(all, std::string(c.name) + " at " + std::to_string(size.width()));
        }
}

TEST(MachineLayout, EverythingIsOnThePageAndHasASize) {
    for (const auto& c : cases())
        for (const QSizeF& size : kSizes) {
            const auto s = test::fakeSnapshot(c.shape);
            const auto l = layoutMachine(*s->run, s->shards, {size, 0, true});
            const QRectF page(QPointF(0, 0), size);
            for (const QRectF& r : l.tiles) {
                ASSERT_TRUE(inside(page, r)) << c.name << ' ' << size.width();
                ASSERT_GT(r.width(), 1.0) << c.name;
                ASSERT_GT(r.height(), 1.0) << c.name;
            }
            for (const GroupBox& b : l.boxes)
                ASSERT_TRUE(inside(page, b.rect)) << c.name << ' ' << size.width();
            for (const QRectF& r : l.shards) ASSERT_TRUE(inside(page, r)) << c.name << ' ' << size.width();
        }
}

TEST(MachineLayout, FramesContainTheirGroupsAndHeadersKeepClear) {
    for (const auto& c : cases()) {
        const auto s = test::fakeSnapshot(c.shape);
        const auto l = layoutMachine(*s->run, s->shards, {{1010, 560}, 0, true});
        for (std::size_t i = 0; i < l.boxes.size(); ++i) {
            const GroupBox& b = l.boxes[i];
            if (b.parent >= 0) {
                EXPECT_TRUE(inside(l.boxes[static_cast<std::size_t>(b.parent)].rect, b.rect)) << c.name;
            }
            if (b.header.isNull()) continue;
            for (const GroupBox& kid : l.boxes)
                if (kid.parent == static_cast<int>(i)) {
                    EXPECT_TRUE(apart(b.header, kid.rect)) << c.name;
                }
            for (const QRectF& t : l.tiles) ASSERT_TRUE(apart(b.header, t)) << c.name;
        }
        for (std::size_t cpu = 0; cpu < l.tiles.size(); ++cpu) {
            const auto llc = s->run->cpus[cpu].llc.v;
            const auto box = std::find_if(l.boxes.begin(), l.boxes.end(), [&](const GroupBox& b) {
                return b.kind == BoxKind::Llc && b.id == llc;
            });
            ASSERT_NE(box, l.boxes.end());
            ASSERT_TRUE(inside(box->rect, l.tiles[cpu])) << c.name << " CPU " << cpu;
        }
    }
}

TEST(MachineLayout, DetailFollowsTheNumberOfCpus) {
    EXPECT_EQ(detailFor(1), Detail::Full);
    EXPECT_EQ(detailFor(16), Detail::Full);
    EXPECT_EQ(detailFor(17), Detail::Chips);
    EXPECT_EQ(detailFor(64), Detail::Chips);
    EXPECT_EQ(detailFor(65), Detail::Ticks);
    EXPECT_EQ(detailFor(256), Detail::Ticks);
    EXPECT_EQ(detailFor(257), Detail::Heat);
    const auto big = test::fakeSnapshot(test::epyc512());
    EXPECT_EQ(layoutMachine(*big->run, big->shards, {{1584, 892}, 0, true}).detail, Detail::Heat);
    const auto ryzen = test::fakeSnapshot(test::ryzen7950x());
    EXPECT_EQ(layoutMachine(*ryzen->run, ryzen->shards, {{790, 480}, 0, true}).detail, Detail::Chips)
        << "chips must survive at 1280x800";
}

TEST(MachineLayout, ZoomBringsDetailBack) {
    const auto s = test::fakeSnapshot(test::epyc512());
    const auto l = layoutMachine(*s->run, s->shards, {QSizeF(1584, 892) * 5, 512 / 25, true});
    EXPECT_LE(l.detail, Detail::Chips);
    EXPECT_GE(l.tiles.front().width(), 60);
}

TEST(MachineLayout, LevelsThatSayNothingAreLeftOut) {
    const auto desktop = test::fakeSnapshot(test::ryzen7950x());
    const auto kinds = [](const MachineLayout& l, BoxKind k) {
        return std::count_if(l.boxes.begin(), l.boxes.end(), [k](const GroupBox& b) { return b.kind == k; });
    };
    const auto l = layoutMachine(*desktop->run, desktop->shards, {{1010, 560}, 0, true});
    EXPECT_EQ(kinds(l, BoxKind::Node), 0);
    EXPECT_EQ(kinds(l, BoxKind::Cluster), 0);
    EXPECT_EQ(kinds(l, BoxKind::Llc), 2);
    EXPECT_EQ(kinds(l, BoxKind::Core), 16);
    const auto k = test::fakeSnapshot(test::clusters());
    const auto m = layoutMachine(*k->run, k->shards, {{1010, 560}, 0, true});
    EXPECT_EQ(kinds(m, BoxKind::Node), 2);
    EXPECT_EQ(kinds(m, BoxKind::Cluster), 12);
}

TEST(MachineLayout, FindsWhatIsUnderThePointer) {
    const auto s = test::fakeSnapshot(test::ryzen7950x());
    const auto l = layoutMachine(*s->run, s->shards, {{1010, 560}, 0, true});
    for (std::size_t i = 0; i < l.tiles.size(); ++i) EXPECT_EQ(l.cpuAt(l.tiles[i].center()), CpuId(i));
    EXPECT_EQ(l.shardAt(l.shards[4].center()), 4);
    EXPECT_FALSE(l.cpuAt({-5, -5}).valid());
    EXPECT_EQ(l.llcAt(l.tiles[8].center()), 1);
}

TEST(MachineLayout, AnEmptyRunAndATinyAreaGiveNothing) {
    EXPECT_TRUE(layoutMachine({}, {}, {{800, 600}, 0, true}).tiles.empty());
    const auto s = test::fakeSnapshot(test::ryzen7950x());
    EXPECT_TRUE(layoutMachine(*s->run, s->shards, {{10, 10}, 0, true}).tiles.empty());
}
