-- An inviter exists before its leads and never changes, so no line of inviters is a circle.
create function refuse_another_inviter() returns trigger language plpgsql as $$
begin
  raise exception 'the inviter of a user never changes';
end $$;
create trigger users_inviter_is_final before update of parent_id on users
  for each row when (old.parent_id is distinct from new.parent_id) execute function refuse_another_inviter();
