// SPDX-License-Identifier: GPL-3.0-or-later
// The one table of meanings -> colours and fonts. Views ask for a meaning, never for a colour; two themes,
// light and dark, share every meaning (Okabe-Ito hues, safe for colour-blind readers).
#pragma once
#include <QColor>
#include <QFont>
#include <QString>

#include <array>

class QApplication;

namespace rqs::ui {

enum class Meaning : std::uint8_t {
    Background,
    Panel,
    Control,
    Line,
    Text,
    Muted, ///< surfaces and words
    Socket,
    Llc,
    Tile,
    IdleTile, ///< machine boxes, lighter inwards
    Accent,
    OnAccent, ///< selection, primary action, variant B
    Contention,
    ContentionText,
    OnContention, ///< spinning, anomaly: fill, as text, text on it
    Good,
    GoodText, ///< good verdict, free resource
    SameLlcMove,
    CrossLlcMove,
    CrossSocketMove,
    VariantA,
    Future,
    ChipText,
    Count
};

/// Sizes of type by use, in px at scale 1.
enum class Type : std::uint8_t { Title, Body, Small, Tiny };

inline constexpr int kRoleColors = 6;

class Theme {
public:
    static Theme light();
    static Theme dark();
    bool isDark() const { return m_dark; }
    QColor color(Meaning m) const { return m_colors[static_cast<std::size_t>(m)]; }
    QColor color(Meaning m, double alpha) const;
    /// Fill of the index-th task role in order of appearance; repeats after six.
    QColor role(int index) const;
    /// Black or white, whichever reads better on that role's fill.
    QColor onRole(int index) const;
    /// `a` over `b` with weight `t` in [0, 1].
    static QColor mix(const QColor& a, const QColor& b, double t);
    static QFont font(Type t, bool bold = false, double scale = 1.0);
    /// Palette, application font and stylesheet; the only place that styles the program.
    void apply(QApplication& app) const;
    QString styleSheet() const;

private:
    void choose(bool dark);
    std::array<QColor, static_cast<std::size_t>(Meaning::Count)> m_colors;
    std::array<QColor, kRoleColors> m_roles, m_onRoles;
    bool m_dark = false;
};

/// WCAG relative luminance contrast of two opaque colours, 1 .. 21.
double contrastRatio(const QColor& a, const QColor& b);

} // namespace rqs::ui
