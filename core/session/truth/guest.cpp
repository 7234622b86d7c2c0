// SPDX-License-Identifier: GPL-3.0-or-later
// Table of recorded kernels and guest shapes.
#include "core/session/truth/guest.h"

namespace rqs::session::truth {
namespace {

struct ReleasePreset {
    std::string_view release, preset;
};
constexpr ReleasePreset kReleases[] = {{"6.12.117+deb12-cloud-amd64", "6.12.117-debian"},
                                       {"6.1.0-57-cloud-amd64", "6.1-debian"}};

} // namespace

Result<const sched::KernelPreset*> guestPreset(const Case& c) {
    for (const auto& r : kReleases)
        if (r.release == c.kernelRelease)
            if (const auto* preset = sched::kernelById(r.preset)) return preset;
    return Error{(c.folder / "cmd").string(), "no preset models kernel " + c.kernelRelease,
                 "known: 6.12.117+deb12-cloud-amd64, 6.1.0-57-cloud-amd64"};
}

Result<std::string> guestMachine(const Case& c) {
    if (c.smp == "-smp 2") return std::string("gt-smp2");
    return Error{(c.folder / "cmd").string(), "no machine file is assigned to the guest '" + c.smp + "'", ""};
}

} // namespace rqs::session::truth
