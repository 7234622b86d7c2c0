// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/transport_bar.h"

#include "ui/shell/transport_icons.h"
#include "ui/views/words.h"

#include <QHBoxLayout>
#include <QMenu>
#include <QPainter>

#include <algorithm>
#include <climits>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;
namespace cmd = session::command;

namespace {
constexpr Duration kTimeStep{100'000};
struct Speed {
    std::int64_t ns;
    const char* text;
};
constexpr Speed kSpeeds[] = {
    {10'000, "10 µs/s"},       {50'000, "50 µs/s"},          {200'000, "200 µs/s"},
    {1'000'000, "1 ms/s"},     {5'000'000, "5 ms/s"},        {20'000'000, "20 ms/s"},
    {100'000'000, "100 ms/s"}, {1'000'000'000, "real time"}, {0, "as fast as possible"}};

/// A title that gives way: elided when there is no room.
class Title : public QLabel {
public:
    QSize minimumSizeHint() const override { return {120, QLabel::minimumSizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter p(this);
        p.setPen(palette().color(QPalette::WindowText));
        p.drawText(rect(), Qt::AlignVCenter, fontMetrics().elidedText(text(), Qt::ElideRight, width()));
    }
};
} // namespace

TransportBar::TransportBar(SessionController* session, Actions& actions, const Theme& theme, QWidget* parent)
    : QFrame(parent), m_session(session), m_actions(actions), m_theme(theme), m_title(new Title),
      m_scrub(new ScrubBar(theme)), m_seed(new QSpinBox) {
    setProperty("transport", true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(14, 3, 12, 4);
    row->setSpacing(4);
    m_title->setFont(Theme::font(Type::Title, true));
    m_title->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    row->addWidget(m_title, 5);
    row->addSpacing(8);
    row->addWidget(button("restart", u"restart"_s, u"Restart"_s));
    row->addWidget(button("back", u"back"_s, u"Step back"_s));
    m_run = button("run", u"run"_s, u"Run or pause"_s);
    m_run->setProperty("primary", true);
    row->addWidget(m_run);
    row->addWidget(button("step", u"step"_s, u"Step forward"_s));
    row->addWidget(button("fast", u"fast"_s, u"Run as fast as possible"_s));
    row->addSpacing(8);

    static constexpr Unit units[] = {{"by-step", session::StepUnit::Step, "step"},
                                     {"by-decision", session::StepUnit::Decision, "decision"},
                                     {"by-switch", session::StepUnit::ContextSwitch, "switch"},
                                     {"by-tick", session::StepUnit::Tick, "tick"},
                                     {"by-time", session::StepUnit::Time, "100 µs"}};
    m_unitButton = new QToolButton;
    m_unitButton->setPopupMode(QToolButton::InstantPopup);
    auto* unitMenu = new QMenu(this);
    for (const Unit& u : units) {
        unitMenu->addAction(m_actions[u.action]);
        m_actions.on(u.action, [this, u] { setUnit(u); });
    }
    m_unitButton->setMenu(unitMenu);
    row->addWidget(labelled(u"step by"_s, m_unitButton));
    setUnit(units[1]);
    row->addWidget(m_scrub, 5);

    m_speedButton = new QToolButton;
    m_speedButton->setPopupMode(QToolButton::InstantPopup);
    auto* speedMenu = new QMenu(this);
    for (const Speed& s : kSpeeds)
        speedMenu->addAction(QString::fromUtf8(s.text), this, [this, s] { setSpeed(s.ns); });
    m_speedButton->setMenu(speedMenu);
    row->addWidget(labelled(u"speed"_s, m_speedButton));

    m_seed->setRange(0, INT_MAX);
    m_seed->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_seed->setKeyboardTracking(false);
    m_seed->setFixedWidth(58);
    m_seed->setFocusPolicy(Qt::ClickFocus);
    m_seed->setToolTip(
        u"Seed of the run: tick phases, start offsets and ±3 % on the machine's costs. Another seed starts the run again."_s);
    connect(m_seed, &QSpinBox::editingFinished, this, [this] {
        const auto wanted = static_cast<std::uint64_t>(m_seed->value());
        if (m_runInfo && m_runInfo->seed != wanted) m_session->restart(wanted);
    });
    row->addWidget(labelled(u"seed"_s, m_seed));
    m_variantButton = new QToolButton;
    m_variantButton->setPopupMode(QToolButton::InstantPopup);
    m_variantButton->setMenu(new QMenu(this));
    row->addWidget(labelled(u"variant"_s, m_variantButton));

    connect(m_scrub, &ScrubBar::sought, this, [this](SimTime t) { m_session->post(cmd::SeekTime{t}); });
    connect(session, &SessionController::opened, this, [this] { fillVariants(); });
    m_actions.on("run", [this] {
        if (m_running)
            m_session->post(cmd::Pause{});
        else {
            if (m_finished) m_session->restart();
            m_session->post(cmd::SetSpeed{m_speed});
            m_session->post(cmd::Run{});
        }
    });
    m_actions.on("fast", [this] {
        setSpeed(0);
        m_session->post(cmd::Run{});
    });
    m_actions.on("step", [this] { m_session->post(cmd::StepForward{m_unit, kTimeStep}); });
    m_actions.on("back", [this] { m_session->post(cmd::StepBack{m_unit, kTimeStep}); });
    m_actions.on("restart", [this] { m_session->restart(); });
    setSpeed(1'000'000);
    paintIcons();
}

QToolButton* TransportBar::button(const char* action, const QString& icon, const QString& name) {
    auto* b = new QToolButton;
    b->setFixedSize(34, 30);
    b->setIconSize({18, 18});
    b->setAccessibleName(name);
    const QString keys = m_actions[action]->shortcut().toString(QKeySequence::NativeText);
    b->setToolTip(keys.isEmpty() ? name : name + u" ("_s + keys + u')');
    connect(b, &QToolButton::clicked, m_actions[action], &QAction::trigger);
    m_buttons.push_back({b, icon});
    return b;
}

QWidget* TransportBar::labelled(const QString& caption, QWidget* below) {
    auto* w = new QWidget;
    auto* v = new QVBoxLayout(w);
    v->setContentsMargins(6, 1, 2, 1);
    v->setSpacing(0);
    auto* c = new QLabel(caption);
    c->setProperty("small", true);
    v->addWidget(c);
    below->setProperty("flat", true);
    below->setFixedHeight(20);
    v->addWidget(below);
    return w;
}

void TransportBar::setUnit(const Unit& unit) {
    m_unit = unit.unit;
    m_unitButton->setText(QString::fromUtf8(unit.text) + u" ▾"_s);
}

void TransportBar::setSpeed(std::int64_t ns) {
    m_speed = ns;
    const auto* s =
        std::find_if(std::begin(kSpeeds), std::end(kSpeeds), [ns](const Speed& v) { return v.ns == ns; });
    m_speedButton->setText((s != std::end(kSpeeds) && s->ns ? QString::fromUtf8(s->text) : u"max"_s) +
                           u" ▾"_s);
    m_session->post(cmd::SetSpeed{ns});
}

void TransportBar::fillVariants() {
    QMenu* menu = m_variantButton->menu();
    menu->clear();
    const auto* sc = m_session->scenario();
    if (!sc) return;
    for (const auto& v : sc->variants) {
        const QString name = qs(v.name);
        menu->addAction(v.title.empty() ? name : name + u" — "_s + qs(v.title), this, [this, name] {
            if (const auto* now = m_session->scenario()) m_session->start(*now, name);
        });
    }
    m_variantButton->setText(m_session->variant() + (sc->variants.size() > 1 ? u" ▾"_s : QString()));
    m_variantButton->setEnabled(sc->variants.size() > 1);
}

void TransportBar::paintIcons() {
    for (const auto& [b, name] : m_buttons) {
        const bool main = b == m_run;
        b->setIcon(transportIcon(main && m_running ? u"pause"_s : name,
                                 m_theme.color(main ? Meaning::OnAccent : Meaning::Text)));
    }
}

void TransportBar::setTheme(const Theme& theme) {
    m_theme = theme;
    m_scrub->setTheme(theme);
    paintIcons();
}

void TransportBar::refresh(const session::Snapshot& s) {
    if (!s.run) return;
    if (s.run != m_runInfo) {
        m_runInfo = s.run;
        m_title->setText(titleText(*s.run));
        m_title->setToolTip(m_title->text());
        if (!m_seed->hasFocus())
            m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(s.run->seed, INT_MAX)));
    }
    m_scrub->setTimes(s.now, std::max(s.now, s.knownUntil), s.run->end);
    m_finished = s.finished;
    if (m_running != s.running) {
        m_running = s.running;
        paintIcons();
    }
}

} // namespace rqs::ui
