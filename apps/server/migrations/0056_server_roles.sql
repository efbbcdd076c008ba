-- The role of each server, so that a leader that stops hands over only where another server can lead.
alter table servers add column role text not null default 'all';
