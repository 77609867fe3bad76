#pragma once
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <openssl/ssl.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ec.h>
#include <openssl/kdf.h>
#include <openssl/core_names.h>
#include <openssl/params.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/crypto.h>
#include <openssl/x509v3.h>
#include <openssl/pem.h>

// OpenSSL's macros, which Swift does not import.
static inline long tm_SSL_CTX_set_min_tls13(SSL_CTX *context) {
    return SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION);
}
// From 1.2 on, and of 1.2 only ephemeral keys with authenticated encryption, without renegotiation.
static inline int tm_SSL_CTX_set_min_tls12(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION);
    return SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) == 1 &&
           SSL_CTX_set_cipher_list(context, "ECDHE+AESGCM:ECDHE+CHACHA20") == 1;
}
static inline int tm_SSL_CTX_set_max_tls12(SSL_CTX *context) {
    return SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION) == 1;
}
// Clients that offer protocols must offer HTTP/1.1 (RFC 7301).
static inline int tm_select_http11(
    SSL *ssl, const unsigned char **out, unsigned char *out_bytes, const unsigned char *offered,
    unsigned int offered_bytes, void *unused) {
    static const unsigned char ours[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    (void)ssl, (void)unused;
    int found = SSL_select_next_proto((unsigned char **)out, out_bytes, ours, sizeof ours, offered, offered_bytes);
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}
static inline void tm_SSL_CTX_select_http11(SSL_CTX *context) {
    SSL_CTX_set_alpn_select_cb(context, tm_select_http11, NULL);
}
static inline long tm_SSL_CTX_set_mode(SSL_CTX *context, long mode) { return SSL_CTX_set_mode(context, mode); }
static inline long tm_SSL_CTX_set_session_cache_mode(SSL_CTX *context, long mode) {
    return SSL_CTX_set_session_cache_mode(context, mode);
}
static inline long tm_SSL_set_tlsext_host_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, (char *)name);
}

