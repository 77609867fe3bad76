import Security

/// `trackme-NAME keys …`: commands for replacing the key of a service's personal fields.
public enum KeyCommand {
    static let name = "keys"
    static let summary = "status | rotate: the keys of personal fields; rotate seals all values with the current one"

    /// Runs the command in `arguments` on the columns `sealed`. Throws a sentence.
    public static func run(
        _ arguments: [String], _ sealed: [SealedDatabase], keys: ServiceKeys, say: @escaping @Sendable (String) -> Void
    ) async throws {
        let ring = keys.fields.ring
        switch arguments {
        case ["status"]:
            say("keys: \(ring.identifiers.joined(separator: ", ")); current: \(ring.currentIdentifier)")
            for count in try await KeyCount.counts(sealed) {
                say("\(count.location): \(count.values) with key \(count.key)")
            }
        case ["rotate"]:
            let outcome = try await KeyRotation(cipher: FieldCipher(keys.fields), say: say).run(sealed)
            guard outcome.unreadable == 0 else {
                throw KeyRotationError("\(outcome.unreadable) values cannot be opened with the keys of this ring.")
            }
            say("All values are sealed with key \(ring.currentIdentifier).")
        default: throw KeyRotationError("Say keys status, or keys rotate.")
        }
    }
}
