// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/results/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

#include "kernel/check.hpp"

namespace regroup {

void Sha256::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Sha256::Sha256(std::string_view text) : context_(EVP_MD_CTX_new()) {
  check(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr) == 1, "OpenSSL has no SHA-256");
  add(text);
}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::add(std::string_view text) {
  check(EVP_DigestUpdate(context_.get(), text.data(), text.size()) == 1, "SHA-256 failed");
}

std::string Sha256::hex() const {
  const std::unique_ptr<evp_md_ctx_st, Free> copy(EVP_MD_CTX_new());
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned size = 0;
  check(EVP_MD_CTX_copy_ex(copy.get(), context_.get()) == 1 &&
            EVP_DigestFinal_ex(copy.get(), bytes.data(), &size) == 1,
        "SHA-256 failed");
  std::string text;
  for (unsigned i = 0; i < size; ++i) text += fmt::format("{:02x}", bytes[i]);
  return text;
}

}  // namespace regroup
