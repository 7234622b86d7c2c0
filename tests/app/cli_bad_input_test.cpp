// SPDX-License-Identifier: GPL-3.0-or-later
// Bad input: every case ends within 5 s, with a status other than 0, and one line on stderr that names the file,
// the line or the key at fault.
#include "program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

using rqs::test::cli;
using rqs::test::Outcome;
using rqs::test::TempFolder;
using testing::HasSubstr;

namespace {

constexpr double kLimit = 5;

/// A scenario that runs; tests spoil one part of it.
const std::string kGood = R"({
  "title": "t",
  "machine": "gt-smp2",
  "kernel": "6.12.117-debian",
  "workload": { "generator": "lab", "line": "lab run -d 100 a,cpu=1,hog b,cpu=1,hog" },
  "duration": "20ms"
}
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto at = text.find(from);
    if (at == std::string::npos) ADD_FAILURE() << "no " << from;
    return text.replace(at, from.size(), to);
}

class BadInput : public ::testing::Test {
protected:
    /// Status 2, in time, one line, with all the parts.
    void refused(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
        const Outcome o = cli(arguments, kLimit);
        EXPECT_FALSE(o.timedOut);
        EXPECT_EQ(o.status, 2) << o.err;
        EXPECT_EQ(std::count(o.err.begin(), o.err.end(), '\n'), 1) << o.err;
        EXPECT_TRUE(o.err.starts_with("runqscope-cli: ")) << o.err;
        for (const std::string& p : parts) EXPECT_THAT(o.err, HasSubstr(p));
    }
    void refusedFile(const std::string& text, const std::vector<std::string>& parts) {
        refused({"run", folder.file("scenario.json", text)}, parts);
    }
    void refusedMachine(const std::string& machine, const std::vector<std::string>& parts) {
        folder.file("m.json", machine);
        refusedFile(replaced(kGood, "gt-smp2", "m.json"), parts);
    }
    TempFolder folder;
};

TEST_F(BadInput, GoodOneRuns) {
    const Outcome o = cli({"run", folder.file("scenario.json", kGood)}, kLimit);
    EXPECT_EQ(o.status, 0) << o.err;
    EXPECT_EQ(o.err, "");
}

TEST_F(BadInput, MissingFile) { refused({"run", folder.path("nowhere.json")}, {"nowhere.json", "no such file"}); }
TEST_F(BadInput, MissingId) { refused({"run", "01-basics/01-two-hogz"}, {"01-two-hogz", "did you mean \"01-basics/01-two-hogs\"?"}); }
TEST_F(BadInput, FolderWithoutScenario) {
    std::filesystem::create_directory(folder.path("empty"));
    refused({"run", folder.path("empty")}, {"empty", "without a scenario.json"});
}
TEST_F(BadInput, Empty) { refusedFile("", {"scenario.json:1:1"}); }
TEST_F(BadInput, Truncated) { refusedFile(kGood.substr(0, kGood.size() / 2), {"scenario.json:5:"}); }
TEST_F(BadInput, Binary) {
    std::string text;
    for (int i = 0; i < 4096; ++i) text += static_cast<char>(i * 37 % 256);
    refusedFile(text, {"scenario.json:1:1"});
}
TEST_F(BadInput, BinaryInsideString) { refusedFile(replaced(kGood, "\"t\"", "\"\xff\xfe\""), {"scenario.json:2:"}); }
TEST_F(BadInput, OneGigabyte) {
    const std::string path = folder.file("scenario.json", "{");
    std::filesystem::resize_file(path, 1ull << 30); // sparse
    refused({"run", path}, {"scenario.json", "too large"});
}
TEST_F(BadInput, DeeplyNested) { refusedFile(std::string(1000000, '[') + std::string(1000000, ']'), {"scenario.json:1:", "nested too deeply"}); }
TEST_F(BadInput, DeeplyNestedObjects) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += "{\"a\":";
    refusedFile(text, {"scenario.json:1:", "nested too deeply"});
}

