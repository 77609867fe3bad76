/// What one series stores for each subject: a fixed number of bytes, all zero for nothing.
enum CellFormat {
    /// Subjects in one block.
    static let blockSubjects = 4096
    /// Subject numbers are below this, which bounds the size of a column in memory.
    static let subjectsMax = 16_777_216
}

/// A series of a day in memory: the cells of all subjects, found by their numbers.
struct CellColumn<Cell: ColumnCell>: Sendable {
    private(set) var cells: [Cell] = []

    /// Cells from subject 0 on; what is beyond the end is absent.
    var count: Int { cells.count }

    /// Loads a block. Bytes of another length than a block's are refused.
    mutating func load(block: Int, bytes: [UInt8]) throws(ColumnError) {
        let first = block * CellFormat.blockSubjects
        guard block >= 0, first < CellFormat.subjectsMax,
            bytes.count == CellFormat.blockSubjects * MemoryLayout<Cell>.size
        else { throw .malformed }
        extend(to: first + CellFormat.blockSubjects)
        cells.withUnsafeMutableBytes { memory in
            bytes.withUnsafeBytes { source in
                UnsafeMutableRawBufferPointer(rebasing: memory[(first * MemoryLayout<Cell>.size)...])
                    .copyMemory(from: source)
            }
        }
    }

    /// Adds cells as they arrived, each merged with what is there; those of `erased` are dropped.
    mutating func merge(
        subjects: [Int32], bytes: [UInt8], except erased: ErasedSubjects = ErasedSubjects()
    ) throws(ColumnError) {
        guard bytes.count == subjects.count * MemoryLayout<Cell>.size else { throw .malformed }
        let arrived = Self.cells(bytes)
        for (subject, cell) in zip(subjects, arrived) {
            guard subject >= 0, subject < CellFormat.subjectsMax else { throw .malformed }
            extend(to: (Int(subject) / CellFormat.blockSubjects + 1) * CellFormat.blockSubjects)
            if !erased.contains(subject) { cells[Int(subject)].merge(cell) }
        }
    }

    /// The bytes of a block; absent subjects are zero.
    func bytes(block: Int) -> [UInt8] {
        let first = block * CellFormat.blockSubjects
        return Self.bytes(cells[first..<first + CellFormat.blockSubjects])
    }

    private mutating func extend(to count: Int) {
        guard cells.count < count else { return }
        cells.append(contentsOf: repeatElement(Cell.absent, count: count - cells.count))
    }

    static func bytes(_ cells: some Collection<Cell>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(cells.count * MemoryLayout<Cell>.size)
        for cell in cells { withUnsafeBytes(of: cell) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    private static func cells(_ bytes: [UInt8]) -> [Cell] {
        bytes.withUnsafeBytes { source in
            stride(from: 0, to: source.count, by: MemoryLayout<Cell>.size).map {
                source.loadUnaligned(fromByteOffset: $0, as: Cell.self)
            }
        }
    }
}

/// A cell is plain bytes in the machine's order, which is little endian on every machine that is supported.
protocol ColumnCell: BitwiseCopyable, Sendable, Equatable {
    static var absent: Self { get }
    /// Merges a cell that arrived for the same subject.
    mutating func merge(_ arrived: Self)
}

/// A column does not have the form it was stored in, or a subject number is out of range.
enum ColumnError: Error, Equatable {
    case malformed
}
