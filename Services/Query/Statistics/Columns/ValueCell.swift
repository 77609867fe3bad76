/// One subject's contribution for a day: steps above the centre of the data type's `GroupBounds`, already clamped, so that
/// nothing finer than what may be released is stored.
struct ValueCell: ColumnCell {
    static let absent = ValueCell(stored: 0)

    /// The contribution plus `offset`; 0 for none.
    private var stored: Int16
    /// Contributions are −512 … 512.
    private static let offset: Int16 = 1024

    private init(stored: Int16) {
        self.stored = stored
    }

    /// - Precondition: a contribution of at most ±1023 steps.
    init(contribution: Int32) {
        precondition((-1023...1023).contains(contribution), "contributions have at most 1024 steps")
        stored = Int16(contribution) + Self.offset
    }

    var isPresent: Bool { stored != 0 }
    /// 0 when absent.
    var contribution: Int64 { stored == 0 ? 0 : Int64(stored - Self.offset) }

    /// The first contribution stays: late data does not change a closed day.
    mutating func merge(_ arrived: ValueCell) {
        if stored == 0 { stored = arrived.stored }
    }
}
