-- How many changes of each kind there were, and by how much they changed the number of users, in quarters of an hour:
-- days of every time zone consist of them. Written by the indexer, and kept when the log is pruned.
CREATE TABLE change_counts (
  period timestamptz NOT NULL,
  -- False for what the log no longer says: whether users were active who have been erased since.
  is_from_log boolean NOT NULL,
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  rehired integer NOT NULL DEFAULT 0,
  deleted integer NOT NULL DEFAULT 0,
  erased integer NOT NULL DEFAULT 0,
  -- Among those updated.
  deactivated integer NOT NULL DEFAULT 0,
  reactivated integer NOT NULL DEFAULT 0,
  -- The difference to the period before.
  active integer NOT NULL DEFAULT 0,
  inactive integer NOT NULL DEFAULT 0,
  CONSTRAINT change_counts__period_is_from_log PRIMARY KEY (period, is_from_log)
) WITH (fillfactor = 80);

-- Changes are counted up to this one. The log so far is counted in the background. -1: everything is counted anew.
ALTER TABLE index_state ADD counts_position bigint NOT NULL DEFAULT 0;
-- Earlier changes are not counted again, because some of them have been pruned.
ALTER TABLE index_state ADD counts_since timestamptz NOT NULL DEFAULT '-infinity';
