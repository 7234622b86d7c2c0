// SPDX-License-Identifier: GPL-3.0-or-later
// What the viewer looks at: one selection shared by all views, in ids, never in pixels.
#pragma once
#include "core/base/ids.h"

#include <QObject>

namespace rqs::ui {

class Selection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    CpuId cpu() const { return m_cpu; }
    TaskId task() const { return m_task; }
    int shard() const { return m_shard; } ///< index in Snapshot::shards, -1 = none
    void select(CpuId cpu, TaskId task = {}, int shard = -1) {
        if (cpu == m_cpu && task == m_task && shard == m_shard) return;
        m_cpu = cpu;
        m_task = task;
        m_shard = shard;
        Q_EMIT changed();
    }
    void clear() { select({}, {}, -1); }

Q_SIGNALS:
    void changed();

private:
    CpuId m_cpu;
    TaskId m_task;
    int m_shard = -1;
};

} // namespace rqs::ui
