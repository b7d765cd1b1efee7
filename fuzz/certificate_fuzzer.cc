// Reads any bytes as a certificate. They are either rejected with an InputError, or checked against
// a small model, whatever they say: that must end, and what is accepted reads the same when it is
// written again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "carl/certificate.h"
#include "carl/error.h"
#include "carl/io.h"
#include "io/read_explicit.h"

namespace {

carl::Cssp small_model(carl::Limits& limits) {
  carl::CsspOptions options;
  options.remove_forbidden_actions = false;
  return carl::Cssp(carl::io::read_explicit("model.json",
                                            R"({ "format": "cssp", "version": 1,
      "costs": ["time", "fuel"], "bounds": { "fuel": 2 }, "give_up": { "time": 9 },
      "initial": "s", "goals": ["g"], "actions": [
        { "state": "s", "name": "a", "cost": [1, 1], "outcomes": { "s": 0.5, "t": 0.3, "g": 0.2 } },
        { "state": "s", "name": "b", "cost": [2, 0], "outcomes": { "t": 1 } },
        { "state": "t", "name": "a", "cost": [1, 0], "outcomes": { "s": 0.9, "g": 0.1 } },
        { "state": "t", "name": "b", "cost": [0, 0], "outcomes": { "t": 1 } } ] })",
                                            limits),
                    options);
}

std::string written(const carl::Certificate& certificate) {
  std::ostringstream out;
  carl::write_certificate(certificate, out);
  return out.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  carl::Limits limits;
  carl::Certificate certificate;
  try {
    certificate = carl::read_certificate_text("fuzz.json", text, limits);
  } catch (const carl::InputError&) {
    return 0;
  }
  carl::Cssp cssp = small_model(limits);
  const carl::CertificateReport report =
      carl::check_certificate(cssp, certificate, nullptr, {}, limits);
  if ((report.verdict == carl::CertificateReport::Verdict::refuted) != (report.num_violations > 0))
    std::abort();
  const std::string once = written(certificate);
  if (written(carl::read_certificate_text("again.json", once, limits)) != once) std::abort();
  return 0;
}
