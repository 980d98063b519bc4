-- Indexes on tables of the last release, which may be large. Each statement runs by itself, outside of a transaction, so
-- that nobody who writes waits for it (docs/decisions/0038-rolling-upgrades.md).

-- What a user did, to find it when the user is erased or asks for their data.
CREATE INDEX CONCURRENTLY IF NOT EXISTS access_events__actor_id ON access_events (actor_id, id) WHERE actor_kind = 'person';

-- To count messages that someone has to look at, without reading those that were sent.
CREATE INDEX CONCURRENTLY IF NOT EXISTS deliveries__not_sent ON deliveries (state)
  WHERE state IN ('held', 'dormant', 'parked');

-- An erasure reads what is still on the pending list of an index, so the list is short.
CREATE INDEX CONCURRENTLY IF NOT EXISTS call_parts__mentions ON call_parts USING gin (mentions)
  WITH (gin_pending_list_limit = 1024) WHERE mentions IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS idempotency_keys__mentions ON idempotency_keys USING gin (mentions)
  WITH (gin_pending_list_limit = 1024) WHERE mentions IS NOT NULL;

CREATE INDEX CONCURRENTLY IF NOT EXISTS users__manager_serial ON users (manager_serial) WHERE manager_serial IS NOT NULL;
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS users__sign_in_name ON users (sign_in_name)
  WHERE sign_in_name IS NOT NULL;
-- What users are looked up by: external IDs, the providers that manage them, and further email addresses.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users__scim_keys ON users USING gin ((scim -> 'keys') jsonb_path_ops)
  WHERE scim IS NOT NULL;
-- The address by which providers match users.
CREATE INDEX CONCURRENTLY IF NOT EXISTS users__email ON users (lower(email)) WHERE email IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS sessions__provider_subject ON sessions (provider_subject)
  WHERE provider_subject IS NOT NULL;

-- The activity lists calls by when they began, those of one request as one entry. Undoing a feed's run begins with them.
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls__started_at ON calls (started_at, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS calls__request_id ON calls (request_id, started_at);
-- And changes that were made one at a time. Bulk calls write no entries of these indexes.
CREATE INDEX CONCURRENTLY IF NOT EXISTS changes__single ON changes (at, seq)
  WHERE call_id IS NULL AND user_serial IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS archived_changes__single ON archived_changes (at, seq)
  WHERE call_id IS NULL AND user_serial IS NOT NULL;
