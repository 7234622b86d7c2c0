// SPDX-License-Identifier: GPL-3.0-or-later
// Task groups of a workload: paths, groups that are only implied, sessions that become groups.
#include "core/workload/generators.h"
#include "core/workload/groups.h"

#include <gtest/gtest.h>

using namespace rqs;
using namespace rqs::workload;

namespace {

Workload made(const std::string& generator, const std::map<std::string, std::string>& args) {
    auto w = generate(generator, args);
    EXPECT_TRUE(w) << w.error().text();
    return w ? std::move(*w) : Workload{};
}

} // namespace

TEST(WorkloadGroups, A_group_brings_the_groups_above_it) {
    Workload w;
    ASSERT_TRUE(declareGroup(w, "/a/b/c", 300));
    ASSERT_EQ(w.groups.size(), 3U);
    EXPECT_EQ(w.groups[0].path, "/a");
    EXPECT_EQ(w.groups[1].path, "/a/b");
    EXPECT_EQ(w.groups[2].shares, 300);
    EXPECT_EQ(w.groups[0].shares, kDefaultShares);
    ASSERT_TRUE(declareGroup(w, "/a", 50)) << "implied so far";
    EXPECT_EQ(w.groups[0].shares, 50);
    EXPECT_FALSE(declareGroup(w, "/a", 60)) << "declared now";
    w.tasks.emplace_back();
    w.tasks[0].group = "/a/b";
    EXPECT_TRUE(validateGroups(w));
    w.tasks[0].group = "/a/x";
    const Status s = validateGroups(w);
    ASSERT_FALSE(s);
    EXPECT_NE(s.error().text().find("unknown group \"/a/x\""), std::string::npos) << s.error().text();
}

TEST(WorkloadGroups, Bad_paths_and_shares_are_refused) {
    Workload w;
    for (const char* path : {"", "a", "/", "/a/", "//a", "/a b", "/.", "/a/..", "/1/2/3/4/5/6/7/8/9"})
        EXPECT_FALSE(declareGroup(w, path, 1024)) << path;
    EXPECT_FALSE(declareGroup(w, "/a", 1));
    EXPECT_FALSE(declareGroup(w, "/a", 262145));
    EXPECT_TRUE(w.groups.empty());
    EXPECT_TRUE(declareGroup(w, "/1/2/3/4/5/6/7/8", 2));
}

TEST(WorkloadGroups, Groups_are_given_to_hogs_pairs_and_groups_of_senders_in_turn) {
    const Workload hogs = made("hogs", {{"tasks", "3"}, {"cg", "/a,/b"}});
    EXPECT_EQ(hogs.tasks[0].group, "/a");
    EXPECT_EQ(hogs.tasks[1].group, "/b");
    EXPECT_EQ(hogs.tasks[2].group, "/a");
    const Workload pairs = made("pingpong", {{"pairs", "2"}, {"cg", "/a,/"}, {"session", "each"}});
    EXPECT_EQ(pairs.tasks[1].group, "/a");
    EXPECT_EQ(pairs.tasks[2].group, "");
    EXPECT_EQ(pairs.tasks[1].session, 1);
    EXPECT_EQ(pairs.tasks[3].session, 2);
    const Workload hack = made("hackbench", {{"groups", "2"}, {"fds", "3"}, {"session", "each"}});
    EXPECT_EQ(hack.tasks[5].session, 1);
    EXPECT_EQ(hack.tasks[6].session, 2);
    EXPECT_FALSE(generate("hogs", {{"cg", "/a,b"}}));
    EXPECT_FALSE(generate("hogs", {{"session", "two"}}));
}

TEST(WorkloadGroups, Autogroup_makes_groups_of_sessions_in_the_root_group_only) {
    Workload w = made("hogs", {{"tasks", "4"}, {"cg", "/,/a"}, {"session", "each"}});
    ASSERT_TRUE(declareGroup(w, "/a", 1024));
    ASSERT_TRUE(applyAutogroup(w));
    EXPECT_EQ(w.tasks[0].group, "/autogroup-1");
    EXPECT_EQ(w.tasks[1].group, "/a");
    EXPECT_EQ(w.tasks[2].group, "/autogroup-3");
    EXPECT_EQ(w.groups.size(), 3U);
    EXPECT_TRUE(validateGroups(w));
}
