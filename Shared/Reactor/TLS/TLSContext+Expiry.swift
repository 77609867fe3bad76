import COpenSSL
import Glibc
public import Primitives

extension TLSContext {
    /// When the own certificate ends; `nil` without one.
    public var certificateEnd: Timestamp? {
        withHandle { context in
            guard let certificate = SSL_CTX_get0_certificate(context), let end = X509_get0_notAfter(certificate) else {
                return nil
            }
            var time = tm()
            guard ASN1_TIME_to_tm(end, &time) == 1 else { return nil }
            return Timestamp(milliseconds: Int64(timegm(&time)) * 1000)
        }
    }
}
