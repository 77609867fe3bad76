import JSON

/// Notifications of the protocol itself, under the prefix that JSON-RPC 2.0 keeps for extensions.
enum ProtocolMethod {
    /// From the server: it stops; what is in flight is still answered.
    static let goodbye = "rpc.goodbye"
    /// From the client: nobody waits for the answer to request `params.id` any more.
    static let cancel = "rpc.cancel"

    static func writeGoodbye(to output: inout [UInt8]) {
        output.appendText("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.goodbye\"}\n")
    }

    static func writeCancel(id: Int64, to output: inout [UInt8]) {
        output.appendText("{\"jsonrpc\":\"2.0\",\"method\":\"rpc.cancel\",\"params\":{\"id\":")
        JSONWriter.integer(id, into: &output)
        output.appendText("}}\n")
    }

    /// The request that a `rpc.cancel` names.
    static func cancelledID(_ request: RequestEnvelope, in frame: ParsedFrame) -> RequestID? {
        request.params.flatMap { frame.scanner.member("id", of: $0) }.flatMap { RequestID(json: frame.text($0)) }
    }
}
