import Reactor

/// The body of one request: read whole or while its handler runs, or dropped.
extension HTTPConnection {
    enum TakenBody {
        case bytes([UInt8])
        case source(HTTPBodySource)
        case refused(Problem)
        case gone
    }

    /// The body of a request that its route has admitted.
    func takeBody(
        _ request: HTTPRequest, _ route: HTTPRoute, _ admission: HTTPAdmission, _ input: inout ByteBuffer,
        _ output: inout [UInt8]
    ) async -> TakenBody {
        if !output.isEmpty {
            guard await flush(&output) else { return .gone }
        }
        let head = request.head
        do throws(Problem) {
            switch route.body {
            case .streaming(let bytesMax):
                let source = HTTPBodySource(
                    BodyReceiver(stream, timeouts, waitMax: nil), decoder: try decoder(of: head, bytesMax: bytesMax),
                    input: input, mustContinue: head.expectsContinue)
                input = ByteBuffer()
                return .source(source)
            case .buffered(let bytesMax):
                let decoder = try decoder(of: head, bytesMax: bytesMax ?? limits.bodyBytesMax)
                return .bytes(try await readBody(request, admission, decoder, &input))
            }
        } catch {
            releaseBody()
            return error.code == BodyReceiver.incomplete.code ? .gone : .refused(error)
        }
    }

    private func decoder(of head: HTTPRequestHead, bytesMax: Int) throws(Problem) -> BodyDecoder {
        do throws(HTTPParseError) {
            return try BodyDecoder(head, limits: limits, bytesMax: bytesMax)
        } catch { throw Problem(error) }
    }

    private func readBody(
        _ request: HTTPRequest, _ admission: HTTPAdmission, _ decoder: BodyDecoder, _ input: inout ByteBuffer
    ) async throws(Problem) -> [UInt8] {
        var (decoder, bytes) = (decoder, [UInt8]())
        var receiver = BodyReceiver(stream, timeouts, waitMax: timeouts.bufferedBodyMax)
        var mustContinue = request.head.expectsContinue
        while true {
            do throws(HTTPParseError) { try decoder.decode(&input, into: &bytes) } catch { throw Problem(error) }
            if decoder.isDone { return bytes }
            if mustContinue {
                mustContinue = false
                try await receiver.sendContinue()
            }
            try await receiver.read(into: &input, byteCount: decoder.byteCount)
            try reserveBody(decoder.byteCount + input.count, request, admission)
        }
    }

    /// Reads and drops a small body of known length that nobody wants, so that the connection can be used again. False
    /// when that would take long, or the client waits to be asked for it.
    func dropBody(_ head: HTTPRequestHead, _ input: inout ByteBuffer, _ output: inout [UInt8]) async -> Bool {
        guard let length = head.contentLength, length <= HTTPServerConfiguration.freeBodyBytes, !head.expectsContinue
        else { return false }
        var receiver = BodyReceiver(stream, timeouts, waitMax: timeouts.bufferedBodyMax)
        if input.count < length, !output.isEmpty {
            guard await flush(&output) else { return false }
        }
        while input.count < length {
            do throws(Problem) { try await receiver.read(into: &input, byteCount: input.count) } catch { return false }
        }
        input.consume(length)
        return true
    }

    /// Reserves the bytes of a body that are held beyond the free ones. Errors: `overloaded`, `tooMuchAtOnce`.
    private func reserveBody(
        _ bytes: Int, _ request: HTTPRequest, _ admission: HTTPAdmission
    ) throws(Problem) {
        let missing = bytes - HTTPServerConfiguration.freeBodyBytes - reservedBody.bytes
        guard missing > 0 else { return }
        if reservedBody.bytes == 0 {
            reservedBody.holders = admission.account.map { [.account($0)] } ?? []
            if let network = request.countedNetwork { reservedBody.holders.append(.network(network)) }
        }
        switch home.bodyMemory.reserve(missing, for: reservedBody.holders) {
        case .reserved: reservedBody.bytes += missing
        case .full: throw .overloaded
        case .shareTaken: throw .tooMuchAtOnce
        }
    }

    func releaseBody() {
        guard reservedBody.bytes > 0 else { return }
        home.bodyMemory.release(reservedBody.bytes, for: reservedBody.holders)
        reservedBody = ReservedBody()
    }
}
