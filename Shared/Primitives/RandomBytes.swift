import Glibc

/// `count` bytes from the kernel's cryptographically secure generator.
public func randomBytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        fillWithRandomBytes(UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<count]))
        initialized = count
    }
}

/// Fills `buffer` from the kernel's cryptographically secure generator, with as few calls as it allows.
public func fillWithRandomBytes(_ buffer: UnsafeMutableRawBufferPointer) {
    guard let start = buffer.baseAddress else { return }
    // What `getentropy(3)` gives in one call.
    let callBytesMax = 256
    for offset in stride(from: 0, to: buffer.count, by: callBytesMax) {
        let status = getentropy(start + offset, min(callBytesMax, buffer.count - offset))
        precondition(status == 0, "getentropy: errno \(errno)")
    }
}
