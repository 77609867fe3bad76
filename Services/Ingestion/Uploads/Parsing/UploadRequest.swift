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
