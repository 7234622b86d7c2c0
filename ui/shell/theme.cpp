// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/theme.h"

#include <QApplication>
#include <QPalette>
#include <QToolTip>

#include <cmath>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
struct Row {
    Meaning meaning;
    const char* light;
    const char* dark;
};
constexpr Row kTable[] = {
    {Meaning::Background, "#F4F5F3", "#14171A"},   {Meaning::Panel, "#FFFFFF", "#1C2126"},
    {Meaning::Control, "#ECEEF0", "#262C33"},      {Meaning::Line, "#D5DADF", "#343C44"},
    {Meaning::Text, "#1B1F24", "#E8EBEE"},         {Meaning::Muted, "#5B6570", "#9AA4AE"},
    {Meaning::Socket, "#EEF1EE", "#16191D"},       {Meaning::Llc, "#F9FAF8", "#191D21"},
    {Meaning::Tile, "#FFFFFF", "#1F252B"},         {Meaning::IdleTile, "#ECEEF0", "#22272E"},
    {Meaning::Accent, "#0072B2", "#56B4E9"},       {Meaning::OnAccent, "#FFFFFF", "#101418"},
    {Meaning::Contention, "#D55E00", "#D55E00"},   {Meaning::ContentionText, "#B34E00", "#F08A4B"},
    {Meaning::OnContention, "#000000", "#000000"}, {Meaning::Good, "#009E73", "#009E73"},
    {Meaning::GoodText, "#00704F", "#3CC79B"},     {Meaning::SameLlcMove, "#009E73", "#009E73"},
    {Meaning::CrossLlcMove, "#E69F00", "#E69F00"}, {Meaning::CrossSocketMove, "#D55E00", "#D55E00"},
    {Meaning::VariantA, "#8A939C", "#7C868F"},     {Meaning::Future, "#AEB4BA", "#5A636C"},
    {Meaning::ChipText, "#101418", "#101418"},
};
constexpr const char* kRoles[kRoleColors] = {"#56B4E9", "#E69F00", "#009E73",
                                             "#CC79A7", "#F0E442", "#0072B2"};

double channel(double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); }
double luminance(const QColor& c) {
    return 0.2126 * channel(c.redF()) + 0.7152 * channel(c.greenF()) + 0.0722 * channel(c.blueF());
}
} // namespace

