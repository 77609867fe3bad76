// The standard library normalises texts to compare them, and shows that to the toolchain's own libraries only. The
// alternatives are tables of our own, which would lag behind it, or a library for one function.
@_spi(_Unicode) import Swift

/// Passwords in one form, whatever keyboard they were typed on: the profile OpaqueString of RFC 8265 section 4.2. "é" as one
/// character and as two are the same password.
enum OpaqueString {
    /// The text with spaces of any kind as U+0020, in normalisation form C.
    static func prepared(_ text: String) -> String {
        var spaced = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            spaced.append(scalar.properties.generalCategory == .spaceSeparator ? " " : scalar)
        }
        var normalized = String.UnicodeScalarView()
        for scalar in String(spaced)._nfc { normalized.append(scalar) }
        return String(normalized)
    }

    /// Whether everybody writes the text in the same way: no control characters, and none that Unicode has not assigned,
    /// whose form may still change.
    static func isAllowed(_ text: String) -> Bool {
        !text.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .unassigned, .surrogate, .privateUse: true
            default: false
            }
        }
    }
}
