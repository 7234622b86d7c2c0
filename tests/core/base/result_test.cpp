// SPDX-License-Identifier: GPL-3.0-or-later
// A Result holds a value or an error that reads as one line.
#include "core/base/result.h"

#include <gtest/gtest.h>

#include <memory>

using namespace rqs;

namespace {
Result<int> half(int n) {
    if (n % 2) return Error{"input", "is odd", "give an even number"};
    return n / 2;
}
} // namespace

TEST(Result, ValueOrError) {
    const auto good = half(8);
    ASSERT_TRUE(good);
    EXPECT_EQ(*good, 4);
    const auto bad = half(7);
    ASSERT_FALSE(bad);
    EXPECT_EQ(bad.error().text(), "input: is odd (give an even number)");
}

TEST(Result, ErrorTextLeavesOutWhatIsEmpty) {
    EXPECT_EQ((Error{"", "it failed", ""}).text(), "it failed");
    EXPECT_EQ((Error{"a.json:3:1", "it failed", ""}).text(), "a.json:3:1: it failed");
    EXPECT_EQ((Error{"", "it failed", "try again"}).text(), "it failed (try again)");
}

TEST(Result, MovesValuesThatCannotBeCopied) {
    Result<std::unique_ptr<int>> r = std::make_unique<int>(5);
    ASSERT_TRUE(r);
    const std::unique_ptr<int> p = std::move(r).value();
    EXPECT_EQ(*p, 5);
}

TEST(Result, StatusIsTrueOnlyWithoutError) {
    EXPECT_TRUE(Status(Ok{}));
    EXPECT_FALSE(Status(Error{"", "no", ""}));
}

TEST(Result, AValueOfErrorLikeTypeStaysAValue) {
    Result<std::string> r = std::string("where");
    ASSERT_TRUE(r);
    EXPECT_EQ(r->size(), 5u);
}
