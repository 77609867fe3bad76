/// What keeps a service's audit trail: ties entries, publishes the head, counts what waits, deletes what is too old.
public struct AuditUpkeep: Sendable {
    private let audit: AuditTrail
    private let watch: AuditWatch
    private let backlog: AuditBacklog
    private let rights: AuditRights

    public init<Settings>(_ audit: AuditTrail, _ context: ServiceContext<Settings>) {
        self.audit = audit
        watch = AuditWatch(audit: audit, log: context.log)
        backlog = AuditBacklog(audit: audit, metrics: context.metrics)
        rights = AuditRights(audit: audit, log: context.log)
    }

    public func add(to parts: inout ServiceParts, pacing: any Pacing) {
        let (audit, watch, backlog, rights) = (audit, watch, backlog, rights)
        parts.beforeServing.append { try await rights.check() }
        parts.tasks += [
            .periodic("audit", every: AuditTrail.interval, pacing: pacing) { try await audit.tie() },
            .periodic("audit-head", every: AuditWatch.interval, pacing: pacing) { try await watch.publish() },
            .periodic("audit-backlog", every: AuditBacklog.interval, pacing: pacing) { try await backlog.count() },
        ]
        parts.retention.append(audit.retention)
    }
}
