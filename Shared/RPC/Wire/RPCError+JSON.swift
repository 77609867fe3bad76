import JSON

extension RPCError {
    /// The `error` member of a JSON-RPC response.
    private struct Wire: Codable {
        struct Data: Codable {
            let code: String
            let domain: String?
            let retryable: Bool
        }

        let code: Int
        let message: String
        let data: Data?
    }

    /// `nil` when it is not an error object. A code of a later version reads as `internal`, with its message.
    init?(_ value: ParsedFrame.Value, in frame: ParsedFrame) {
        guard let wire = try? frame.scanner.decode(Wire.self, from: value) else { return nil }
        self.init(
            Code(number: wire.code) ?? .internal, wire.message, domain: wire.data?.domain,
            isRetryable: wire.data?.retryable)
    }

    /// Appends the `error` member's value.
    func write(to output: inout [UInt8]) {
        let data = Wire.Data(code: code.rawValue, domain: domain, retryable: isRetryable)
        do {
            try JSONEncoder().encode(Wire(code: code.number, message: message, data: data), into: &output)
        } catch {
            // Strings, an integer and a truth value always encode.
            preconditionFailure("an error could not be encoded: \(error)")
        }
    }
}
