-- What bulk calls did to users, in the words of imports: a move to another organization is a change. NULL if nobody has
-- counted.
-- Contract: no release has these columns.
ALTER TABLE calls RENAME COLUMN joined TO created;
-- Contract: the same.
ALTER TABLE calls RENAME COLUMN departed TO deactivated;
-- Contract: the same.
ALTER TABLE calls DROP COLUMN moved, ADD COLUMN reactivated integer;

-- Who named, nested, added or removed an organization or a tag. Renamed serials and merges are calls.
CREATE TABLE directory_edits (
  id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  directory text NOT NULL,
  serial text COLLATE "C" NOT NULL,
  -- added, changed or removed
  kind text NOT NULL,
  -- displayName and parentSerial, with values before and after, as in the change log
  fields json NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  request_id text NOT NULL,
  CONSTRAINT directory_edits__id PRIMARY KEY (id)
);
CREATE INDEX directory_edits__at ON directory_edits (at, id);
