-- Only stars that were held for a whole day in Hong Kong count in its release. So the weight of a day and the weight of the
-- days after it are two figures, and each release stores the sum up to it: an account looks up where its new weight begins.
alter table rich_program
  -- Weight from the next day on; `weight` is the one of the present day.
  add column next_weight numeric(78, 0) not null default 0 check (next_weight >= 0),
  -- The last day that was released.
  add column released_day text;
alter table rich_releases
  -- Sum of all releases up to this one, in base units for each unit of weight.
  add column index_after numeric(78, 0);
update rich_releases set index_after = summed.index_after
  from (select id, sum(per_weight) over (order by id) as index_after from rich_releases) summed
  where summed.id = rich_releases.id;
alter table rich_releases alter column index_after set not null;
alter table rich_accounts
  -- Weight that counts: up to the day of the last rise, or on every day without one.
  add column weight numeric(78, 0) not null default 0 check (weight >= 0),
  -- The day of the last rise: the star's whole weight counts from the next day on.
  add column raised_on text;

-- Existing earnings are settled by the weights until now. A star under notice counts no more.
update rich_accounts set
  to_collect = to_collect + case when star = 0 then 0 else trunc(2::numeric ^ (star - 1)) * (release_index - settled_index) end,
  settled_index = release_index,
  weight = case when star = 0 or steps_down_at is not null then 0 else trunc(2::numeric ^ (star - 1)) end
  from rich_program;
update rich_program set
  weight = (select coalesce(sum(weight), 0) from rich_accounts),
  next_weight = (select coalesce(sum(weight), 0) from rich_accounts),
  released_day = (select max(id) from rich_releases);
-- A deposit without a star needs no notice any more.
update rich_accounts set steps_down_at = null where star = 0;
