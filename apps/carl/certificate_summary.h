// What the check of a certificate has found, for people.
#ifndef CARL_APPS_CERTIFICATE_SUMMARY_H
#define CARL_APPS_CERTIFICATE_SUMMARY_H

#include <string>

#include "carl/certificate.h"

namespace carl::app {

std::string summary(const Cssp& cssp, const Certificate& certificate,
                    const CertificateReport& report);

}  // namespace carl::app

#endif
