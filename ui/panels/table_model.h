// SPDX-License-Identifier: GPL-3.0-or-later
// A read-only table over rows of any type: columns are functions from a row to text. Keeps selection and
// scrolling when the rows change but not their number.
#pragma once
#include <QAbstractTableModel>

#include <functional>
#include <vector>

namespace rqs::ui {

template<class Row> class TableModel : public QAbstractTableModel {
public:
    struct Column {
        QString head, tip;
        std::function<QString(const Row&)> text;
        std::function<QVariant(const Row&)> sortKey;         ///< optional
        std::function<QVariant(const Row&, int role)> extra; ///< optional: colours, fonts
    };
    explicit TableModel(std::vector<Column> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_columns(std::move(columns)) {}

    void setRows(std::vector<Row> rows) {
        const auto before = static_cast<int>(m_rows.size()), after = static_cast<int>(rows.size());
        if (before != after) {
            beginResetModel();
            m_rows = std::move(rows);
            endResetModel();
        } else {
            m_rows = std::move(rows);
            if (after > 0) Q_EMIT dataChanged(index(0, 0), index(after - 1, columnCount() - 1));
        }
    }
    const std::vector<Row>& rows() const { return m_rows; }
    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }
    QVariant data(const QModelIndex& at, int role) const override {
        if (!at.isValid() || at.row() >= rowCount() || at.column() >= columnCount()) return {};
        const Column& c = m_columns[static_cast<std::size_t>(at.column())];
        const Row& r = m_rows[static_cast<std::size_t>(at.row())];
        if (role == Qt::DisplayRole) return c.text(r);
        if (role == Qt::UserRole) return c.sortKey ? c.sortKey(r) : QVariant(c.text(r));
        if (role == Qt::TextAlignmentRole)
            return static_cast<int>(at.column() == 0 ? Qt::AlignLeft | Qt::AlignVCenter
                                                     : Qt::AlignRight | Qt::AlignVCenter);
        return c.extra ? c.extra(r, role) : QVariant();
    }
    QVariant headerData(int section, Qt::Orientation o, int role) const override {
        if (o != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
        const Column& c = m_columns[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole) return c.head;
        if (role == Qt::ToolTipRole) return c.tip;
        if (role == Qt::TextAlignmentRole)
            return static_cast<int>(section == 0 ? Qt::AlignLeft | Qt::AlignVCenter
                                                 : Qt::AlignRight | Qt::AlignVCenter);
        return {};
    }

private:
    std::vector<Column> m_columns;
    std::vector<Row> m_rows;
};

} // namespace rqs::ui
