-- The account that an action of the operator concerns: its user sees it. Null where it concerns no single account.
alter table operator_actions add column account text;
create index operator_actions_by_account on operator_actions (account, at desc, id desc) where account is not null;
