// SPDX-License-Identifier: GPL-3.0-or-later
// Paired change in percent with a t-interval: both variants run with the same seeds, so that what a seed does to
// both cancels.
#include "core/session/compare.h"

#include <array>
#include <cmath>
#include <tuple>

namespace rqs::session {
namespace {

/// Mean and half width of the 95 % interval of the mean.
std::pair<double, double> meanAndInterval(const std::vector<double>& x) {
    const double n = static_cast<double>(x.size());
    double sum = 0, squares = 0;
    for (double v : x) sum += v;
    const double mean = sum / n;
    for (double v : x) squares += (v - mean) * (v - mean);
    if (x.size() < 2) return {mean, 0};
    return {mean, tQuantile95(static_cast<int>(x.size()) - 1) * std::sqrt(squares / (n - 1) / n)};
}

std::vector<std::vector<Metric>> allMetrics(std::span<const RunResult> runs) {
    std::vector<std::vector<Metric>> out;
    for (const RunResult& r : runs) out.push_back(metricsOf(r));
    return out;
}

} // namespace

double tQuantile95(int degrees) {
    // 0.975 quantiles of Student's t; between table rows the larger value is used.
    constexpr std::array<double, 30> kSmall{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                            2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                            2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    if (degrees < 1) return kSmall[0];
    if (degrees <= 30) return kSmall[static_cast<std::size_t>(degrees - 1)];
    if (degrees < 40) return 2.042;
    if (degrees < 60) return 2.021;
    if (degrees < 120) return 2.000;
    return 1.980;
}

std::vector<MetricComparison> compareMetrics(std::span<const RunResult> a, std::span<const RunResult> b) {
    std::vector<MetricComparison> out;
    if (a.empty() || a.size() != b.size()) return out;
    const auto ofA = allMetrics(a), ofB = allMetrics(b);
    const auto& names = ofA[0];
    for (std::size_t m = 0; m < names.size(); ++m) {
        MetricComparison c{names[m].name, names[m].unit, 0, 0, names[m].higherIsBetter, names[m].lowerIsBetter, {}, {}};
        std::vector<double> changes;
        bool defined = true;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double va = ofA[i][m].value, vb = ofB[i][m].value;
            c.meanA += va / static_cast<double>(a.size());
            c.meanB += vb / static_cast<double>(a.size());
            if (va == 0 && vb != 0) defined = false;
            changes.push_back(va == 0 ? 0 : 100 * (vb - va) / va);
        }
        if (defined) std::tie(c.changePct, c.ci95Pct) = meanAndInterval(changes);
        out.push_back(std::move(c));
    }
    return out;
}

} // namespace rqs::session
