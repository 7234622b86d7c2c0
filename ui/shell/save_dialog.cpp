// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/save_dialog.h"

#include "core/scenario/writer.h"
#include "ui/views/words.h"

#include <QDialogButtonBox>
#include <QDir>
#include <QFormLayout>
#include <QPushButton>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <climits>

namespace rqs::ui {
using namespace Qt::Literals::StringLiterals;

SaveDialog::SaveDialog(scenario::Scenario scenario, const scenario::Folders& folders, QWidget* parent)
    : QDialog(parent), m_scenario(std::move(scenario)), m_folders(folders), m_title(new QLineEdit),
      m_folder(new QLineEdit), m_machine(new QComboBox), m_seed(new QSpinBox), m_error(new QLabel) {
    setWindowTitle(u"Save as new scenario"_s);
    setMinimumWidth(460);
    auto* form = new QFormLayout;
    form->setSpacing(8);
    m_title->setText(qs(m_scenario.title) + u", changed"_s);
    form->addRow(u"Title"_s, m_title);
    const QDir machines(qs(m_folders.resources) + u"/machines"_s);
    for (const QString& f : machines.entryList({u"*.json"_s}, QDir::Files, QDir::Name))
        m_machine->addItem(f.chopped(5));
    if (m_machine->findText(qs(m_scenario.machine)) < 0) m_machine->addItem(qs(m_scenario.machine));
    m_machine->setCurrentText(qs(m_scenario.machine));
    form->addRow(u"Machine"_s, m_machine);
    for (const auto& [name, value] : m_scenario.workload.args) {
        auto* edit = new QLineEdit(qs(value));
        m_args[name] = edit;
        form->addRow(qs(name), edit);
    }
    m_seed->setButtonSymbols(QAbstractSpinBox::NoButtons);
    m_seed->setRange(0, INT_MAX);
    m_seed->setValue(static_cast<int>(std::min<std::uint64_t>(m_scenario.seed, INT_MAX)));
    form->addRow(u"Seed"_s, m_seed);
    const QString home = QStandardPaths::writableLocation(QStandardPaths::HomeLocation);
    m_folder->setText(home + u"/runqscope/"_s + qs(m_scenario.id).section(u'/', -1) + u"-changed"_s);
    form->addRow(u"Folder"_s, m_folder);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Save | QDialogButtonBox::Cancel);
    buttons->button(QDialogButtonBox::Save)->setText(u"Save and open"_s);
    m_error->setWordWrap(true);
    m_error->setProperty("alert", true);
    m_error->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(18, 18, 18, 14);
    layout->addLayout(form);
    layout->addWidget(m_error);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::accepted, this, &SaveDialog::save);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

scenario::Scenario SaveDialog::edited() const {
    scenario::Scenario s = m_scenario;
    s.title = m_title->text().toStdString();
    s.machine = m_machine->currentText().toStdString();
    s.seed = static_cast<std::uint64_t>(m_seed->value());
    for (const auto& [name, edit] : m_args) s.workload.args[name] = edit->text().trimmed().toStdString();
    s.expectations.clear(); // those of the original say nothing about the changed one
    s.reference.clear();
    return s;
}

void SaveDialog::save() {
    const scenario::Scenario s = edited();
    const std::string folder = m_folder->text().toStdString();
    const auto fail = [this](const Error& e) {
        m_error->setText(QString::fromStdString(e.text()));
        m_error->show();
    };
    // Checked before anything is written, by the reader that will open it.
    if (const auto again =
            scenario::parseScenario(scenario::scenarioText(s), "new scenario", folder, m_folders.resources);
        !again)
        return fail(again.error());
    if (const Status done = scenario::saveScenario(s, folder); !done) return fail(done.error());
    m_saved = QString::fromStdString(folder);
    accept();
}

} // namespace rqs::ui
