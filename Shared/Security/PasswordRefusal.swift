/// Why a password is too weak (ACC-02).
public struct PasswordRefusal: Error, Sendable, Equatable {
    /// For programs; the raw values are part of the public interface.
    public enum Reason: String, Sendable, CaseIterable {
        case tooShort = "too_short"
        case tooLong = "too_long"
        case tooCommon = "too_common"
        case personal
        case repetitive
        case sequential
        case characters
    }

    public let reason: Reason

    /// For people, in English.
    public var sentence: String {
        switch reason {
        case .tooShort: "The password needs at least \(PasswordPolicy.charactersMin) characters."
        case .tooLong: "The password is longer than \(PasswordPolicy.bytesMax) bytes."
        case .tooCommon: "This password is one of the most common ones and would be guessed first."
        case .personal: "The password contains your name, e-mail address or fiscal code."
        case .repetitive: "The password repeats the same few characters."
        case .characters: "The password has control characters, or some that are in no standard."
        case .sequential: "The password is mostly a row of neighbouring letters, digits or keys."
        }
    }
}
