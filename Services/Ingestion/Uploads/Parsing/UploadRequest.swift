import Contracts
import Domain
import Primitives

/// `POST /uploads`: the samples of a device (ING-02).
struct UploadRequest: Decodable, Sendable {
    /// The device's own count of its uploads; the same number again is the same upload again.
    let upload: Int64
    /// By the device's clock, when it sends; one of `SampleClock.deviceTimes`.
    let sentAt: Timestamp
    let series: [UploadedSeries]
}

/// `POST /samples`: samples that a person enters by hand (ING-03).
struct ManualEntry: Decodable, Sendable {
    let series: [UploadedSeries]
}

/// The answer to samples that were sent.
struct UploadAnswer: Encodable, Sendable, Equatable {
    /// Number of samples stored.
    let stored: Int
    /// All of it had been stored before.
    let repeated: Bool
    /// Groups that are not collected at the moment, and were dropped (ING-14).
    let paused: [String]
    /// Data types that the device may not provide, and were dropped (ACC-14).
    let withheld: [DataType]
    /// The first `SampleValidator.refusedMax` samples that were not taken.
    let refused: [RefusedSample]
    let refusedCount: Int
}
