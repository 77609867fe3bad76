@testable import Passkeys

/// What authenticators write: no crash, within the limits, and what was read once is read again from the same bytes.
enum PasskeyTarget {
    static func run(_ input: [UInt8]) -> Int32 {
        if let value = try? CBORValue(input) {
            precondition((try? CBORValue(input)) == value, "the same bytes are another value")
            precondition((try? CBORValue(input + [0])) == nil, "what follows a value is passed over")
            if let signed = value["authData"]?.bytes { data(signed) }
            if let key = try? PasskeyPublicKey(value) {
                precondition(!key.isValid([], for: input), "nothing is a signature")
                _ = key.isValid(Array(input.prefix(256)), for: input)
            }
        }
        data(input)
        return 0
    }

    private static func data(_ bytes: [UInt8]) {
        guard let data = try? AuthenticatorData(bytes) else { return }
        precondition((try? AuthenticatorData(bytes + [0])) == nil, "what follows the data is passed over")
        guard let credential = data.credential else { return }
        precondition(
            (1...AuthenticatorData.credentialBytesMax).contains(credential.id.count), "an id beyond its limit")
        precondition((try? CBORValue(credential.publicKey)) != nil, "a key that is no value")
    }
}
