/// How members are named in Swift and in JSON: `accessUntil` is `access_until`, `accountID` is `account_id`, `accountIDs` is
/// `account_ids` and `baseURL` is `base_url`. A coding key is written by hand only where the name differs otherwise; one that
/// has no capital letter stands for itself. The keys of a dictionary are data and stay as they are.
enum MemberName {
    /// Whether the names of this key are translated. The cases of an enumeration are names that the program chose, and take a
    /// byte or two; a key that holds its name, as a dictionary's does, takes a string.
    @inline(__always) static func isTranslated<Key: CodingKey>(_: Key.Type) -> Bool {
        MemoryLayout<Key>.size < MemoryLayout<String>.size
    }

    /// The name in JSON.
    static func json<Key: CodingKey>(_ key: Key) -> String {
        var name = key.stringValue
        guard isTranslated(Key.self) else { return name }
        return name.withUTF8 { hasCapital($0) ? translated($0) { String(decoding: $0, as: UTF8.self) } : nil } ?? name
    }

    /// A name that may stand for `json` in Swift: `access_until` is `accessUntil`.
    static func swift(_ json: String) -> String {
        var name = ""
        for (index, word) in json.split(separator: "_").enumerated() {
            name += index == 0 ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }
        return name
    }

    @inline(__always) static func hasCapital(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        for byte in name where isCapital(byte) { return true }
        return false
    }

    /// Calls `body` with the bytes of the name in JSON.
    @inline(__always) static func translated<Result>(
        _ name: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: name.count * 2) { output in
            var count = 0
            for index in name.indices {
                let byte = name[index]
                if isCapital(byte), index > 0, beginsWord(name, at: index) {
                    output[count] = UInt8(ascii: "_")
                    count += 1
                }
                output[count] = isCapital(byte) ? byte | 0x20 : byte
                count += 1
            }
            return body(UnsafeBufferPointer(rebasing: output[..<count]))
        }
    }

    /// A capital begins a word after a small letter or digit, and as the last of several capitals before a small letter, unless
    /// that is the `s` of a plural (`IDs`).
    private static func beginsWord(_ name: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
        guard isCapital(name[index - 1]) else { return true }
        guard index + 1 < name.count, !isCapital(name[index + 1]) else { return false }
        let isPlural =
            name[index + 1] == UInt8(ascii: "s") && (index + 2 == name.count || isCapital(name[index + 2]))
        return !isPlural
    }

    @inline(__always) private static func isCapital(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "A") < 26 }
}
