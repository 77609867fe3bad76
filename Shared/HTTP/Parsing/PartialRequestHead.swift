/// What is known of a head while its lines arrive; the fields that decide about framing are understood at once.
struct PartialRequestHead: Sendable {
    private(set) var fields: [FieldLine] = []
    private var method = HTTPMethod.get
    private var minorVersion: UInt8 = 1
    private var path = 0..<0
    private var query: Range<Int>?
    private var authority: Range<Int>?
    private var pathHasEscapes = false
    private var hasHost = false
    private var hasAuthorization = false
    private var hasContentType = false
    private var hasTransferEncoding = false
    private var contentLength: Int?
    private var closes = false
    private var keepsAlive = false
    private var expectsContinue = false

    /// `method SP request-target SP HTTP-version` (RFC 9112 §3), with single spaces.
    mutating func readRequestLine(_ octets: UnsafeRawBufferPointer, _ start: Int, _ end: Int) throws(HTTPParseError) {
        guard let targetStart = Octets.index(of: Octets.space, in: octets, from: start, to: end).map({ $0 + 1 }),
            let targetEnd = Octets.index(of: Octets.space, in: octets, from: targetStart, to: end),
            targetStart - 1 > start, targetEnd > targetStart
        else { throw HTTPParseError(.badRequest, "the request line must be a method, a target and a version") }
        for index in start..<targetStart - 1 where !Octets.isToken(octets[index]) {
            throw HTTPParseError(.badRequest, "the method is not a token")
        }
        try readVersion(Octets.slice(octets, targetEnd + 1, end))
        let known = HTTPMethod(token: Octets.slice(octets, start, targetStart - 1))
        try readTarget(octets, targetStart, targetEnd, isOptions: known == .options)
        guard let known else { throw HTTPParseError(.notImplemented, "the method is not supported") }
        method = known
    }

    private mutating func readVersion(_ octets: UnsafeRawBufferPointer) throws(HTTPParseError) {
        guard octets.count == 8, Octets.equal(Octets.slice(octets, 0, 5), "HTTP/"), Octets.isDigit(octets[5]),
            octets[6] == UInt8(ascii: "."), Octets.isDigit(octets[7])
        else { throw HTTPParseError(.badRequest, "the HTTP version is malformed") }
        guard octets[5] == UInt8(ascii: "1") else {
            throw HTTPParseError(.versionNotSupported, "only HTTP/1.1 is spoken here")
        }
        minorVersion = octets[7] == UInt8(ascii: "0") ? 0 : 1
    }

    /// Origin form, absolute form, and `*` with OPTIONS (RFC 9112 §3.2).
    private mutating func readTarget(
        _ octets: UnsafeRawBufferPointer, _ start: Int, _ end: Int, isOptions: Bool
    ) throws(HTTPParseError) {
        var pathStart = start
        if octets[start] != UInt8(ascii: "/") {
            if isOptions, end - start == 1, octets[start] == UInt8(ascii: "*") {
                path = start..<end
                return
            }
            let schemeCount =
                end - start > 7 && Octets.equalIgnoringCase(Octets.slice(octets, start, start + 7), "http://")
                ? 7
                : end - start > 8 && Octets.equalIgnoringCase(Octets.slice(octets, start, start + 8), "https://")
                    ? 8 : 0
            guard schemeCount > 0 else {
                throw HTTPParseError(.badRequest, "the request target must be a path or an http URL")
            }
            let authorityStart = start + schemeCount
            pathStart = authorityStart
            while pathStart < end, octets[pathStart] != UInt8(ascii: "/"), octets[pathStart] != UInt8(ascii: "?") {
                pathStart += 1
            }
            try checkAuthority(octets, authorityStart, pathStart)
            authority = authorityStart..<pathStart
            guard pathStart < end, octets[pathStart] == UInt8(ascii: "/") else {
                throw HTTPParseError(.badRequest, "the request target has no path")
            }
        }
        var pathEnd = end
        for index in pathStart..<end {
            let octet = octets[index]
            guard Octets.isTarget(octet) else {
                throw HTTPParseError(.badRequest, "the request target holds a character that must be percent-encoded")
            }
            if octet == UInt8(ascii: "?"), pathEnd == end { pathEnd = index }
            if octet == UInt8(ascii: "%") {
                guard index + 2 < end, Octets.hexadecimal(octets[index + 1]) != nil,
                    Octets.hexadecimal(octets[index + 2]) != nil
                else { throw HTTPParseError(.badRequest, "the request target holds a broken percent-encoding") }
                if pathEnd == end { pathHasEscapes = true }
            }
        }
        path = pathStart..<pathEnd
        if pathEnd < end { query = pathEnd + 1..<end }
    }