double contrastRatio(const QColor& a, const QColor& b) {
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

void Theme::choose(bool dark) {
    m_dark = dark;
    for (const Row& r : kTable)
        m_colors[static_cast<std::size_t>(r.meaning)] = QColor(QLatin1StringView(dark ? r.dark : r.light));
    const QColor ink = color(Meaning::ChipText);
    for (std::size_t i = 0; i < m_roles.size(); ++i) {
        m_roles[i] = QColor(QLatin1StringView(kRoles[i]));
        m_onRoles[i] =
            contrastRatio(ink, m_roles[i]) >= contrastRatio(Qt::white, m_roles[i]) ? ink : QColor(Qt::white);
    }
}
Theme Theme::light() {
    Theme t;
    t.choose(false);
    return t;
}
Theme Theme::dark() {
    Theme t;
    t.choose(true);
    return t;
}
QColor Theme::color(Meaning m, double alpha) const {
    QColor c = color(m);
    c.setAlphaF(static_cast<float>(alpha));
    return c;
}
QColor Theme::role(int index) const {
    return m_roles[static_cast<std::size_t>(index < 0 ? 0 : index % kRoleColors)];
}
QColor Theme::onRole(int index) const {
    return m_onRoles[static_cast<std::size_t>(index < 0 ? 0 : index % kRoleColors)];
}
QColor Theme::mix(const QColor& a, const QColor& b, double t) {
    const auto f = [t](int x, int y) { return static_cast<int>(std::lround(x * t + y * (1 - t))); };
    return QColor(f(a.red(), b.red()), f(a.green(), b.green()), f(a.blue(), b.blue()));
}

QFont Theme::font(Type t, bool bold, double scale) {
    // Families whose digits are all equally wide, so that numbers do not jitter.
    QFont f;
    f.setFamilies({u"DejaVu Sans"_s, u"Noto Sans"_s, u"Liberation Sans"_s});
    double px = 12;
    switch (t) {
    case Type::Title: px = 13; break;
    case Type::Body: px = 12; break;
    case Type::Small: px = 10.5; break;
    case Type::Tiny: px = 9.5; break;
    }
    f.setPixelSize(std::max(1, static_cast<int>(std::lround(px * scale))));
    f.setBold(bold);
    return f;
}

void Theme::apply(QApplication& app) const {
    QPalette p;
    p.setColor(QPalette::Window, color(Meaning::Panel));
    p.setColor(QPalette::WindowText, color(Meaning::Text));
    p.setColor(QPalette::Base, color(Meaning::Panel));
    p.setColor(QPalette::AlternateBase, color(Meaning::Background));
    p.setColor(QPalette::Text, color(Meaning::Text));
    p.setColor(QPalette::Button, color(Meaning::Control));
    p.setColor(QPalette::ButtonText, color(Meaning::Text));
    p.setColor(QPalette::Highlight, color(Meaning::Accent));
    p.setColor(QPalette::HighlightedText, color(Meaning::OnAccent));
    p.setColor(QPalette::PlaceholderText, color(Meaning::Muted));
    p.setColor(QPalette::ToolTipBase, color(Meaning::Panel));
    p.setColor(QPalette::ToolTipText, color(Meaning::Text));
    p.setColor(QPalette::Link, color(Meaning::Accent));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        p.setColor(QPalette::Disabled, role, color(Meaning::Muted));
    app.setPalette(p);
    QToolTip::setPalette(p);
    app.setFont(font(Type::Body));
    app.setStyleSheet(styleSheet());
}

QString Theme::styleSheet() const {
    QString s = uR"(
QMainWindow { background: @bg; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; }
QMainWindow::separator:hover { background: @accent; }
QMenuBar { background: @panel; color: @text; border: none; padding: 1px 6px; }
QMenuBar::item { padding: 4px 9px; border-radius: 4px; }
QMenuBar::item:selected, QMenu::item:selected { background: @soft; color: @text; }
QMenu { background: @panel; color: @text; border: 1px solid @line; padding: 4px; }
QMenu::item { padding: 5px 22px 5px 22px; border-radius: 4px; }
QMenu::item:disabled { color: @muted; }
QMenu::separator { height: 1px; background: @line; margin: 4px 8px; }
QDockWidget { color: @text; }
QDockWidget > QWidget { background: @panel; }
QStatusBar { background: @panel; color: @muted; border-top: 1px solid @line; }
QStatusBar::item { border: none; }
QToolTip { background: @panel; color: @text; border: 1px solid @line; padding: 5px; }
QPushButton, QToolButton { background: @control; color: @text; border: 1px solid transparent; border-radius: 6px; padding: 4px 10px; }
QToolButton { padding: 3px 7px; }
QPushButton:hover, QToolButton:hover { border-color: @line; }
QPushButton:focus, QToolButton:focus { border-color: @accent; }
QPushButton:disabled, QToolButton:disabled { color: @muted; }
QPushButton[primary="true"], QToolButton[primary="true"], QToolButton:checked { background: @accent; color: @onaccent; }
QToolButton::menu-indicator { image: none; width: 0px; }
QToolButton[flat="true"] { background: transparent; text-align: left; padding: 1px 2px; }
QSpinBox[flat="true"] { padding: 0px 4px; border-radius: 4px; }
QLineEdit, QSpinBox, QDoubleSpinBox, QComboBox, QPlainTextEdit { background: @control; color: @text; border: 1px solid transparent; border-radius: 6px; padding: 4px 8px; selection-background-color: @accent; selection-color: @onaccent; }
QLineEdit:focus, QSpinBox:focus, QComboBox:focus, QPlainTextEdit:focus { border-color: @accent; }
QLineEdit:disabled, QSpinBox:disabled, QComboBox:disabled { color: @muted; }
QComboBox::drop-down { border: none; width: 18px; }
QComboBox QAbstractItemView { background: @panel; color: @text; border: 1px solid @line; selection-background-color: @soft; selection-color: @text; }
QTabBar { background: @bg; }
QTabBar::tab { background: transparent; color: @muted; padding: 5px 12px; border: none; border-bottom: 2px solid transparent; }
QTabBar::tab:selected { color: @text; border-bottom: 2px solid @accent; }
QTabBar::tab:hover { color: @text; }
QTabWidget::pane { border: none; }
QTreeView, QTableView, QTextBrowser, QListView { background: @panel; color: @text; border: none; outline: 0; }
QTreeView { show-decoration-selected: 1; }
QTreeView::item { padding: 3px 2px; }
QTreeView::item:selected, QTableView::item:selected, QListView::item:selected { background: @soft; color: @text; }
QTreeView::branch:selected { background: @soft; }
QHeaderView { background: @panel; }
QHeaderView::section { background: @panel; color: @muted; border: none; border-bottom: 1px solid @line; padding: 4px 3px; }
QTableView { gridline-color: @line; alternate-background-color: @bg; }
QTableCornerButton::section { background: @panel; border: none; }
QScrollArea, QScrollArea > QWidget > QWidget { background: @panel; border: none; }
QScrollBar:vertical { background: transparent; width: 9px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 9px; margin: 0; }
QScrollBar::handle { background: @line; border-radius: 4px; min-height: 24px; min-width: 24px; }
QScrollBar::handle:hover { background: @muted; }
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page { background: transparent; border: none; width: 0; height: 0; }
QLabel[muted="true"] { color: @muted; }
QLabel[small="true"] { font-size: 10px; color: @muted; }
QLabel[alert="true"] { color: @alert; font-weight: bold; }
QFrame[rule="true"] { background: @line; border: none; max-height: 1px; min-height: 1px; }
QToolBar { background: @panel; border: none; padding: 0; spacing: 0; }
QFrame[transport="true"] { background: @panel; border: none; border-bottom: 1px solid @line; }
QFrame[notice="true"] { background: @soft; border-radius: 6px; }
QDialog, QWizard { background: @panel; }
)"_s;
    const auto name = [this](Meaning m) { return color(m).name(); };
    const std::pair<const char*, QString> words[] = {
        {"@background", name(Meaning::Background)},
        {"@bg", name(Meaning::Background)},
        {"@panel", name(Meaning::Panel)},
        {"@line", name(Meaning::Line)},
        {"@onaccent", name(Meaning::OnAccent)},
        {"@accent", name(Meaning::Accent)},
        {"@text", name(Meaning::Text)},
        {"@muted", name(Meaning::Muted)},
        {"@control", name(Meaning::Control)},
        {"@alert", name(Meaning::ContentionText)},
        {"@soft", mix(color(Meaning::Accent), color(Meaning::Panel), 0.16).name()},
    };
    for (const auto& [key, value] : words) s.replace(QLatin1StringView(key), value);
    return s;
}

} // namespace rqs::ui
