import Primitives
import Service
import Synchronization

/// Devices that sent something lately, and what has to be known of them to store it. It is good for as long as the person's
/// `devices_version` is the one that was read with it: the look-up of an upload compares them, and looks at the device only
/// when they differ.
final class KnownDevices: Sendable {
    /// One that is its owner's and not removed.
    struct Device: Sendable {
        let account: UUID
        /// `nil`: it has to be looked up.
        var version: Int32?
        /// Of the source; 0 until it has one.
        var number: Int16
        /// A mask of what the person lets it provide; `nil`: not known yet.
        let types: Int64?
        /// What it has sent; `nil`: not known. This holds whatever the version is.
        var sent: SentTimes?
    }

    private let devices: Mutex<GenerationCache<UUID, Device>>

    init(devicesMax: Int) {
        devices = Mutex(GenerationCache(entriesMax: devicesMax))
    }

    /// Of each arrival; `nil` where nothing is known.
    func devices(of arrivals: [NewArrival]) -> [Device?] {
        devices.withLock { devices in
            arrivals.map { arrival in
                guard let id = arrival.device, let device = devices[id], device.account == arrival.account else {
                    return nil
                }
                return device
            }
        }
    }

    func keep(_ found: [(id: UUID, device: Device)]) {
        guard !found.isEmpty else { return }
        devices.withLock { devices in
            for (id, device) in found { devices.insert(device, for: id) }
        }
    }
}
