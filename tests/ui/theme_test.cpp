// SPDX-License-Identifier: GPL-3.0-or-later
// The theme keeps its promises: words are readable on what they stand on, roles stay apart also for a viewer
// with deuteranopia, digits do not jitter.
#include "ui/shell/theme.h"

#include <QFontMetricsF>

#include <gtest/gtest.h>

#include <cmath>

using namespace rqs::ui;

namespace {

struct Pair {
    Meaning text, surface;
    double least;
};
constexpr Pair kPairs[] = {
    {Meaning::Text, Meaning::Background, 7},
    {Meaning::Text, Meaning::Panel, 7},
    {Meaning::Text, Meaning::Control, 7},
    {Meaning::Text, Meaning::Tile, 7},
    {Meaning::Muted, Meaning::Panel, 4.5},
    {Meaning::Muted, Meaning::Background, 4.5},
    {Meaning::Muted, Meaning::Socket, 4.5},
    {Meaning::Muted, Meaning::Llc, 4.5},
    {Meaning::Muted, Meaning::Tile, 4.5},
    {Meaning::Muted, Meaning::IdleTile, 4.5},
    {Meaning::Muted, Meaning::Control, 4.5},
    {Meaning::OnAccent, Meaning::Accent, 4.5},
    {Meaning::OnContention, Meaning::Contention, 4.5},
    {Meaning::ContentionText, Meaning::Panel, 4.5},
    {Meaning::ContentionText, Meaning::Tile, 4.5},
    {Meaning::GoodText, Meaning::Control, 4.5},
    {Meaning::Good, Meaning::Panel, 3},
    {Meaning::Accent, Meaning::Panel, 3},
    {Meaning::Contention, Meaning::Llc, 3},
};

double linear(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }

struct Lab {
    double l, a, b;
};
Lab toLab(double r, double g, double b) {
    const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
    const double x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505),
                 y = f(0.2126 * r + 0.7152 * g + 0.0722 * b),
                 z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}
/// As seen with full deuteranopia (Machado 2009, severity 1), in CIELAB.
Lab seen(const QColor& c, bool deuteranopia) {
    const double r = linear(c.redF()), g = linear(c.greenF()), b = linear(c.blueF());
    if (!deuteranopia) return toLab(r, g, b);
    return toLab(0.367322 * r + 0.860646 * g - 0.227968 * b, 0.280085 * r + 0.672501 * g + 0.047413 * b,
                 -0.011820 * r + 0.042940 * g + 0.968881 * b);
}
double distance(const QColor& a, const QColor& b, bool deuteranopia) {
    const Lab x = seen(a, deuteranopia), y = seen(b, deuteranopia);
    return std::hypot(x.l - y.l, x.a - y.a, x.b - y.b);
}

} // namespace

TEST(Theme, TextIsReadableOnItsSurface) {
    for (const Theme& t : {Theme::light(), Theme::dark()})
        for (const Pair& p : kPairs)
            EXPECT_GE(contrastRatio(t.color(p.text), t.color(p.surface)), p.least)
                << (t.isDark() ? "dark " : "light ") << static_cast<int>(p.text) << " on "
                << static_cast<int>(p.surface);
}

TEST(Theme, ChipTextIsReadableOnEveryRole) {
    for (int i = 0; i < kRoleColors; ++i)
        EXPECT_GE(contrastRatio(Theme::light().onRole(i), Theme::light().role(i)), 4.5) << i;
}

TEST(Theme, RolesStayApartAlsoWithDeuteranopia) {
    const Theme t = Theme::light();
    for (int i = 0; i < kRoleColors; ++i)
        for (int j = i + 1; j < kRoleColors; ++j) {
            EXPECT_GE(distance(t.role(i), t.role(j), false), 25) << i << ' ' << j;
            EXPECT_GE(distance(t.role(i), t.role(j), true), 11) << i << ' ' << j;
        }
}

// Vermilion and the second role's orange are near for such a viewer; the word "spins" and the hatch carry the
// rest.
TEST(Theme, ContentionStandsOutFromTheFirstRoles) {
    for (const Theme& t : {Theme::light(), Theme::dark()})
        for (int i = 0; i < 2; ++i)
            EXPECT_GE(distance(t.color(Meaning::Contention), t.role(i), true), 15) << i;
}

TEST(Theme, BothThemesDefineEveryMeaning) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(Meaning::Count); ++i) {
        EXPECT_TRUE(Theme::light().color(static_cast<Meaning>(i)).isValid()) << i;
        EXPECT_TRUE(Theme::dark().color(static_cast<Meaning>(i)).isValid()) << i;
    }
    EXPECT_FALSE(Theme::light().styleSheet().contains(u'@')) << "a word of the style sheet has no colour";
}

TEST(Theme, DigitsAreEquallyWide) {
    for (const Type type : {Type::Title, Type::Body, Type::Small, Type::Tiny}) {
        const QFontMetricsF fm(Theme::font(type));
        for (char c = '1'; c <= '9'; ++c)
            EXPECT_NEAR(fm.horizontalAdvance(QLatin1Char(c)), fm.horizontalAdvance(QLatin1Char('0')), 0.01)
                << c;
    }
}

TEST(Theme, MoreRolesThanColoursRepeat) { EXPECT_EQ(Theme::light().role(6), Theme::light().role(0)); }
