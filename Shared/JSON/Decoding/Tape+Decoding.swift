internal import Primitives

extension Tape {
    /// Decodes the value at `index`. Errors of a type's own `init(from:)` get their path here.
    func decode<Value: Decodable>(_ type: Value.Type, at index: Int) throws(JSONError) -> Value {
        // A string is an error for a number and so on; the containers ask for the plain types without coming here,
        // so what is left to speed up are arrays and identifiers.
        if let array = try plainArray(at: index, as: type) { return array }
        if type == UUID.self {
            guard let value = UUID(try string(at: index)) as? Value else { throw error("not a UUID", at: index) }
            return value
        }
        do {
            return try Value(from: TapeDecoder(tape: self, index: index))
        } catch {
            marks?.failed(index)
            throw described(error, type, at: index)
        }
    }

    private func described(_ error: any Error, _ type: any Decodable.Type, at index: Int) -> JSONError {
        switch error {
        case let error as JSONError: error
        case let error as DecodingError: allowedValues(of: type, at: index) ?? converted(error, at: index)
        default:
            self.error((error as? any CustomStringConvertible)?.description ?? "not a valid value", at: index)
        }
    }

    /// What a text that is none of an enumeration's values is told.
    private func allowedValues(of type: any Decodable.Type, at index: Int) -> JSONError? {
        guard tokens[index].kind == .string || tokens[index].kind == .escapedString,
            let cases = type as? any (CaseIterable & RawRepresentable<String>).Type
        else { return nil }
        return error("expected one of \(Self.names(of: cases))", at: index)
    }

    private static func names<Cases: CaseIterable & RawRepresentable<String>>(of _: Cases.Type) -> String {
        Cases.allCases.map(\.rawValue).joined(separator: ", ")
    }

    private func converted(_ error: DecodingError, at index: Int) -> JSONError {
        switch error {
        case .keyNotFound(let key, let context):
            return JSONError(
                kind: .missing, path: PathKey.text(of: context.codingPath + [key]), message: "is missing")
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            let path = context.codingPath.isEmpty ? path(to: index) : PathKey.text(of: context.codingPath)
            return JSONError(kind: .value, path: path, message: context.debugDescription)
        @unknown default:
            return self.error("not a valid value", at: index)
        }
    }
}
