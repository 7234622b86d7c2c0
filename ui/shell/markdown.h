// SPDX-License-Identifier: GPL-3.0-or-later
// Markdown in a text browser with headings and colours of the theme.
#pragma once
#include "ui/shell/theme.h"

class QTextBrowser;

namespace rqs::ui {

void showMarkdown(QTextBrowser& browser, const QString& text, const Theme& theme);

} // namespace rqs::ui
