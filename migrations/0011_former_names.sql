-- Who held which employee ID or username until when. Written by the indexer from the change log, and kept when the log
-- is pruned (docs/decisions/0030-names-over-time.md).
CREATE TABLE former_names (
  -- employeeID or username.
  kind text COLLATE "C" NOT NULL,
  -- Usernames in lower case. Null for a time without a name, such as that of a removed user who was restored.
  name text COLLATE "C",
  user_serial uuid NOT NULL,
  held_since timestamptz NOT NULL,
  held_until timestamptz NOT NULL,
  -- The number of the change that ended it.
  seq bigint NOT NULL,
  -- What the user was called next; null if the user was removed or has no username.
  next_name text COLLATE "C",
  CONSTRAINT former_names__user_serial_kind_seq PRIMARY KEY (user_serial, kind, seq)
);
CREATE INDEX former_names__kind_name ON former_names (kind, name, held_until) WHERE name IS NOT NULL;

-- Former names are indexed up to this change. The log so far is read again from its beginning, in the background.
ALTER TABLE index_state ADD names_position bigint NOT NULL DEFAULT 0;
