public import Primitives

extension Ingestion {
    /// Where a reader of a person's samples goes on: it gets each sample once, however these are put into blocks meanwhile.
    /// What arrived long ago is read by local days, in passes through the blocks; what arrived since, in the order of
    /// arrival.
    public struct ReadCursor: Codable, Sendable, Hashable {
        /// A pass through the blocks for arrivals after `after`, up to `through`.
        public struct Pass: Codable, Sendable, Hashable {
            public var through: Int64
            /// The block that comes next: of this local day, and the first with this number of a data type or a greater
            /// one …
            public var day: CalendarDate
            public var type: UInt8
            /// … of which these were read already: the samples of sources before this one …
            public var source: Int16
            /// … and those of it that begin up to this time, in milliseconds since 1970. A place in the block that stays
            /// right when others of its samples are deleted.
            public var time: Int64
            public init(
                through: Int64, day: CalendarDate, type: UInt8 = 0, source: Int16 = 0, time: Int64 = .min
            ) {
                self.through = through
                self.day = day
                self.type = type
                self.source = source
                self.time = time
            }
        }

        /// Arrivals up to this one were read. From 0.
        public var after: Int64
        /// Within a pass.
        public var pass: Pass?

        public init(after: Int64, pass: Pass? = nil) {
            self.after = after
            self.pass = pass
        }

        public static let beginning = ReadCursor(after: 0)

        /// Whether no part of it is negative.
        public var isValid: Bool {
            after >= 0 && pass.map { $0.through >= after && $0.source >= 0 } ?? true
        }
    }
}

extension Ingestion.ReadCursor {
    /// Bytes of the binary form, always.
    public static let byteCount = 32

    /// Big endian: after, whether there is a pass, through, day, type, source, time.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ number: some FixedWidthInteger) {
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
        }
        append(after)
        append(UInt8(pass == nil ? 0 : 1))
        append(pass?.through ?? 0)
        append(pass?.day.daysSinceEpoch ?? 0)
        append(pass?.type ?? 0)
        append(pass?.source ?? 0)
        append(pass?.time ?? 0)
        return bytes
    }

    public init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        func number<T: FixedWidthInteger>(_ offset: Int) -> T {
            bytes[offset..<offset + MemoryLayout<T>.size].reduce(0) { $0 << 8 | T(truncatingIfNeeded: $1) }
        }
        let pass =
            bytes[8] == 0
            ? nil
            : Pass(
                through: number(9), day: CalendarDate(daysSinceEpoch: number(17)), type: number(21), source: number(22),
                time: number(24))
        self.init(after: number(0), pass: pass)
        guard isValid else { return nil }
    }
}