TEST_F(BadInput, UnknownKey) {
    refusedFile(replaced(kGood, "\"duration\"", "\"duratoin\""), {"scenario.json", "duration"});
    refusedFile(replaced(kGood, "\"title\": \"t\",", "\"title\": \"t\", \"machin\": 1,"), {"scenario.json:2:", "machin", "machine"});
}
TEST_F(BadInput, WrongType) {
    refusedFile(replaced(kGood, "\"t\"", "7"), {"scenario.json:2:12", "/title"});
    refusedFile(replaced(kGood, "\"20ms\"", "20"), {"scenario.json:6:", "/duration", "20ms"});
    refusedFile(replaced(kGood, "\"duration\"", "\"features\": [], \"duration\""), {"scenario.json:6:", "/features"});
    refusedFile("[]", {"scenario.json:1:1"});
    refusedFile("null", {"scenario.json:1:1"});
}
TEST_F(BadInput, DuplicateKey) {
    refusedFile(replaced(kGood, "\"duration\"", "\"title\": \"again\", \"duration\""), {"scenario.json:6:", "duplicate key \"title\""});
}
TEST_F(BadInput, NegativeAndZeroTime) {
    refusedFile(replaced(kGood, "20ms", "-20ms"), {"scenario.json:6:", "/duration", "negative time"});
    refusedFile(replaced(kGood, "20ms", "0"), {"scenario.json:6:", "/duration"});
    refusedFile(replaced(kGood, "\"20ms\"", "\"20ms\", \"warmup\": \"20ms\""), {"scenario.json:6:", "/warmup"});
    refused({"run", folder.file("scenario.json", kGood), "--duration", "-1ms"}, {"--duration", "negative time"});
    refused({"run", folder.file("scenario.json", kGood), "--duration", "0"}, {"--duration"});
}
TEST_F(BadInput, UnknownNames) {
    refusedFile(replaced(kGood, "gt-smp2", "gt-smp22"), {"scenario.json:3:", "/machine", "gt-smp22", "did you mean \"gt-smp2\"?"});
    refusedFile(replaced(kGood, "6.12.117-debian", "6.12.118-debian"), {"scenario.json:4:", "/kernel", "6.12.117-debian"});
    refusedFile(replaced(kGood, "\"duration\"", "\"features\": {\"RUN_TO_PARTY\": \"on\"}, \"duration\""),
                {"scenario.json:6:", "/features/RUN_TO_PARTY", "RUN_TO_PARITY"});
    refusedFile(replaced(kGood, "\"duration\"", "\"tunables\": {\"base_slice\": 1}, \"duration\""),
                {"scenario.json:6:", "/tunables/base_slice", "base_slice_ns"});
    refusedFile(replaced(kGood, "\"lab\"", "\"labb\""), {"scenario.json:5:", "/workload/generator", "lab"});
    refused({"run", folder.file("scenario.json", kGood), "--set", "RUN_TO_PARTY=on"}, {"--set", "RUN_TO_PARITY"});
    refused({"run", folder.file("scenario.json", kGood), "--kernel", "6.12"}, {"--kernel", "6.12"});
    refused({"run", folder.file("scenario.json", kGood), "--variant", "B"}, {"variant", "B", "A"});
}
TEST_F(BadInput, FeatureTheKernelLacks) {
    refusedFile(replaced(kGood, "\"duration\"", "\"features\": {\"SHARED_RUNQ\": \"on\"}, \"duration\""),
                {"scenario.json:6:", "/features/SHARED_RUNQ", "6.12.117-debian"});
}
TEST_F(BadInput, BadWorkloadLine) {
    refusedFile(replaced(kGood, "b,cpu=1,hog", "b,cpu=1,hop"), {"scenario.json:5:", "/workload/line", "hop"});
    refusedFile(replaced(kGood, "b,cpu=1,hog", "b,cpu=7,hog"), {"scenario.json:5:", "/workload/line", "7"});
}
TEST_F(BadInput, MillionTasks) {
    const std::string lab = R"("generator": "lab", "line": "lab run -d 100 a,cpu=1,hog b,cpu=1,hog")";
    refusedFile(replaced(kGood, lab, R"("generator": "hogs", "args": { "tasks": 1000000 })"),
                {"scenario.json:5:", "/workload/args/tasks", "100000"});
    refusedFile(replaced(kGood, lab, R"("generator": "hackbench", "args": { "groups": 25000 })"),
                {"scenario.json:5:", "/workload/args/groups"});
}
TEST_F(BadInput, BadInputs) {
    const std::string path = folder.file("scenario.json", kGood);
    refused({"run", path, "--at", "5ms:kill c"}, {"--at", "no task \"c\""});
    refused({"run", path, "--at", "5ms:offline 1"}, {"--at", "not built yet"});
    refused({"run", path, "--at", "kill a"}, {"--at"});
    refused({"run", path, "--at", "5s:kill a"}, {"--at", "after the end"});
    refused({"run", path, "--inputs", folder.file("in.txt", "1ms:kill a\n2ms:kil b\n")}, {"in.txt:2", "kill"});
    refused({"run", path, "--inputs", folder.path("none.txt")}, {"none.txt", "no such file"});
    refusedFile(replaced(kGood, "\"20ms\"", R"("20ms", "inputs": [{ "at": "1ms", "input": "kill z" }])"),
                {"scenario.json:6:", "/inputs/0/input", "no task \"z\""});
}

