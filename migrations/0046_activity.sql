-- What bulk calls did to users, as people tell it: who joined (created, reactivated), moved to another organization, left
-- (deactivated), or was removed (a create that was undone, an erasure). NULL if nobody has counted: calls from before,
-- and calls of nodes of the last release.
LOCK TABLE changes, archived_changes, calls IN ACCESS EXCLUSIVE MODE;
ALTER TABLE calls
  ADD COLUMN joined integer,
  ADD COLUMN moved integer,
  ADD COLUMN departed integer,
  ADD COLUMN removed integer;

-- The activity lists calls by when they began, those of one request as one entry.
CREATE INDEX calls__started_at ON calls (started_at, id);
CREATE INDEX calls__request_id ON calls (request_id, started_at);
DROP INDEX calls__feed_runs;

-- And changes that were made one at a time. Bulk calls write no entries of these indexes.
CREATE INDEX changes__single ON changes (at, seq) WHERE call_id IS NULL AND user_serial IS NOT NULL;
CREATE INDEX archived_changes__single ON archived_changes (at, seq)
  WHERE call_id IS NULL AND user_serial IS NOT NULL;
