// SPDX-License-Identifier: GPL-3.0-or-later
// Snapshots made up for tests of the window: any machine shape, in the middle of a message-passing run.
// Deterministic: the same shape and seed give the same picture.
#pragma once
#include "core/session/snapshot.h"

#include <string>

namespace rqs::test {

struct FakeShape {
    std::string title = "AMD Ryzen 9 7950X", machineId = "amd-7950x";
    int sockets = 1, nodesPerSocket = 1, llcsPerNode = 2, clustersPerLlc = 1, coresPerCluster = 8,
        threads = 2;
    bool threadsLast = true; ///< CPU numbers: all first threads, then all second ones (x86)
    int tasks = 400;
    int shardSize = 6; ///< CPUs per shard, 0 = no shards
    unsigned seed = 1;
    int cpus() const {
        return sockets * nodesPerSocket * llcsPerNode * clustersPerLlc * coresPerCluster * threads;
    }
};

FakeShape ryzen7950x();
FakeShape oneCpu();
FakeShape laptop16(); ///< 16 CPUs, one LLC
FakeShape twoSocket256();
FakeShape epyc512(); ///< 2 sockets, 4 nodes each, 32 LLCs, SMT2
FakeShape huge1024();
FakeShape power8Smt(); ///< 2 sockets x 12 cores x SMT8
FakeShape clusters();  ///< 4-CPU L2 clusters, no SMT

std::shared_ptr<const session::Snapshot> fakeSnapshot(const FakeShape& shape, bool stepping = true);

} // namespace rqs::test
