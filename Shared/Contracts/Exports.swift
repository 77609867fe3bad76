public import Domain
public import Primitives
public import RPC

/// What a service has of an account, for its owner (ACC-13): files, in pieces that are compressed already. Every service has a
/// method of this form; accounts asks for page after page and puts the pieces into one archive.
public enum Exports {
    public struct Params: Codable, Sendable {
        public var accountID: UUID
        public var kind: AccountKind
        /// The `next` of the answer before.
        public var after: String?
        public init(accountID: UUID, kind: AccountKind, after: String? = nil) {
            self.accountID = accountID
            self.kind = kind
            self.after = after
        }
    }

    /// A piece of a file. The pieces of a file come one after the other, without those of another file in between.
    public struct Piece: Codable, Sendable {
        /// Lower-case words with hyphens and slashes, and an ending: `samples/heart-rate.csv`.
        public var path: String
        /// Base64 (RFC 4648, standard) of whole blocks of raw deflate (RFC 1951), none of which is the last one.
        public var deflated: String
        /// CRC-32 of the content.
        public var checksum: UInt32
        /// Bytes of the content.
        public var count: Int
        public init(path: String, deflated: String, checksum: UInt32, count: Int) {
            self.path = path
            self.deflated = deflated
            self.checksum = checksum
            self.count = count
        }
    }

    public struct Page: Codable, Sendable {
        public var pieces: [Piece]
        /// What to ask for next; `nil` after the last page.
        public var next: String?
        public init(pieces: [Piece], next: String?) {
            self.pieces = pieces
            self.next = next
        }
    }

    /// Compressed bytes of one page, about: a day of samples, or a row, is never split.
    public static let pageBytesMax = 1 << 20
}

/// The method of a service. Idempotent; for accounts alone. Errors: `not_found` never, of who is unknown there is nothing.
public protocol ExportMethod: RPCMethod where Params == Exports.Params, Result == Exports.Page {}

extension Ingestion {
    public enum Export: ExportMethod {
        public typealias Params = Exports.Params
        public typealias Result = Exports.Page
        public static let name = "ingestion.export"
        public static let isIdempotent = true
    }
}

extension Query {
    public enum Export: ExportMethod {
        public typealias Params = Exports.Params
        public typealias Result = Exports.Page
        public static let name = "query.export"
        public static let isIdempotent = true
    }
}

extension Dispatcher {
    public enum Export: ExportMethod {
        public typealias Params = Exports.Params
        public typealias Result = Exports.Page
        public static let name = "dispatcher.export"
        public static let isIdempotent = true
    }
}

extension Track4Run {
    public enum Export: ExportMethod {
        public typealias Params = Exports.Params
        public typealias Result = Exports.Page
        public static let name = "track4run.export"
        public static let isIdempotent = true
    }
}
