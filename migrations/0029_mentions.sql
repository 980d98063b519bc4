-- What stored outcomes mention: hashes of the employee IDs, usernames and serials in them, so that an erasure finds the
-- rows of a user without reading those of everybody else. Null if there are none. {0}, the default, means that nobody
-- has looked yet: rows from before, and rows of nodes of the last release (see noteMentions in src/storage/erasure/stored-outcomes.ts).
ALTER TABLE call_parts ADD mentions bigint[] DEFAULT '{0}';
ALTER TABLE call_items ADD mentions bigint[] DEFAULT '{0}';
ALTER TABLE planned_items ADD mentions bigint[] DEFAULT '{0}';

-- Only answers that are errors mention anybody, and there are few of them among many keys.
ALTER TABLE idempotency_keys ADD mentions bigint[];
UPDATE idempotency_keys SET mentions = '{0}' WHERE answer ->> 'ok' = 'false';
ALTER TABLE idempotency_keys ALTER COLUMN mentions SET DEFAULT '{0}';

-- Hashes can't be compressed.
ALTER TABLE call_parts ALTER COLUMN mentions SET STORAGE EXTERNAL;
ALTER TABLE call_items ALTER COLUMN mentions SET STORAGE EXTERNAL;

-- An erasure reads what is still on the pending list of an index, so the list is short.
CREATE INDEX call_items__mentions ON call_items USING gin (mentions)
  WITH (gin_pending_list_limit = 1024) WHERE mentions IS NOT NULL;
CREATE INDEX planned_items__mentions ON planned_items USING gin (mentions)
  WITH (gin_pending_list_limit = 1024) WHERE mentions IS NOT NULL;
