-- What bulk calls did to users, as people tell it: who joined (created, reactivated), moved to another organization, left
-- (deactivated), or was removed (a create that was undone, an erasure). NULL if nobody has counted: calls from before,
-- and calls of nodes of the last release.
ALTER TABLE calls
  ADD COLUMN joined integer,
  ADD COLUMN moved integer,
  ADD COLUMN departed integer,
  ADD COLUMN removed integer;
