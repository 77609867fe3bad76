-- While a snapshot of query.consents is taken, check-ins that it mentions are told from those that it does not (RUN-08).

alter table enrolment add column is_mentioned boolean not null default true;
comment on column enrolment.is_mentioned is 'by the snapshot of query.consents that is being taken';
