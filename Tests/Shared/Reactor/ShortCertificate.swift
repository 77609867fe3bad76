import COpenSSL
import Glibc

/// A certificate that vouches for itself and lasts a few seconds, in files.
struct ShortCertificate {
    let directory: String
    var certificateFile: String { "\(directory)/short.pem" }
    var keyFile: String { "\(directory)/short.key" }

    struct Failed: Error {}

    init(name: String, seconds: Int) throws {
        directory = "/tmp/trackme-short-\(getpid())-\(UInt32.random(in: .min ... .max))"
        guard mkdir(directory, 0o700) == 0 else { throw Failed() }
        guard let context = EVP_PKEY_CTX_new_from_name(nil, "ED25519", nil) else { throw Failed() }
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_generate(context, &key) == 1, let key,
            let certificate = X509_new()
        else { throw Failed() }
        defer {
            EVP_PKEY_free(key)
            X509_free(certificate)
        }
        let subject = X509_get_subject_name(certificate)
        guard ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1,
            X509_gmtime_adj(X509_getm_notBefore(certificate), -60) != nil,
            X509_gmtime_adj(X509_getm_notAfter(certificate), seconds) != nil,
            X509_NAME_add_entry_by_txt(subject, "CN", 0x1001 /* MBSTRING_ASC */, name, -1, -1, 0) == 1,
            X509_set_issuer_name(certificate, subject) == 1, X509_set_pubkey(certificate, key) == 1,
            X509_sign(certificate, key, nil) > 0
        else { throw Failed() }
        try Self.write(certificateFile) { PEM_write_bio_X509($0, certificate) }
        try Self.write(keyFile) { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }
    }

    private static func write(_ path: String, _ body: (OpaquePointer) -> Int32) throws {
        guard let file = BIO_new_file(path, "w") else { throw Failed() }
        defer { BIO_free(file) }
        guard body(file) == 1 else { throw Failed() }
    }

    func remove() {
        unlink(certificateFile)
        unlink(keyFile)
        rmdir(directory)
    }
}
