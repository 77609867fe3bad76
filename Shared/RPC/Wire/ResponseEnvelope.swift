import JSON

/// One line from a server, as its client sees it.
enum ResponseEnvelope {
    case result(id: Int64, ParsedFrame.Value)
    case error(id: Int64, RPCError)
    /// An error that belongs to no request: the server could not read what it was sent.
    case connectionError(RPCError)
    /// The server is about to close: finish here, call elsewhere.
    case goodbye
    /// A notification of a later version.
    case unknownNotification

    /// Not an answer of a JSON-RPC 2.0 server.
    struct Malformed: Error {}

    init(_ frame: ParsedFrame) throws(Malformed) {
        guard frame.scanner.isObject else { throw Malformed() }
        let id = frame.scanner.member("id")
        let number = id.flatMap { RequestID.integer(frame.text($0)) }
        let result = frame.scanner.member("result")
        let error = frame.scanner.member("error")
        if let method = frame.scanner.member("method") {
            self = frame.string(method) == ProtocolMethod.goodbye ? .goodbye : .unknownNotification
        } else if let result, error == nil, let number {
            self = .result(id: number, result)
        } else if let error, result == nil, id != nil, let decoded = RPCError(error, in: frame) {
            self = number.map { .error(id: $0, decoded) } ?? .connectionError(decoded)
        } else {
            throw Malformed()
        }
    }

    /// Appends an answer without a line feed. A result that makes it longer than `bytesMax` becomes an error.
    static func write(id: RequestID, _ answer: Result<[UInt8], RPCError>, bytesMax: Int, to output: inout [UInt8]) {
        output.appendText("{\"jsonrpc\":\"2.0\",\"id\":")
        id.write(to: &output)
        switch answer {
        case .success(let result) where result.count + overheadBytesMax <= bytesMax:
            output.appendText(",\"result\":")
            output.append(contentsOf: result)
        case .success:
            output.appendText(",\"error\":")
            RPCError(.internal, "The answer is larger than \(bytesMax) bytes.").write(to: &output)
        case .failure(let error):
            output.appendText(",\"error\":")
            error.write(to: &output)
        }
        output.append(UInt8(ascii: "}"))
    }

    /// What an answer has beside its result, with the integer identifiers of this project's clients.
    static let overheadBytesMax = 64
}
