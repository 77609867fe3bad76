import Testing

/// The bad days of which a test says how soon something has to be back: one after the other, since each needs the machine for
/// itself.
@Suite(.serialized) struct AgainstTheClock {}
