import Glibc

/// The fields that every response carries, as bytes, on one loop; the date is made once a second (RFC 9110 §6.6.1).
struct ResponseDefaults {
    /// Date line, with its line end.
    private var date: [UInt8] = []
    private var dateSeconds = -1
    private let fixed: [UInt8]
    private let replaceable: [(name: String, line: [UInt8])]
    /// All of `replaceable`, for the usual response that sets none of them.
    private let allReplaceable: [UInt8]

    init(isHTTPSOnly: Bool) {
        var fixed: [UInt8] = []
        fixed.append("X-Content-Type-Options: nosniff\r\n")
        if isHTTPSOnly { fixed.append("Strict-Transport-Security: max-age=31536000\r\n") }
        self.fixed = fixed
        replaceable = [
            ("Cache-Control", "no-store"), ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
            ("Referrer-Policy", "no-referrer"),
        ].map { name, value in
            var line: [UInt8] = []
            line.append(fieldName: name, value: value)
            return (name, line)
        }
        allReplaceable = replaceable.flatMap(\.line)
    }

    mutating func append(to output: inout [UInt8], replacedBy fields: HTTPFields) {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME_COARSE, &time)
        if time.tv_sec != dateSeconds {
            dateSeconds = time.tv_sec
            date = []
            date.append("Date: \(HTTPDate.format(secondsSinceEpoch: dateSeconds))\r\n")
        }
        output.append(contentsOf: date)
        output.append(contentsOf: fixed)
        guard !fields.isEmpty else { return output.append(contentsOf: allReplaceable) }
        for (name, line) in replaceable where !fields.contains(name) { output.append(contentsOf: line) }
    }
}
