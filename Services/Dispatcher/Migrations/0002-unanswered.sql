-- Incidents that nobody answered end, too: otherwise they would swallow the person's next emergency (SOS-05, SOS-07).

alter table incident
  drop constraint incident_outcome,
  add constraint incident_outcome
    check (outcome in ('accepted', 'false-alarm', 'suppressed', 'exercised', 'unanswered'));
