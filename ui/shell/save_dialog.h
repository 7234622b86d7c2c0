// SPDX-License-Identifier: GPL-3.0-or-later
// Save as a new scenario: machine, workload numbers (task count) and seed can be changed, then it is written,
// read back and opened.
#pragma once
#include "core/scenario/loader.h"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>

#include <map>

namespace rqs::ui {

class SaveDialog : public QDialog {
    Q_OBJECT
public:
    SaveDialog(scenario::Scenario scenario, const scenario::Folders& folders, QWidget* parent = nullptr);
    /// Folder that was written; empty before.
    QString savedFolder() const { return m_saved; }

private:
    void save();
    scenario::Scenario edited() const;

    scenario::Scenario m_scenario;
    scenario::Folders m_folders;
    QLineEdit *m_title, *m_folder;
    QComboBox* m_machine;
    QSpinBox* m_seed;
    std::map<std::string, QLineEdit*> m_args;
    QLabel* m_error;
    QString m_saved;
};

} // namespace rqs::ui
