-- Devices receive notices about loans too. alert_id is then n and the number of the notice, and body what is sent.
alter table alert_pushes drop constraint alert_pushes_alert_id_fkey;
alter table alert_pushes add column body jsonb, add column created_at timestamptz;
alter table alert_pushes add constraint alert_pushes_body check ((body is null) = (created_at is null));
