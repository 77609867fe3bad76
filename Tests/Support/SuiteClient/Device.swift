public import Contracts
public import Domain
public import Primitives
import Synchronization

/// A wearable that is paired and uploads.
public final class Device: Sendable {
    public let id: UUID
    /// As this device.
    public let api: API
    private let uploads = Atomic<Int>(0)

    public init(id: UUID, api: API) {
        self.id = id
        self.api = api
    }

    /// Uploads under the next number. Everything must be stored. Errors: all but `local`.
    @discardableResult
    public func upload(_ series: [SampleSeries]) async throws(SuiteError) -> UploadReceipt {
        let receipt = try await send(series, number: nextNumber())
        let count = series.reduce(0) { $0 + $1.count }
        try expect(
            receipt.stored == count,
            "Of \(count) uploaded samples \(receipt.stored) were stored: \(receipt.refused.map(\.explanation))")
        return receipt
    }

    /// Uploads under a number of the caller's choice; what becomes of it is the caller's business.
    public func send(_ series: [SampleSeries], number: Int) async throws(SuiteError) -> UploadReceipt {
        try await api.upload(Upload(upload: number, sentAt: .now(), series: series))
    }

    public func nextNumber() -> Int { uploads.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension SampleSeries {
    /// One heart rate, measured now.
    public static func heartRate(_ value: Double, at time: Timestamp = .now()) -> SampleSeries {
        .init(type: .heartRate, start: time.wholeMilliseconds, offsets: [0], values: [value])
    }

    /// One position, fixed now.
    public static func position(
        _ coordinate: Coordinate, at time: Timestamp = .now(), accuracy: Double? = nil
    ) -> SampleSeries {
        .init(
            type: .position, start: time.wholeMilliseconds, offsets: [0], latitudes: [coordinate.latitude],
            longitudes: [coordinate.longitude], accuracies: accuracy.map { [$0] })
    }
}

extension Timestamp {
    /// Cut to milliseconds, which samples are counted in.
    public var wholeMilliseconds: Timestamp { Timestamp(milliseconds: milliseconds) }
}
