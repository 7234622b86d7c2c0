// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panels/why_panel.h"

#include "ui/panels/scroll_frame.h"

#include <QPainter>

#include <algorithm>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

/// Painted rows: a bar in the verdict's colour, the test at the left, the verdict at the right; long ones
/// wrap.
class WhyPanel::List : public QWidget {
public:
    explicit List(const Theme& theme) : m_theme(theme) {
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    }
    void setTheme(const Theme& t) {
        m_theme = t;
        update();
    }
    void show(DecisionText text, QString empty) {
        m_text = std::move(text);
        m_empty = std::move(empty);
        setAccessibleDescription(m_text.question);
        setMinimumHeight(static_cast<int>(draw(nullptr)));
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter p(this);
        p.setRenderHint(QPainter::Antialiasing);
        draw(&p);
    }
    void resizeEvent(QResizeEvent*) override { setMinimumHeight(static_cast<int>(draw(nullptr))); }

private:
    /// Draws when `p` is set; returns the height either way.
    double draw(QPainter* p) {
        const double w = width();
        if (m_text.question.isEmpty()) {
            if (p) {
                p->setPen(m_theme.color(Meaning::Muted));
                p->drawText(QRectF(14, 0, w - 28, 90), Qt::TextWordWrap, m_empty);
            }
            return 90;
        }
        const QFont small = Theme::font(Type::Small), body = Theme::font(Type::Small),
                    bold = Theme::font(Type::Small, true);
        const QFontMetricsF fm(body), fb(bold);
        double y = 0;
        const QRectF about(14, y, w - 24, 200);
        const double ah = QFontMetricsF(small).boundingRect(about, Qt::TextWordWrap, m_text.about).height();
        if (p) {
            p->setFont(small);
            p->setPen(m_theme.color(Meaning::Muted));
            p->drawText(about, Qt::TextWordWrap, m_text.about);
        }
        y += ah + 9;
        for (const DecisionLine& l : m_text.lines) {
            const double vw = l.chosen ? fb.horizontalAdvance(l.verdict) : fm.horizontalAdvance(l.verdict);
            const double room = w - 10 - 8 - 14 - 8;
            const bool two = fm.horizontalAdvance(l.test) + vw + 12 > room;
            const double h = two ? 40 : 24;
            if (p) row(*p, l, QRectF(10, y, w - 18, h), two, l.chosen ? bold : body);
            y += h + 4;
        }
        if (p) {
            p->setFont(bold);
            p->setPen(m_theme.color(Meaning::Text));
            p->drawText(QRectF(14, y + 3, w - 24, 20), Qt::AlignVCenter, u"→ "_s + m_text.outcome);
        }
        return y + 28;
    }
    void row(QPainter& p, const DecisionLine& l, const QRectF& r, bool two, const QFont& verdict) {
        p.setPen(Qt::NoPen);
        p.setBrush(m_theme.color(Meaning::Control));
        p.drawRoundedRect(r, 4, 4);
        p.setBrush(m_theme.color(l.passed ? Meaning::Good : Meaning::Muted));
        p.drawRoundedRect(QRectF(r.x(), r.y(), 3, r.height()), 1.5, 1.5);
        const QRectF in = r.adjusted(10, 0, -8, 0);
        p.setFont(Theme::font(Type::Small));
        p.setPen(m_theme.color(Meaning::Text));
        const QRectF top = two ? QRectF(in.x(), in.y() + 2, in.width(), 18) : in;
        p.drawText(top, Qt::AlignVCenter | Qt::AlignLeft,
                   QFontMetricsF(p.font()).elidedText(l.test, Qt::ElideRight, in.width()));
        p.setFont(verdict);
        p.setPen(m_theme.color(l.chosen ? Meaning::Text : l.passed ? Meaning::GoodText : Meaning::Muted));
        const QRectF low = two ? QRectF(in.x(), in.y() + 20, in.width(), 18) : in;
        p.drawText(low, Qt::AlignVCenter | Qt::AlignRight, l.verdict);
    }
    Theme m_theme;
    DecisionText m_text;
    QString m_empty;
};

WhyPanel::WhyPanel(const PanelContext& context) : Panel(u"why"_s, u"Why?"_s) {
    m_list = new List(context.theme);
    fillScrolling(this, m_list);
    m_list->show(
        {},
        u"Step by decision: the tests the kernel makes appear here in their order, with their numbers."_s);
}

void WhyPanel::setTheme(const Theme& theme) { m_list->setTheme(theme); }

void WhyPanel::refresh(const session::Snapshot& s) {
    if (s.run && s.run != m_run) {
        m_run = s.run;
        m_labels = TaskLabels::of(*s.run);
    }
    if (s.decision) {
        DecisionText t = explain(*s.decision, m_labels);
        setHeading(t.question);
        m_list->show(std::move(t), {});
    } else {
        setHeading(u"Why?"_s);
        m_list->show(
            {},
            s.running
                ? u"Pause and step by decision: the kernel's tests appear here in their order, with their numbers."_s
                : u"Step by decision (key D): the kernel's tests appear here in their order, with their numbers."_s);
    }
}

} // namespace rqs::ui
