/// Signed numbers as unsigned ones, small ones staying small: 0, -1, 1, -2 …
enum Zigzag {
    @inline(__always)
    static func encode(_ number: Int64) -> UInt64 { UInt64(bitPattern: number << 1 ^ number >> 63) }

    @inline(__always)
    static func decode(_ number: UInt64) -> Int64 { Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1) }
}
