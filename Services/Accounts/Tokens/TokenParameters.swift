import HTTP
import Primitives

extension TokenRoutes {
    /// The form of a request for tokens, and who sends it (RFC 6749 sections 2.3 and 3.2).
    struct Parameters {
        private let form: QueryItems
        private let authorization: String?

        /// Throws a problem for a body that is no form, `TokenFailure` for one that cannot be read.
        init(_ request: HTTPRequest) throws {
            do throws(Problem) {
                form = try request.form()
            } catch {
                guard error.status == .badRequest else { throw error }
                throw TokenFailure.invalidRequest("the form cannot be read")
            }
            authorization = request.field("authorization")
        }

        func value(_ name: String) throws(TokenFailure) -> String? {
            do throws(RepeatedParameter) { return try form.single(name) } catch {
                throw .invalidRequest(error.description)
            }
        }

        func required(_ name: String) throws(TokenFailure) -> String {
            guard let value = try value(name) else { throw .invalidRequest("\(name) is missing") }
            return value
        }

        private func either(_ name: String, _ other: String) throws(TokenFailure) -> String? {
            if let value = try value(name) { return value }
            return try value(other)
        }

        /// By `Authorization: Basic` or in the form; devices say `device_id` and `device_secret`.
        func client() throws(TokenFailure) -> ClientProof {
            let id = try either("client_id", "device_id")
            let secret = try either("client_secret", "device_secret")
            guard let authorization else {
                guard let id else { throw .invalidClient }
                return ClientProof(id: id, secret: secret)
            }
            // Only one way to authenticate at once (RFC 6749 section 2.3).
            guard secret == nil else {
                throw .invalidRequest("send the secret in one way: Authorization or the form")
            }
            guard let basic = Self.basic(authorization), id == nil || id == basic.id else { throw .invalidClient }
            return basic
        }

        /// Our ids and secrets have no character that form encoding would change (RFC 6749 section 2.3.1).
        private static func basic(_ field: String) -> ClientProof? {
            guard field.utf8.count > 6, field.prefix(6).lowercased() == "basic ",
                let bytes = Base64.standard.decode(field.dropFirst(6)),
                let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
            else { return nil }
            return ClientProof(id: String(text[..<colon]), secret: String(text[text.index(after: colon)...]))
        }
    }
}
