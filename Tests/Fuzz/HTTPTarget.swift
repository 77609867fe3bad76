import HTTP

/// Request heads and chunked bodies: the result may not depend on how the bytes are split.
enum HTTPTarget {
    static func run(_ input: [UInt8]) -> Int32 {
        // The first byte says where the second part begins.
        let split = input.first.map { Int($0) } ?? 0
        let text = Array(input.dropFirst())
        precondition(head(text, splitAt: text.count) == head(text, splitAt: split), "the head depends on the split")
        return 0
    }

    private static func head(_ text: [UInt8], splitAt split: Int) -> String {
        var parser = HTTPRequestParser()
        do throws(HTTPParseError) {
            for end in [min(split, text.count), text.count] {
                let head = try text[..<end].withUnsafeBufferPointer { (bytes) throws(HTTPParseError) in
                    try parser.head(in: UnsafeRawBufferPointer(bytes))
                }
                if let head { return "\(head)" }
            }
            return "incomplete"
        } catch { return "\(error)" }
    }
}
