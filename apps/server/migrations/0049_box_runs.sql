-- A day keeps the length of its tree's runs, so that a server with another length continues it the same.
alter table box_days add column run_length integer not null default 256 check (run_length > 0);

-- Earlier versions had runs of 512 boxes, then of 256.
update box_days set run_length = 512
where box_count > 256 * (select count(*) from box_subtrees s where s.day = box_days.day);
