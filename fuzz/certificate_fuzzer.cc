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
#include "small_model.h"

namespace {

std::string written(const carl::Certificate& certificate) {
  std::ostringstream out;
  carl::write_certificate(certificate, out);
  return out.str();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  carl::Monitor monitor;
  carl::Certificate certificate;
  try {
    certificate = carl::read_certificate_text("fuzz.json", text, monitor);
  } catch (const carl::InputError&) {
    return 0;
  }
  carl::Cssp cssp = fuzz::small_model(monitor);
  const carl::CertificateReport report =
      carl::check_certificate(cssp, certificate, nullptr, {}, monitor);
  if ((report.verdict == carl::CertificateReport::Verdict::refuted) != (report.num_violations > 0))
    std::abort();
  const std::string once = written(certificate);
  if (written(carl::read_certificate_text("again.json", once, monitor)) != once) std::abort();
  return 0;
}
