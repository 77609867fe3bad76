-- People's own limits (SOS-03).

create table thresholds (
  account uuid constraint thresholds_key primary key
    constraint thresholds_enrolment references enrolment on delete cascade,
  own bytea,
  changed_at timestamptz,
  proposal bytea,
  proposed_at timestamptz,
  constraint thresholds_changed check ((own is null) = (changed_at is null)),
  constraint thresholds_proposed check ((proposal is null) = (proposed_at is null)));
comment on column thresholds.own is 'the limits that hold, and the doctor who set them; sealed with the person''s key; null: those of the rule set';
comment on column thresholds.proposal is 'the last proposal from the own history; sealed with the person''s key';
