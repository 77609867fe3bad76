import HTTP

/// What is a URL says itself again, and nothing in it can break out of a request's head.
enum URLTarget {
    static func run(_ input: [UInt8]) -> Int32 {
        guard let url = HTTPURL(String(decoding: input, as: UTF8.self)) else { return 0 }
        precondition(HTTPURL(url.description) == url, "a URL changes on its way through text")
        precondition(url.target.hasPrefix("/"), "a target without a path")
        precondition((url.authority + url.target).utf8.allSatisfy { $0 > 32 && $0 < 127 }, "a URL that breaks a line")
        return 0
    }
}
