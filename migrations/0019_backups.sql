-- Backups that were made, for the record and so that only one node makes those that are scheduled
-- (docs/decisions/0037-backups.md).
CREATE TABLE backups (
  id uuid NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  -- Without a renewal until then, its node has died.
  claimed_until timestamptz NOT NULL,
  bytes bigint,
  users bigint,
  is_scheduled boolean NOT NULL,
  encrypted boolean NOT NULL,
  -- Null if it was downloaded.
  file_name text,
  error text,
  CONSTRAINT backups__id PRIMARY KEY (id)
);
CREATE INDEX backups__started_at ON backups (started_at);
