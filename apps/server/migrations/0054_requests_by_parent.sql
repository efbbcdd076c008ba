-- For the file of one's own data, which also has the requests that one was asked to approve.
create index rich_requests_by_parent on rich_requests (parent_id, created_at desc, id desc);
