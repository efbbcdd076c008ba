-- Where the local profile's chain and its contracts are, so that a second server on this database finds them. One row.
create table local_deployment (
  chain_id integer primary key,
  vault text not null,
  vault_block text not null,
  usdt text not null,
  eth text not null,
  -- The chain that a server started for itself. Null where every server was given the node.
  rpc_url text
);