    private func checkAuthority(_ octets: UnsafeRawBufferPointer, _ start: Int, _ end: Int) throws(HTTPParseError) {
        guard start < end else { throw HTTPParseError(.badRequest, "the host is empty") }
        for index in start..<end where !Octets.isAuthority(octets[index]) {
            throw HTTPParseError(.badRequest, "the host is malformed")
        }
    }

    /// Takes a field line in; what it means for framing is decided here, everything else is looked up later.
    mutating func readField(_ line: FieldLine, in octets: UnsafeRawBufferPointer) throws(HTTPParseError) {
        if fields.isEmpty { fields.reserveCapacity(12) }
        fields.append(line)
        let name = line.name(in: octets)
        switch name.count {
        case 4 where Octets.equalIgnoringCase(name, "host"):
            guard !hasHost else { throw HTTPParseError(.badRequest, "there is more than one Host field") }
            hasHost = true
            let start = Int(line.valueStart)
            try checkAuthority(octets, start, start + Int(line.valueCount))
        case 6 where Octets.equalIgnoringCase(name, "expect"):
            guard Octets.equalIgnoringCase(line.value(in: octets), "100-continue") else {
                throw HTTPParseError(.expectationFailed, "only the expectation 100-continue is known")
            }
            expectsContinue = true
        case 10 where Octets.equalIgnoringCase(name, "connection"):
            Octets.forEachListElement(line.value(in: octets)) { option in
                if Octets.equalIgnoringCase(option, "close") { closes = true }
                if Octets.equalIgnoringCase(option, "keep-alive") { keepsAlive = true }
            }
        case 12 where Octets.equalIgnoringCase(name, "content-type"):
            guard !hasContentType else {
                throw HTTPParseError(.badRequest, "there is more than one Content-Type field")
            }
            hasContentType = true
        case 13 where Octets.equalIgnoringCase(name, "authorization"):
            guard !hasAuthorization else {
                throw HTTPParseError(.badRequest, "there is more than one Authorization field")
            }
            hasAuthorization = true
        case 14 where Octets.equalIgnoringCase(name, "content-length"):
            guard contentLength == nil else {
                throw HTTPParseError(.badRequest, "there is more than one Content-Length field")
            }
            guard let count = Octets.decimal(line.value(in: octets)) else {
                throw HTTPParseError(.badRequest, "Content-Length is not a number")
            }
            contentLength = count
        case 17 where Octets.equalIgnoringCase(name, "transfer-encoding"):
            guard !hasTransferEncoding else {
                throw HTTPParseError(.badRequest, "there is more than one Transfer-Encoding field")
            }
            hasTransferEncoding = true
            guard Octets.equalIgnoringCase(line.value(in: octets), "chunked") else {
                throw HTTPParseError(.notImplemented, "only the transfer encoding chunked is known")
            }
        default: break
        }
    }

    /// The whole head, once its empty line was read; `octets` begin with it.
    func finish(_ octets: UnsafeRawBufferPointer, byteCount: Int) throws(HTTPParseError) -> HTTPRequestHead {
        if minorVersion > 0, !hasHost { throw HTTPParseError(.badRequest, "the Host field is missing") }
        if hasTransferEncoding {
            // RFC 9112 §6.1: both at once, or chunked in HTTP/1.0, is an attempt to smuggle or a broken proxy.
            if contentLength != nil {
                throw HTTPParseError(.badRequest, "Content-Length and Transfer-Encoding must not be sent together")
            }
            if minorVersion == 0 { throw HTTPParseError(.badRequest, "HTTP/1.0 knows no Transfer-Encoding") }
        }
        return HTTPRequestHead(
            octets: [UInt8](UnsafeRawBufferPointer(rebasing: octets[0..<byteCount])), fields: fields, method: method,
            minorVersion: minorVersion, pathRange: path, queryRange: query, authorityRange: authority,
            pathHasEscapes: pathHasEscapes, contentLength: contentLength, isChunked: hasTransferEncoding,
            keepsAlive: closes ? false : minorVersion > 0 || keepsAlive,
            expectsContinue: expectsContinue && minorVersion > 0)
    }
}
