-- Users whose personal data was erased: that it happened, when, and by whom (docs/decisions/0032-erasure.md).
CREATE TABLE erased_users (
  serial uuid NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now(),
  -- When the files of the embedded database were rewritten without the data. PostgreSQL servers vacuum by themselves.
  purged_at timestamptz,
  call_id uuid,
  -- Null for the service itself, which erases users who have been inactive for long.
  actor_kind text COLLATE "C",
  actor_id text COLLATE "C",
  request_id text COLLATE "C",
  CONSTRAINT erased_users__serial PRIMARY KEY (serial)
);
CREATE INDEX erased_users__erased_at ON erased_users (erased_at);
CREATE INDEX erased_users__not_purged ON erased_users (serial) WHERE purged_at IS NULL;

-- Since when users have been inactive. Written by the indexer. For those so far, the last change is the best that is
-- known: they have been inactive at least since then.
CREATE TABLE inactive_users (
  user_serial uuid NOT NULL,
  since timestamptz NOT NULL,
  CONSTRAINT inactive_users__user_serial PRIMARY KEY (user_serial)
);
CREATE INDEX inactive_users__since ON inactive_users (since);
INSERT INTO inactive_users (user_serial, since) SELECT serial, updated_at FROM users WHERE NOT is_active;

-- Names of erased users, for the quarantine: hashed, so that nothing tells whose they were.
CREATE TABLE erased_names (
  -- employeeID or username.
  kind text COLLATE "C" NOT NULL,
  -- SHA-256; usernames in lower case.
  digest bytea NOT NULL,
  released_at timestamptz NOT NULL,
  -- The number of the last change before.
  seq bigint NOT NULL,
  CONSTRAINT erased_names__kind_digest PRIMARY KEY (kind, digest)
);
CREATE INDEX erased_names__released_at ON erased_names (released_at);
