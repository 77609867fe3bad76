public import HTTP
import JSON
import Postgres
import RPC
import Reactor
import Security
public import Telemetry

/// An error of a layer above that has a meaning for clients.
public protocol ProblemConvertible: Error {
    var problem: Problem { get }
}

extension Problem {
    /// The answer for an internal error: a `Problem` itself or what becomes one, what a neighbour answered, or that the database
    /// cannot be used at the moment. Everything else is 500 and is logged, where its trace finds it.
    public init(_ error: any Error, log: Log) {
        switch error {
        case let problem as Problem: self = problem
        case let error as any ProblemConvertible: self = error.problem
        case let error as RPCError: self.init(error, log: log)
        case let error as PostgresError: self.init(error, log: log)
        case let error as TransactionError: self.init(error.underlying, log: log)
        case IOError.cancelled, IOError.timedOut: self = .temporarily("deadline-exceeded", "the request took too long")
        case IOError.limit: self = .temporarily("overloaded", "too much is being done at the moment")
        case is CancellationError: self = .temporarily("deadline-exceeded", "the request took too long")
        default:
            log.error("request failed", ["error": Log.text(of: error)])
            self = .internalError
        }
    }

    /// A neighbour's answer. Its message is safe to show.
    private init(_ error: RPCError, log: Log) {
        let code = Self.code(error.domain ?? error.code.rawValue)
        switch error.code {
        case .notFound: self.init(.notFound, code: code, detail: error.message)
        case .conflict: self.init(.conflict, code: code, detail: error.message)
        case .gone: self.init(.gone, code: code, detail: error.message)
        case .notAllowed where error.domain != nil: self.init(.forbidden, code: code, detail: error.message)
        case .invalidParams where error.domain != nil:
            self.init(.unprocessableContent, code: code, detail: error.message)
        case .overloaded: self = .temporarily("overloaded", "a service that this needs has too much to do")
        case .unavailable: self = .temporarily("neighbour-unavailable", "a service that this needs cannot be reached")
        case .deadline, .cancelled: self = .temporarily("deadline-exceeded", "the request took too long")
        case .notAllowed, .invalidParams, .parseError, .invalidRequest, .methodNotFound, .internal:
            log.error("a neighbour refused a call", ["error": .string(error.description)])
            self = .internalError
        }
    }

    /// The code for a neighbour's error domain: `accounts.no_such_account` becomes `accounts-no-such-account`.
    private static func code(_ name: String) -> String {
        let octets = name.lowercased().utf8.map { octet in
            switch octet {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): octet
            default: UInt8(ascii: "-")
            }
        }
        return String(decoding: octets, as: UTF8.self)
    }

    /// Violated constraints are the service's own business and unexpected here.
    private init(_ error: PostgresError, log: Log) {
        switch error {
        case .overloaded: self = .temporarily("overloaded", "too much is being done at the moment")
        case .timedOut, .cancelled: self = .temporarily("deadline-exceeded", "the request took too long")
        case .connection, .closed: self = .temporarily("database-unavailable", "the database cannot be reached")
        case .outcomeUnknown:
            self = .temporarily("outcome-unknown", "whether the change was made is not known: look before trying again")
        case .server(let server) where server.sqlState.isTemporary:
            self = .temporarily("database-unavailable", "the database cannot do this at the moment")
        case .server, .decoding, .usage:
            // Without the server's full message, which may hold values of rows.
            let constraint = error.constraint.map { JSONValue.string($0) } ?? .null
            log.error("database call failed", ["error": .string(error.logDescription), "constraint": constraint])
            self = .internalError
        }
    }

    private static func temporarily(_ code: String, _ detail: String) -> Problem {
        Problem(.serviceUnavailable, code: code, detail: detail, retryAfter: .seconds(1))
    }
}
