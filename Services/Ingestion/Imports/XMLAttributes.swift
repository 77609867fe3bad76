import Glibc

/// The attributes of an element, valid during the call that gives them.
struct XMLAttributes {
    /// Names and values alternately, ended by a null pointer.
    private let list: UnsafeMutablePointer<UnsafePointer<CChar>?>
    let count: Int

    init(_ list: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
        self.list = list
        var count = 0
        while list[2 * count] != nil { count += 1 }
        self.count = count
    }

    /// The bytes of the attribute with that local name.
    subscript(name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        for index in 0..<count {
            guard let attribute = list[2 * index], XMLName(attribute).matches(name), let value = list[2 * index + 1]
            else { continue }
            return UnsafeBufferPointer(
                start: UnsafeRawPointer(value).assumingMemoryBound(to: UInt8.self), count: strlen(value))
        }
        return nil
    }
}
