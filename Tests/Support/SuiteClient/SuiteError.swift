public import HTTP

/// Why something did not go as it must; the description is one sentence for whoever runs the suite.
public enum SuiteError: Error, Sendable, CustomStringConvertible {
    /// The service answered with a problem (RFC 9457).
    case refused(call: String, status: HTTPStatus, code: String, detail: String)
    /// There is no answer.
    case unreachable(call: String, reason: String)
    /// What was found is not what was expected.
    case unexpected(String)
    /// A file or setting of this machine.
    case local(String)

    public var description: String {
        switch self {
        case .refused(let call, let status, let code, let detail):
            "\(call) was answered with \(status.rawValue) \(code)\(detail.isEmpty ? "" : ": \(detail)")"
        case .unreachable(let call, let reason): "\(call) has no answer: \(reason)"
        case .unexpected(let sentence), .local(let sentence): sentence
        }
    }

    /// A moment later it may well be different.
    public var isPassing: Bool {
        guard case .refused(_, let status, _, _) = self else { return false }
        return status == .tooManyRequests || status == .serviceUnavailable
    }

    /// The problem's code, when the service refused.
    public var code: String? {
        if case .refused(_, _, let code, _) = self { code } else { nil }
    }
}

/// Throws `unexpected` with the sentence unless the condition holds.
public func expect(_ condition: Bool, _ sentence: @autoclosure () -> String) throws(SuiteError) {
    guard condition else { throw .unexpected(sentence()) }
}

/// The value, or `unexpected` with the sentence when there is none.
public func unwrap<T>(_ value: T?, _ sentence: @autoclosure () -> String) throws(SuiteError) -> T {
    guard let value else { throw .unexpected(sentence()) }
    return value
}
