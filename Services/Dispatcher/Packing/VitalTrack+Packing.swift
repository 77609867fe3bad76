import Domain
import Primitives

extension VitalTrack {
    enum Mark {
        static let head: UInt8 = 1
        static let raised: UInt8 = 2
        static let hasRaisedSevere: UInt8 = 4
        static let lost: UInt8 = 8
        static let steady: UInt8 = 16
        static let contact: UInt8 = 32
        /// All times of the entries are of whole milliseconds.
        static let milliseconds: UInt8 = 64
    }

    func pack(into packer: inout Packer) {
        let hasHistory =
            raisedThrough != nil || recoveredAt != nil || followedThrough != nil || reportedThrough != nil
        let isWhole = entries.allSatisfy { $0.time.microseconds % 1000 == 0 }
        packer.add(byte: pace.rawValue)
        packer.add(
            byte: (head == nil ? 0 : Mark.head) | (hasHistory ? Mark.raised : 0)
                | (hasRaisedSevere ? Mark.hasRaisedSevere : 0) | (lost == nil ? 0 : Mark.lost)
                | (steady == nil ? 0 : Mark.steady) | (contact == ContactQuality() ? 0 : Mark.contact)
                | (isWhole ? Mark.milliseconds : 0))
        pack(entries, unit: isWhole ? 1000 : 1, into: &packer)
        head?.pack(into: &packer)
        if hasHistory {
            for time in [raisedThrough, recoveredAt, followedThrough, reportedThrough] { packer.add(optional: time) }
        }
        lost?.pack(into: &packer)
        steady?.pack(into: &packer)
        if contact != ContactQuality() { contact.pack(into: &packer) }
    }

    /// Each as its distance from the one before, and its marks where they differ from those.
    private func pack(_ entries: [Entry], unit: Int64, into packer: inout Packer) {
        packer.add(count: entries.count)
        guard let first = entries.first else { return }
        packer.add(first.time)
        var (time, marks) = (first.time.microseconds, Entry.clearMarks)
        for entry in entries {
            let distance = UInt64(bitPattern: (entry.time.microseconds - time) / unit)
            let isChange: UInt64 = entry.marks == marks ? 0 : 1
            packer.add(number: distance << 1 | isChange)
            if isChange != 0 { packer.add(byte: entry.marks) }
            (time, marks) = (entry.time.microseconds, entry.marks)
        }
        // What follows lies close to the last one.
        packer.move(to: Timestamp(microseconds: time))
    }

    static func entries(unit: UInt64, from unpacker: inout Unpacker) throws(PackingError) -> [Entry] {
        let count = try unpacker.count()
        guard count > 0 else { return [] }
        var (entries, time, marks): ([Entry], Int64, UInt8) = ([], try unpacker.time().microseconds, Entry.clearMarks)
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let word = try unpacker.number()
            let (distance, isTooFar) = (word >> 1).multipliedReportingOverflow(by: unit)
            let (sum, overflows) = time.addingReportingOverflow(Int64(truncatingIfNeeded: distance))
            guard !isTooFar, !overflows, sum >= time, abs(sum) < 1 << 58 else { throw .value }
            time = sum
            if word & 1 != 0 { marks = try unpacker.byte() }
            guard marks < 32 else { throw .value }
            entries.append(Entry(packed: time << 5 | Int64(marks)))
        }
        unpacker.move(to: Timestamp(microseconds: time))
        return entries
    }
}

extension VitalTrack.Entry {
    static let clearMarks: UInt8 = 0
    /// All but the time.
    var marks: UInt8 { UInt8(truncatingIfNeeded: packed & 31) }
}

extension VitalTrack.Run {
    private enum Mark {
        static let isHigh: UInt8 = 1
        static let isOpen: UInt8 = 2
        static let hasSevere: UInt8 = 4
    }

    func pack(into packer: inout Packer) {
        let hasSevere = severeFirst != nil || severeLast != nil || severeCount != 0
        packer.add(
            byte: (isHigh ? Mark.isHigh : 0) | (isOpen ? Mark.isOpen : 0) | (hasSevere ? Mark.hasSevere : 0))
        packer.add(first)
        packer.add(last)
        packer.add(seen)
        packer.add(count: count)
        packer.add(optional: confirmed)
        packer.add(optional: sureFirst)
        packer.add(count: sureCount)
        guard hasSevere else { return }
        packer.add(optional: severeFirst)
        packer.add(optional: severeLast)
        packer.add(count: severeCount)
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        let marks = try unpacker.byte()
        self.init(try unpacker.time())
        last = try unpacker.time()
        seen = try unpacker.time()
        count = try unpacker.tally()
        confirmed = try unpacker.optionalTime()
        sureFirst = try unpacker.optionalTime()
        sureCount = try unpacker.tally()
        (isHigh, isOpen) = (marks & Mark.isHigh != 0, marks & Mark.isOpen != 0)
        guard marks & Mark.hasSevere != 0 else { return }
        severeFirst = try unpacker.optionalTime()
        severeLast = try unpacker.optionalTime()
        severeCount = try unpacker.tally()
    }
}