TEST_F(BadInput, MachineFiles) {
    refusedMachine("{", {"m.json:1:"});
    refusedMachine("{}", {"m.json"});
    refused({"run", folder.file("scenario.json", replaced(kGood, "gt-smp2", "gone.json"))}, {"gone.json"});
}
TEST_F(BadInput, ImpossibleTopologies) {
    std::ifstream in(RQS_SOURCE_DIR "/resources/machines/gt-smp2.json");
    std::string text((std::istreambuf_iterator<char>(in)), {});
    text = replaced(text, "\"gt-smp2\"", "\"m\"");
    const std::string cores = "\"coresPerLlc\": 2", numbering = "\"numbering\": \"n+n\"";
    folder.file("m.json", text);
    EXPECT_EQ(cli({"run", folder.file("scenario.json", replaced(kGood, "gt-smp2", "m.json"))}, kLimit).status, 0);
    refusedMachine(replaced(text, cores, "\"coresPerLlc\": 0"), {"m.json:7:", "coresPerLlc"}); // zero CPUs
    refusedMachine(replaced(text, cores, "\"coresPerLlc\": 4097"), {"m.json:7:", "coresPerLlc"});
    refusedMachine(replaced(text, cores, "\"coresPerLlc\": 4096, \"threads\": 4096"), {"m.json:5:", "4096"});
    refusedMachine(replaced(text, cores, "\"coresPerLlc\": -2"), {"m.json:7:"});
    refusedMachine(replaced(text, cores, "\"coresPerLlc\": 2, \"coresPerCluster\": 3"), {"m.json:5:"});
    refusedMachine(replaced(text, numbering, "\"numbering\": [[0], [0]]"), {"m.json:5:"});       // a CPU in two cores
    refusedMachine(replaced(text, numbering, "\"numbering\": [[0], [7]]"), {"m.json:5:"});       // a hole
    refusedMachine(replaced(text, numbering, numbering + ", \"distances\": [[20]]"), {"m.json:5:"}); // a node far from itself
}

TEST_F(BadInput, UnwritableOutput) {
    const std::string path = folder.file("scenario.json", kGood);
    refused({"run", path, "--json", "/proc/nowhere/out.json"}, {"/proc/nowhere/out.json", "cannot write"});
    refused({"run", path, "--json", folder.path("no/such/folder/out.json")}, {"out.json", "cannot write"});
    refused({"run", path, "--json", folder.path("")}, {"directory"});
    refused({"run", path, "--report", "/proc/nowhere"}, {"/proc/nowhere", "cannot make folder"});
    refused({"run", path, "--report", path}, {"scenario.json", "cannot make folder"});
    refused({"compare", "01-basics/01-two-hogs", "--json", "/proc/x/out.json"}, {"/proc/x/out.json"});
}
TEST_F(BadInput, FullDevice) {
    const Outcome o = cli({"run", folder.file("scenario.json", kGood), "--json", "/dev/full"}, kLimit);
    EXPECT_NE(o.status, 0);
    EXPECT_THAT(o.err, HasSubstr("/dev/full"));
}

TEST_F(BadInput, Usage) {
    refused({}, {"--help"});
    refused({"rum"}, {"rum"});
    refused({"run"}, {"SCENARIO"});
    refused({"run", "x", "--sed", "1"}, {"--sed"});
    refused({"run", "01-basics/01-two-hogs", "--seed", "-1"}, {"--seed"});
    refused({"run", "01-basics/01-two-hogs", "--seed", "one"}, {"--seed", "one"});
    refused({"run", "01-basics/01-two-hogs", "--set", "RUN_TO_PARITY"}, {"--set"});
    refused({"run", "01-basics/01-two-hogs", "--export", "perfetto:x"}, {"--export", "workbench"});
    refused({"compare", "01-basics/01-two-hogs", "--seeds", "1"}, {"--seeds"});
    refused({"compare", "01-basics/01-two-hogs", "--reference"}, {"--reference"});
    refused({"truth", folder.path("nothing")}, {"nothing"});
}

} // namespace
