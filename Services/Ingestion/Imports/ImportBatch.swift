import Domain

/// The samples that one piece of a file held: a few per hundred bytes of it at most.
struct ImportBatch: Equatable {
    /// The samples of one source.
    struct Group: Equatable {
        /// As the file names the device or app that measured; `nil` where it names none.
        let source: String?
        var measurements: [Measurement] = []
        var positions: [PositionFix] = []
    }

    /// At most one for each source; none is empty.
    private(set) var groups: [Group] = []

    /// The group of that source, for samples that are appended at once.
    mutating func group(of source: String?) -> Int {
        if let index = groups.firstIndex(where: { $0.source == source }) { return index }
        groups.append(Group(source: source))
        return groups.count - 1
    }

    mutating func append(_ measurement: Measurement, to group: Int) { groups[group].measurements.append(measurement) }
    mutating func append(_ position: PositionFix, to group: Int) { groups[group].positions.append(position) }

    mutating func append(_ other: ImportBatch) {
        for group in other.groups {
            let index = self.group(of: group.source)
            groups[index].measurements += group.measurements
            groups[index].positions += group.positions
        }
    }
}
