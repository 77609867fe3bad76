/// The attributes of an element, valid during the call that gives them.
struct XMLAttributes {
    /// Where an attribute stands in its tag: the bytes from `name` to `nameEnd`, and from `value` to `valueEnd`.
    struct Span {
        let name: Int
        let nameEnd: Int
        let value: Int
        let valueEnd: Int
    }

    let tag: UnsafeBufferPointer<UInt8>
    let spans: [Span]

    /// Names and values in the order of the tag. Values are as they are written: `XMLText.decoded` resolves references, which
    /// numbers, times and codes do not have.
    func forEach(_ body: (XMLName, UnsafeBufferPointer<UInt8>) -> Void) {
        for span in spans {
            body(
                XMLName(UnsafeBufferPointer(rebasing: tag[span.name..<span.nameEnd])),
                UnsafeBufferPointer(rebasing: tag[span.value..<span.valueEnd]))
        }
    }

    /// The bytes of the first attribute with that local name, as they are written.
    subscript(name: StaticString) -> UnsafeBufferPointer<UInt8>? {
        for span in spans
        where XMLName(UnsafeBufferPointer(rebasing: tag[span.name..<span.nameEnd])).matches(name) {
            return UnsafeBufferPointer(rebasing: tag[span.value..<span.valueEnd])
        }
        return nil
    }
}
