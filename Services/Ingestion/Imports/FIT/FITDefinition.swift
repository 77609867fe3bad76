/// What the messages of one local type are: a global number and fields, in the order of their bytes (FIT protocol 2).
struct FITDefinition {
    struct Field {
        let number: UInt8
        let offset: Int
        let size: Int
        /// The number that says the type, such as `0x84` for an unsigned integer of two bytes.
        let base: UInt8
    }

    let global: UInt16
    let isBigEndian: Bool
    /// Bytes of a message after its header, those of developers' fields included. There may be none: such messages are passed over.
    let size: Int
    private let fields: [Field]
    /// By the number of a field, where it stands in `fields`; `nowhere` for those that there are not.
    private var places = [UInt8](repeating: nowhere, count: 256)

    /// A definition has at most 255 fields.
    private static let nowhere: UInt8 = 255

    /// Of several fields with one number the first one counts; those without bytes are none.
    init(global: UInt16, isBigEndian: Bool, fields all: [Field], size: Int) {
        self.global = global
        self.isBigEndian = isBigEndian
        self.size = size
        fields = all.filter { $0.size > 0 }
        for (place, field) in fields.enumerated() where places[Int(field.number)] == Self.nowhere {
            places[Int(field.number)] = UInt8(place)
        }
    }

    func field(_ number: UInt8) -> Field? {
        let place = places[Int(number)]
        return place == Self.nowhere ? nil : fields[Int(place)]
    }
}

/// One message, valid during the call that gives it.
struct FITMessage {
    let definition: FITDefinition
    let bytes: UnsafeBufferPointer<UInt8>
    /// From the header of a message whose time is compressed, or else its field 253: seconds since 1989-12-31T00:00:00Z.
    var time: UInt32?
    /// Where it begins in the file.
    let place: Int

    var global: UInt16 { definition.global }

    /// An integer field; `nil` when it is missing or invalid, or has several values.
    func integer(_ number: UInt8) -> Int64? {
        guard let field = definition.field(number) else { return nil }
        switch (field.base, field.size) {
        case (0x00, 1), (0x02, 1), (0x0D, 1): return valid(unsigned(field), not: 0xFF)
        case (0x01, 1): return valid(Int64(Int8(truncatingIfNeeded: unsigned(field))), not: 0x7F)
        case (0x83, 2): return valid(Int64(Int16(truncatingIfNeeded: unsigned(field))), not: 0x7FFF)
        case (0x84, 2): return valid(unsigned(field), not: 0xFFFF)
        case (0x85, 4): return valid(Int64(Int32(truncatingIfNeeded: unsigned(field))), not: 0x7FFF_FFFF)
        case (0x86, 4): return valid(unsigned(field), not: 0xFFFF_FFFF)
        case (0x0A, 1), (0x8B, 2), (0x8C, 4): return valid(unsigned(field), not: 0)
        default: return nil
        }
    }

    /// A field in units that `scale` of are one.
    func number(_ number: UInt8, scale: Double = 1, offset: Double = 0) -> Double? {
        integer(number).map { Double($0) / scale - offset }
    }

    /// A time field.
    func time(_ number: UInt8) -> UInt32? { integer(number).flatMap { UInt32(exactly: $0) } }

    /// A field of text, up to its first null byte; `nil` when it is empty.
    func text(_ number: UInt8) -> String? {
        guard let field = definition.field(number), field.base == 0x07 else {
            return nil
        }
        let text = bytes[field.offset..<field.offset + field.size].prefix { $0 != 0 }
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }

    private func valid(_ value: Int64, not invalid: Int64) -> Int64? { value == invalid ? nil : value }

    private func unsigned(_ field: FITDefinition.Field) -> Int64 {
        var value: UInt64 = 0
        for index in 0..<field.size {
            let offset = definition.isBigEndian ? index : field.size - 1 - index
            value = value << 8 | UInt64(bytes[field.offset + offset])
        }
        return Int64(truncatingIfNeeded: value)
    }
}
