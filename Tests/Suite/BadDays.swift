import Testing

/// The days when processes are killed and machines are lost, with real processes: one after the other, since each needs
/// the machine for itself.
@Suite(.serialized) struct BadDays {}