// The subject alternative names of type DNS; writes the name numbered `index` and returns its length, -1 past the last.
static inline int tm_certificate_dns_name(X509 *certificate, int index, char *name, int capacity) {
    GENERAL_NAMES *names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    int length = -1, seen = 0;
    for (int i = 0; names && i < sk_GENERAL_NAME_num(names); i++) {
        GENERAL_NAME *general = sk_GENERAL_NAME_value(names, i);
        if (general->type != GEN_DNS || seen++ != index) continue;
        int size = ASN1_STRING_length(general->d.dNSName);
        if (size < capacity) {
            memcpy(name, ASN1_STRING_get0_data(general->d.dNSName), (size_t)size);
            length = size;
        } else {
            length = 0;
        }
        break;
    }
    GENERAL_NAMES_free(names);
    return length;
}
static inline int tm_certificate_common_name(X509 *certificate, char *name, int capacity) {
    return X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), NID_commonName, name, capacity);
}
// Whether the end of the certificate's time has passed.
static inline int tm_certificate_is_over(const X509 *certificate) {
    return X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0;
}
static inline int tm_session_peer_is_over(SSL_SESSION *session) {
    X509 *peer = session ? SSL_SESSION_get0_peer(session) : NULL;
    return peer && tm_certificate_is_over(peer);
}
// Resumption checks no certificate: a ticket is worth nothing once the client's certificate is over.
static inline SSL_TICKET_RETURN tm_take_ticket(
    SSL *ssl, SSL_SESSION *session, const unsigned char *name, size_t name_bytes, SSL_TICKET_STATUS status, void *unused) {
    (void)ssl, (void)name, (void)name_bytes, (void)unused;
    if (status != SSL_TICKET_SUCCESS && status != SSL_TICKET_SUCCESS_RENEW) return SSL_TICKET_RETURN_IGNORE_RENEW;
    if (tm_session_peer_is_over(session)) return SSL_TICKET_RETURN_IGNORE_RENEW;
    return status == SSL_TICKET_SUCCESS ? SSL_TICKET_RETURN_USE : SSL_TICKET_RETURN_USE_RENEW;
}
static inline int tm_SSL_CTX_refuse_outlived_tickets(SSL_CTX *context) {
    return SSL_CTX_set_session_ticket_cb(context, NULL, tm_take_ticket, NULL);
}
// What a connection writes to: the socket, and memory for what the socket does not take at once. So OpenSSL never waits in
// the middle of a record, where it cannot answer a peer that changes its keys (the connection would end with "bad length").
typedef struct {
    int descriptor;
    unsigned char *bytes;
    size_t begin, end, capacity;
} tm_output;
static inline ssize_t tm_output_send(tm_output *output, const void *bytes, size_t count) {
    ssize_t sent;
    do sent = send(output->descriptor, bytes, count, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) ? 0 : sent;
}
static inline size_t tm_output_waiting(BIO *bio) {
    tm_output *output = (tm_output *)BIO_get_data(bio);
    return output->end - output->begin;
}
// 1: nothing waits any more; 0: the socket takes no more for now; -1: it never will, and errno says why.
static inline int tm_output_flush(BIO *bio) {
    tm_output *output = (tm_output *)BIO_get_data(bio);
    while (output->begin < output->end) {
        ssize_t sent = tm_output_send(output, output->bytes + output->begin, output->end - output->begin);
        if (sent <= 0) return (int)sent;
        output->begin += (size_t)sent;
    }
    free(output->bytes);
    output->bytes = NULL;
    output->begin = output->end = output->capacity = 0;
    return 1;
}
static inline int tm_output_write(BIO *bio, const char *bytes, size_t count, size_t *written) {
    tm_output *output = (tm_output *)BIO_get_data(bio);
    int state = tm_output_flush(bio);
    ssize_t sent = state == 1 ? tm_output_send(output, bytes, count) : state;
    if (sent < 0) return 0;
    size_t rest = count - (size_t)sent;
    if (output->end + rest > output->capacity) {
        size_t waiting = output->end - output->begin, capacity = waiting + rest + 4096;
        unsigned char *grown = (unsigned char *)malloc(capacity);
        if (!grown) return 0;
        if (waiting) memcpy(grown, output->bytes + output->begin, waiting);
        free(output->bytes);
        *output = (tm_output){output->descriptor, grown, 0, waiting, capacity};
    }
    if (rest) memcpy(output->bytes + output->end, bytes + sent, rest);
    output->end += rest;
    *written = count;
    return 1;
}
static inline long tm_output_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}
static inline int tm_output_free(BIO *bio) {
    tm_output *output = (tm_output *)BIO_get_data(bio);
    if (output) free(output->bytes);
    free(output);
    return 1;
}
// To be made once.
static inline BIO_METHOD *tm_output_method(void) {
    BIO_METHOD *method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "socket and memory");
    if (!method) return NULL;
    BIO_meth_set_write_ex(method, tm_output_write);
    BIO_meth_set_ctrl(method, tm_output_control);
    BIO_meth_set_destroy(method, tm_output_free);
    return method;
}
// Reading from the socket, writing as above. 0 when there is no memory.
static inline int tm_SSL_set_socket(SSL *ssl, int descriptor, BIO_METHOD *method) {
    BIO *input = BIO_new_socket(descriptor, BIO_NOCLOSE), *output = method ? BIO_new(method) : NULL;
    tm_output *state = (tm_output *)calloc(1, sizeof(tm_output));
    if (!input || !output || !state) {
        BIO_free(input);
        BIO_free(output);
        free(state);
        return 0;
    }
    state->descriptor = descriptor;
    BIO_set_data(output, state);
    BIO_set_init(output, 1);
    SSL_set_bio(ssl, input, output);
    return 1;
}
static inline void tm_SSL_CTX_set_read_ahead(SSL_CTX *context) { SSL_CTX_set_read_ahead(context, 1); }
// Security: parameter lists keep pointers to their names, which Swift would pass as temporary copies.
static inline int tm_HMAC_SHA256_init(EVP_MAC_CTX *context, const unsigned char *key, size_t key_bytes) {
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)"SHA256", 0), OSSL_PARAM_construct_end()};
    // libcrypto takes a null key for "keep the former one", so an empty one still needs an address.
    return EVP_MAC_init(context, key ? key : (const unsigned char *)"", key_bytes, parameters);
}
// Keys of the curve P-256 (FIPS 186-5). A public key of 65 bytes: NULL when the point is not on the curve.
static inline EVP_PKEY *tm_P256_public_key(const unsigned char *point, size_t point_bytes) {
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)"P-256", 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_bytes),
        OSSL_PARAM_construct_end()};
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "EC", NULL);
    EVP_PKEY *key = NULL;
    if (context && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    EVP_PKEY_CTX_free(context);
    return key;
}
static inline EVP_PKEY *tm_P256_new_key(void) { return EVP_EC_gen("P-256"); }
// Signatures: from DER to r and s of 32 bytes each (RFC 7518 section 3.4), and back, into at least 72 bytes. 0 on failure;
// the second gives the bytes of the DER.
static inline int tm_P256_raw_signature(const unsigned char *der, size_t der_bytes, unsigned char *raw) {
    ECDSA_SIG *signature = d2i_ECDSA_SIG(NULL, &der, (long)der_bytes);
    int done = signature && BN_bn2binpad(ECDSA_SIG_get0_r(signature), raw, 32) == 32 &&
               BN_bn2binpad(ECDSA_SIG_get0_s(signature), raw + 32, 32) == 32;
    ECDSA_SIG_free(signature);
    return done;
}
static inline int tm_P256_der_signature(const unsigned char *raw, unsigned char *der) {
    ECDSA_SIG *signature = ECDSA_SIG_new();
    BIGNUM *r = BN_bin2bn(raw, 32, NULL), *s = BN_bin2bn(raw + 32, 32, NULL);
    int count = 0;
    if (signature && r && s && ECDSA_SIG_set0(signature, r, s) == 1) {
        count = i2d_ECDSA_SIG(signature, &der);
    } else {
        BN_free(r);
        BN_free(s);
    }
    ECDSA_SIG_free(signature);
    return count > 0 ? count : 0;
}
// A public key of RSA; NULL when it is none.
static inline EVP_PKEY *tm_RSA_public_key(
    const unsigned char *modulus, size_t modulus_bytes, const unsigned char *exponent, size_t exponent_bytes) {
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_bytes, NULL), *e = BN_bin2bn(exponent, (int)exponent_bytes, NULL);
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    OSSL_PARAM *parameters = NULL;
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    EVP_PKEY *key = NULL;
    if (n && e && builder && context && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1 &&
        (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1)
        EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters);
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    BN_free(n);
    BN_free(e);
    return key;
}
static inline int tm_HKDF_SHA256(
    EVP_KDF_CTX *context, const void *key, size_t key_bytes, const void *salt, size_t salt_bytes, const void *info,
    size_t info_bytes, unsigned char *output, size_t output_bytes) {
    OSSL_PARAM parameters[5];
    size_t count = 0;
    parameters[count++] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, (char *)"SHA256", 0);
    parameters[count++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_KEY, (void *)key, key_bytes);
    // An absent salt or info means the same as an empty one.
    if (salt_bytes)
        parameters[count++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_SALT, (void *)salt, salt_bytes);
    if (info_bytes)
        parameters[count++] = OSSL_PARAM_construct_octet_string(OSSL_KDF_PARAM_INFO, (void *)info, info_bytes);
    parameters[count] = OSSL_PARAM_construct_end();
    return EVP_KDF_derive(context, output, output_bytes, parameters);
}
