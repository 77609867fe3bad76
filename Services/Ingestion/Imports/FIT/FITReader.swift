/// Receives the messages of a FIT file, in order.
protocol FITHandler: AnyObject {
    func read(_ message: FITMessage)
    /// One file ends; another may follow it.
    func endedFile()
    /// Something is broken; reading goes on where it can.
    func met(_ fault: FITFault, at byte: Int)
}

/// What is broken in a FIT file.
enum FITFault: String {
    case header
    case checksum
    case undefined
    case truncated

    var explanation: String {
        switch self {
        case .header: "What follows a FIT file is not another one."
        case .checksum: "The file's checksum is another one: it was damaged."
        case .undefined: "A message is of a type that was not defined: the rest of this file cannot be read."
        case .truncated: "The file ends in the middle."
        }
    }
}

/// A streaming reader of FIT files (Garmin's Flexible and Interoperable Data Transfer, protocol 2), several in a row if so: bytes
/// in, messages out. At most one message is kept. For one task at a time.
final class FITReader {
    private enum State {
        case header
        /// Bytes of messages that follow; `nil`: the header does not say, as recorders write that were switched off.
        case messages(left: Int?)
        case checksum
        /// What follows cannot be read; it ends after so many bytes.
        case skipping(left: Int)
        case over
    }

    private unowned let handler: any FITHandler
    private var state = State.header
    private let unread = UnreadBytes()
    private var definitions = [FITDefinition?](repeating: nil, count: 16)
    private var time: UInt32?
    private var crc: UInt16 = 0
    private var hasFile = false

    /// Calls `handler`, which must outlive the reader.
    init(handler: any FITHandler) {
        self.handler = handler
    }

    func read(_ chunk: UnsafeRawBufferPointer) {
        unread.read(chunk) { readNext($0, at: $1) }
    }

    /// Whether the end of a file was met as it should be.
    func finish() {
        switch state {
        case .header where unread.isEmpty && hasFile: break
        case .header where hasFile: handler.met(.header, at: unread.offset)
        case .over: break
        default:
            handler.met(.truncated, at: unread.end)
            if hasFile { handler.endedFile() }
        }
        state = .over
        unread.removeAll()
    }

    /// Reads one header, message or checksum. Returns its length; `nil` when more has to come first.
    private func readNext(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
        switch state {
        case .header: return readHeader(bytes, at: place)
        case .messages(let left):
            // A definition is looked at before it is known to be complete: what belongs to the next file is none of it.
            let own = left.map { UnsafeBufferPointer(rebasing: bytes.prefix($0)) } ?? bytes
            guard let count = readMessage(own, at: place) else {
                guard let left, left <= bytes.count else { return nil }
                handler.met(.truncated, at: place)
                self.count(own)
                state = .checksum
                return left
            }
            // The state is another one when the message could not be read.
            if case .messages = state {
                self.count(UnsafeBufferPointer(rebasing: own.prefix(count)))
                state = left.map { $0 == count ? .checksum : .messages(left: $0 - count) } ?? .messages(left: nil)
            }
            return count
        case .checksum:
            guard bytes.count >= 2 else { return nil }
            if crc != UInt16(bytes[0]) | UInt16(bytes[1]) << 8 { handler.met(.checksum, at: place) }
            endFile()
            return 2
        case .skipping(let left):
            let count = min(left, bytes.count)
            state = .skipping(left: left - count)
            if count == left { endFile() }
            return count
        case .over: return bytes.count
        }
    }

    private func endFile() {
        state = .header
        handler.endedFile()
    }

    private func readHeader(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
        // One byte more than a header shows whether messages follow one that says there are none.
        guard bytes.count >= 12 else { return nil }
        let size = Int(bytes[0])
        guard size == 12 || size == 14, bytes[8..<12].elementsEqual(".FIT".utf8) else {
            handler.met(.header, at: place)
            state = .over
            return bytes.count
        }
        guard bytes.count >= size else { return nil }
        var length = 0
        for index in (4..<8).reversed() { length = length << 8 | Int(bytes[index]) }
        if length == 0 {
            guard bytes.count >= size + 3 else { return nil }
            let isDefinition = bytes[size] & 0xC0 == 0x40 && bytes[size + 1] == 0 && bytes[size + 2] <= 1
            state = isDefinition ? .messages(left: nil) : .checksum
        } else {
            state = .messages(left: length)
        }
        hasFile = true
        definitions = Array(repeating: nil, count: 16)
        time = nil
        crc = 0
        count(UnsafeBufferPointer(rebasing: bytes.prefix(size)))
        return size
    }

    private func readMessage(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Int? {
        guard let header = bytes.first else { return nil }
        if header & 0x80 == 0, header & 0x40 != 0 { return readDefinition(bytes, header) }
        let isCompressed = header & 0x80 != 0
        let local = Int(isCompressed ? header >> 5 & 3 : header & 15)
        guard let definition = definitions[local] else {
            handler.met(.undefined, at: place)
            guard case .messages(let left?) = state else {
                state = .over
                handler.endedFile()
                return bytes.count
            }
            // The checksum says nothing new.
            state = .skipping(left: left + 2)
            return 0
        }
        guard bytes.count > definition.size else { return nil }
        var message = FITMessage(
            definition: definition, bytes: UnsafeBufferPointer(rebasing: bytes[1..<1 + definition.size]), time: nil,
            place: place)
        if isCompressed {
            // The lowest five bits of the time; they begin anew every 32 s.
            if let last = time { time = last &+ (UInt32(header) &- last) & 31 }
        } else if let given = message.time(253) {
            time = given
        } else if definition.field(253) != nil {
            handler.read(message)
            return 1 + definition.size
        }
        message.time = time
        handler.read(message)
        return 1 + definition.size
    }

    private func readDefinition(_ bytes: UnsafeBufferPointer<UInt8>, _ header: UInt8) -> Int? {
        guard bytes.count >= 6 else { return nil }
        let isBigEndian = bytes[2] == 1
        let global =
            isBigEndian ? UInt16(bytes[3]) << 8 | UInt16(bytes[4]) : UInt16(bytes[4]) << 8 | UInt16(bytes[3])
        let count = Int(bytes[5])
        var end = 6 + 3 * count
        guard bytes.count >= end else { return nil }
        var fields: [FITDefinition.Field] = []
        var size = 0
        for index in 0..<count {
            let start = 6 + 3 * index
            fields.append(
                .init(number: bytes[start], offset: size, size: Int(bytes[start + 1]), base: bytes[start + 2]))
            size += Int(bytes[start + 1])
        }
        if header & 0x20 != 0 {
            // Fields of developers, which are passed over.
            guard bytes.count > end else { return nil }
            let developers = Int(bytes[end])
            guard bytes.count >= end + 1 + 3 * developers else { return nil }
            for index in 0..<developers { size += Int(bytes[end + 1 + 3 * index + 1]) }
            end += 1 + 3 * developers
        }
        definitions[Int(header & 15)] = FITDefinition(
            global: global, isBigEndian: isBigEndian, fields: fields, size: size)
        return end
    }

    /// CRC-16/ARC of all bytes of a file before it.
    private func count(_ bytes: UnsafeBufferPointer<UInt8>) {
        var crc = crc
        for byte in bytes { crc = crc >> 8 ^ Self.table[Int((crc ^ UInt16(byte)) & 0xFF)] }
        self.crc = crc
    }

    private static let table: [UInt16] = (0..<256).map { index in
        (0..<8).reduce(UInt16(index)) { crc, _ in crc & 1 != 0 ? crc >> 1 ^ 0xA001 : crc >> 1 }
    }
}
