import Domain
import Primitives

/// How well a sensor touches the person: one that loses contact and finds it again every few seconds hangs loose, and what it
/// reads between is as good as nothing. A sensor that slips once and is put right is believed after some seconds, and a single
/// reading without contact changes nothing about a pulse.
struct ContactQuality: Sendable, Equatable {
    /// Share of readings without contact, of about the last twenty.
    private var lossShare: Float = 0
    private var hasContact = true
    private var notedAt: Timestamp?
    /// The last two readings without contact.
    private var lostAt: Timestamp?
    private var lostBefore: Timestamp?
    /// The last two times at which contact was found again.
    private var foundAt: Timestamp?
    private var foundBefore: Timestamp?
    /// Contact was lost twice since the last reading that counted.
    private(set) var isInterrupted = false

    private static let memory: Float = 0.05
    private static let lossMax: Float = 0.3
    private static let looseFor = Duration.seconds(30)
    /// Two losses that are closer are no accident.
    private static let lossDistance = Duration.seconds(5)
    /// The first readings after them are doubtful …
    private static let settling = Duration.seconds(3)
    /// … longer when it happens again and again, and of an oximeter, which averages over many beats.
    private static let settlingLong = Duration.seconds(10)

    /// A reading that is not newer than the last says nothing new.
    mutating func note(contact: Bool, at time: Timestamp) {
        if let notedAt, time <= notedAt { return }
        notedAt = time
        lossShare += ((contact ? 0 : 1) - lossShare) * Self.memory
        if !contact {
            (lostBefore, lostAt) = (lostAt, time)
            isInterrupted = isInterrupted || isLostTwice
        } else if !hasContact {
            (foundBefore, foundAt) = (foundAt, time)
        }
        hasContact = contact
    }

    /// A reading counts.
    mutating func resume() { isInterrupted = false }

    private var isLostTwice: Bool {
        guard let lostAt, let lostBefore else { return false }
        return lostAt - lostBefore < Self.lossDistance
    }

    private func isFlapping(at time: Timestamp) -> Bool {
        foundBefore.map { time - $0 <= Self.looseFor } ?? false
    }

    func isLoose(at time: Timestamp) -> Bool { lossShare > Self.lossMax && isFlapping(at: time) }

    /// Whether a reading comes so soon after losses that it is doubtful. After a single one that is so of what is an average of
    /// many beats or breaths, which the sensor has to gather again.
    func isSettling(at time: Timestamp, _ type: DataType) -> Bool {
        guard let lostAt, time >= lostAt else { return false }
        guard isLostTwice else {
            let isAverage = type == .oxygenSaturation || type == .respirationRate
            return isAverage && time - lostAt <= Self.settling
        }
        let isLong = type == .oxygenSaturation || isFlapping(at: time)
        return time - lostAt <= (isLong ? Self.settlingLong : Self.settling)
    }
}

extension ContactQuality {
    /// One that was never without contact takes a few bytes.
    func pack(into packer: inout Packer) {
        let hasLost = lossShare != 0 || lostAt != nil || lostBefore != nil || foundAt != nil || foundBefore != nil
        packer.add(byte: (hasContact ? 1 : 0) | (isInterrupted ? 2 : 0) | (hasLost ? 4 : 0))
        packer.add(optional: notedAt)
        guard hasLost else { return }
        packer.add(lossShare)
        packer.add(optional: lostAt)
        packer.add(optional: lostBefore)
        packer.add(optional: foundAt)
        packer.add(optional: foundBefore)
    }

    init(from unpacker: inout Unpacker) throws(PackingError) {
        let marks = try unpacker.byte()
        (hasContact, isInterrupted) = (marks & 1 != 0, marks & 2 != 0)
        notedAt = try unpacker.optionalTime()
        guard marks & 4 != 0 else { return }
        lossShare = try unpacker.float()
        lostAt = try unpacker.optionalTime()
        lostBefore = try unpacker.optionalTime()
        foundAt = try unpacker.optionalTime()
        foundBefore = try unpacker.optionalTime()
    }
}
