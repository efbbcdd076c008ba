-- A request without a response passes by the system. It no longer moves up the line of inviters, so who is asked is always
-- the parent.
alter table rich_requests rename column passes_up_at to passes_at;
alter table rich_requests add column passed_by text check (passed_by in ('parent', 'system'));
update rich_requests set passed_by = case when asked_id is null then 'system' else 'parent' end where status = 'Passed';
alter table rich_requests drop column asked_id, drop column moves;
alter table rich_requests
  add check ((status = 'Passed') = (passed_by is not null)),
  add check (status <> 'Requested' or parent_id is not null);
drop index rich_requests_by_parent;
drop index rich_requests_by_user;
-- A user's own list shows withdrawn requests too.
create index rich_requests_by_user on rich_requests (user_id, created_at desc, id desc);

-- Parents see every child once, the one with the latest request or link first.
alter table rich_accounts
  add column parent_id text,
  add column listed_at timestamptz;
update rich_accounts set parent_id = users.parent_id, listed_at = coalesce(
    (select created_at from rich_requests where rich_requests.id = rich_accounts.request_id), linked_at)
  from users where users.id = rich_accounts.id;
alter table rich_accounts alter column listed_at set not null;
create index rich_accounts_by_parent on rich_accounts (parent_id, listed_at desc, id desc);

delete from notices where kind = 'upgrade_passed_on';
