import COpenSSL

/// Who the verified certificate of the other side says it is.
public struct PeerIdentity: Sendable, Hashable {
    /// The DNS names of the subject alternative name, in order, then the common name if it is another one.
    public let names: [String]

    public init(names: [String]) {
        self.names = names
    }

    init(certificate: OpaquePointer) {
        var names: [String] = []
        var text = [CChar](repeating: 0, count: 256)
        func name(_ length: Int32) -> String {
            String(decoding: text.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        for index in 0..<Int32(64) {
            let length = tm_certificate_dns_name(certificate, index, &text, Int32(text.count))
            guard length >= 0 else { break }
            if length > 0 { names.append(name(length)) }
        }
        let length = tm_certificate_common_name(certificate, &text, Int32(text.count))
        if length > 0, !names.contains(name(length)) { names.append(name(length)) }
        self.names = names
    }
}
