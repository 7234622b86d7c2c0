// SPDX-License-Identifier: GPL-3.0-or-later
// What is written in the machine picture: no text is wider than its place, no two texts overlap, and the
// facts of the snapshot are there in words.
#include "tests/ui/support/fake_snapshot.h"
#include "ui/views/machine_painter.h"

#include <QImage>

#include <gtest/gtest.h>

#include <algorithm>

using namespace rqs;
using namespace rqs::ui;

namespace {

struct Painted {
    QImage image;
    std::vector<TextNote> notes;
    Detail detail{};
};

Painted paint(const session::Snapshot& s, QSizeF size, const Theme& theme, bool moves = true) {
    Painted out;
    const auto l = layoutMachine(*s.run, s.shards, {size, 0, true});
    const auto labels = TaskLabels::of(*s.run);
    MachineScene scene;
    scene.snapshot = &s;
    scene.layout = &l;
    scene.labels = &labels;
    scene.footer = footerText(s);
    scene.log = &out.notes;
    if (moves)
        for (const auto& m : s.moves) scene.moves.push_back({m, 1, 1, true});
    out.image = QImage(size.toSize(), QImage::Format_RGB32);
    QPainter p(&out.image);
    paintMachine(p, scene, theme);
    out.detail = l.detail;
    return out;
}

bool wrote(const Painted& p, const QString& text) {
    return std::any_of(p.notes.begin(), p.notes.end(),
                       [&](const TextNote& n) { return n.text.contains(text); });
}

const test::FakeShape kShapes[] = {test::oneCpu(),       test::laptop16(), test::ryzen7950x(),
                                   test::twoSocket256(), test::epyc512(),  test::huge1024(),
                                   test::power8Smt(),    test::clusters()};

} // namespace

TEST(MachinePainter, NoTextIsClipped) {
    for (const auto& shape : kShapes)
        for (const QSizeF size : {QSizeF(1584, 892), QSizeF(1010, 560), QSizeF(790, 480)})
            for (const TextNote& n : paint(*test::fakeSnapshot(shape), size, Theme::light()).notes) {
                ASSERT_LE(n.needed.width(), n.given.width() + 0.51)
                    << shape.title << ": " << n.text.toStdString();
                ASSERT_TRUE(QRectF(QPointF(0, 0), size).adjusted(-0.5, -0.5, 0.5, 0.5).contains(n.needed))
                    << shape.title << ": " << n.text.toStdString();
            }
}

TEST(MachinePainter, LabelsDoNotOverlap) {
    for (const auto& shape : kShapes)
        for (const QSizeF size : {QSizeF(1584, 892), QSizeF(1010, 560), QSizeF(790, 480)}) {
            auto notes = paint(*test::fakeSnapshot(shape), size, Theme::dark(), false).notes;
            std::sort(notes.begin(), notes.end(),
                      [](const TextNote& a, const TextNote& b) { return a.needed.left() < b.needed.left(); });
            for (std::size_t i = 0; i < notes.size(); ++i)
                for (std::size_t j = i + 1;
                     j < notes.size() && notes[j].needed.left() < notes[i].needed.right(); ++j)
                    ASSERT_FALSE(notes[i]
                                     .needed.adjusted(0.6, 0.6, -0.6, -0.6)
                                     .intersects(notes[j].needed.adjusted(0.6, 0.6, -0.6, -0.6)))
                        << shape.title << ' ' << size.width() << ": " << notes[i].text.toStdString() << " / "
                        << notes[j].text.toStdString();
        }
}

TEST(MachinePainter, SaysTheFacts) {
    const auto s = test::fakeSnapshot(test::ryzen7950x());
    const Painted p = paint(*s, {1010, 560}, Theme::light());
    EXPECT_TRUE(wrote(p, QStringLiteral("LLC 1")));
    EXPECT_TRUE(wrote(p, QStringLiteral("core 15")));
    EXPECT_TRUE(wrote(p, QStringLiteral("idle")));
    EXPECT_TRUE(wrote(p, QStringLiteral("spins ")));
    EXPECT_TRUE(wrote(p, QStringLiteral("pull, same LLC")));
    EXPECT_TRUE(wrote(p, QStringLiteral("newidle, cross LLC")));
    EXPECT_TRUE(wrote(p, QStringLiteral("shard 2")));
    EXPECT_TRUE(wrote(p, QStringLiteral("seed 1")));
    EXPECT_TRUE(wrote(p, QStringLiteral("placement: simplified")));
    EXPECT_TRUE(wrote(p, QString::fromUtf8("18.204")));
    // Counts in the LLC's header are those of the snapshot.
    int runnable = 0;
    for (std::size_t i = 0; i < s->cpus.size(); ++i)
        if (s->run->cpus[i].llc.v == 0) runnable += s->cpus[i].nr;
    EXPECT_TRUE(wrote(p, QStringLiteral("runnable %1 ").arg(runnable)));
}

TEST(MachinePainter, RunningTasksHaveTheirRolesColour) {
    auto s = std::make_shared<session::Snapshot>(*test::fakeSnapshot(test::ryzen7950x()));
    const auto l = layoutMachine(*s->run, s->shards, {{1010, 560}, 0, true});
    for (const auto& theme : {Theme::light(), Theme::dark()}) {
        const Painted p = paint(*s, {1010, 560}, theme, false);
        int seen = 0;
        for (std::size_t i = 0; i < s->cpus.size(); ++i) {
            const auto& c = s->cpus[i];
            if (!c.running.valid() || c.spinning) continue;
            const QRectF t = l.tiles[i];
            const QPoint at(static_cast<int>(t.right() - 8 * l.scale),
                            static_cast<int>(t.top() + 21 * l.scale));
            EXPECT_EQ(QColor(p.image.pixel(at)), theme.role(s->run->tasks[c.running.index()].roleIndex))
                << "CPU " << i;
            ++seen;
        }
        EXPECT_GT(seen, 15);
    }
}

TEST(MachinePainter, DelayedIsHollowAndIneligibleIsPale) {
    auto s = std::make_shared<session::Snapshot>(*test::fakeSnapshot(test::oneCpu()));
    auto& c = s->cpus[0];
    c.queue = {TaskId(0), TaskId(0), TaskId(0)};
    c.queued = 3;
    c.nr = 3;
    c.nrDelayed = 1;
    const auto colors = [&](std::uint8_t delayed, std::uint8_t ineligible) {
        c.delayedBits = delayed;
        c.ineligibleBits = ineligible;
        const QImage image = paint(*s, {400, 300}, Theme::light(), false).image;
        int full = 0;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                full += QColor(image.pixel(x, y)) == Theme::light().role(0) ? 1 : 0;
        return full;
    };
    const int plain = colors(0, 0);
    EXPECT_LT(colors(2, 0), plain - 100);
    EXPECT_LT(colors(0, 4), plain - 100);
}

TEST(MachinePainter, LooksTheSameTwice) {
    const auto s = test::fakeSnapshot(test::ryzen7950x());
    EXPECT_EQ(paint(*s, {1010, 560}, Theme::light()).image, paint(*s, {1010, 560}, Theme::light()).image);
    EXPECT_NE(paint(*s, {1010, 560}, Theme::light()).image, paint(*s, {1010, 560}, Theme::dark()).image);
}
