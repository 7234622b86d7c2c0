// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/markdown.h"

#include <QTextBlock>
#include <QTextBrowser>
#include <QTextCursor>
#include <QTextTable>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

namespace {
/// Size of a block's type by heading level: 0 = text.
QTextCharFormat formatOf(int level, const Theme& theme) {
    QTextCharFormat f;
    const QFont font = Theme::font(level == 1 ? Type::Title : Type::Body, level > 0);
    f.setFontFamilies(font.families());
    f.setProperty(QTextFormat::FontPixelSize, level == 1 ? 14 : level == 0 ? 11.5 : 12.5);
    f.clearProperty(QTextFormat::FontPointSize);
    f.setProperty(QTextFormat::FontSizeAdjustment, 0);
    if (level > 0) f.setFontWeight(QFont::Bold);
    f.setForeground(theme.color(Meaning::Text));
    return f;
}
} // namespace

void showMarkdown(QTextBrowser& browser, const QString& text, const Theme& theme) {
    QTextDocument* doc = browser.document();
    doc->setDefaultFont(Theme::font(Type::Body));
    doc->setDocumentMargin(8);
    browser.setMarkdown(text);
    QTextCursor cursor(doc);
    cursor.beginEditBlock();
    for (QTextBlock b = doc->begin(); b.isValid(); b = b.next()) {
        const int level = b.blockFormat().headingLevel();
        const bool code = b.blockFormat().nonBreakableLines() ||
                          b.blockFormat().hasProperty(QTextFormat::BlockCodeFence) ||
                          b.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage);
        for (auto it = b.begin(); !it.atEnd(); ++it) {
            const QTextFragment part = it.fragment();
            cursor.setPosition(part.position());
            cursor.setPosition(part.position() + part.length(), QTextCursor::KeepAnchor);
            QTextCharFormat f = formatOf(level, theme);
            if (part.charFormat().isAnchor()) f.setForeground(theme.color(Meaning::Accent));
            if (code || part.charFormat().fontFixedPitch())
                f.setFontFamilies({u"DejaVu Sans Mono"_s, u"Noto Sans Mono"_s, u"monospace"_s});
            if (code) f.setProperty(QTextFormat::FontPixelSize, 10.5);
            cursor.mergeCharFormat(f);
        }
        QTextBlockFormat space = b.blockFormat();
        space.setTopMargin(level == 0 ? 2 : level == 1 ? 2 : 8);
        space.setBottomMargin(3);
        if (code) space.setNonBreakableLines(false);
        cursor.setPosition(b.position());
        cursor.setBlockFormat(space);
    }
    for (QTextFrame* frame : doc->rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat f = table->format();
            f.setBorderCollapse(true);
            f.setBorder(1);
            f.setBorderBrush(theme.color(Meaning::Line));
            f.setCellPadding(5);
            f.setCellSpacing(0);
            table->setFormat(f);
        }
    cursor.endEditBlock();
    browser.moveCursor(QTextCursor::Start);
}

} // namespace rqs::ui
