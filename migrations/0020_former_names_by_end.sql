-- Calls with `asOf` read the employee IDs that ended since, which are few, instead of looking up every ID of the call.
CREATE INDEX former_names__kind_held_until ON former_names (kind, held_until);
