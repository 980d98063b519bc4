-- What lists filter and sort by, and what searches find, is kept apart from the rows that updates rewrite. An update
-- writes the user and the change log; the indexer follows the log and brings these tables up to date. Reads take users
-- who have changed since from the users table, so nobody sees an outdated one (docs/decisions/0029-indexing.md).
CREATE TABLE user_listing (
  serial uuid NOT NULL,
  is_active boolean NOT NULL,
  name text NOT NULL,
  organization_serial text COLLATE "C",
  tag_serials text[] COLLATE "C" NOT NULL,
  CONSTRAINT user_listing__serial PRIMARY KEY (serial)
) WITH (fillfactor = 90);
-- The service replaces this index if another collation is configured.
CREATE INDEX user_listing__name ON user_listing (name COLLATE "und-x-icu", serial);
CREATE INDEX user_listing__organization_serial ON user_listing (organization_serial, serial)
  WHERE organization_serial IS NOT NULL;
CREATE INDEX user_listing__is_active ON user_listing (serial) WHERE NOT is_active;
CREATE INDEX user_listing__tag_serials ON user_listing USING gin (tag_serials) WITH (fastupdate = off);

-- The words by which a user is found, and the terms that a search looks up: short pieces of these words as numbers,
-- each combined with the number of the bucket. The name and the employee ID are here to sort the matches by them.
CREATE TABLE user_search (
  serial uuid NOT NULL,
  employee_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  words text COLLATE "C" NOT NULL,
  terms integer[] NOT NULL,
  CONSTRAINT user_search__serial PRIMARY KEY (serial)
);
CREATE INDEX user_search__terms ON user_search USING gin (terms);

-- Every search reads the list of new terms from end to end, so the indexer moves them into the index after each batch.
-- Only the owner of an index may do that, and the service may run as another role.
CREATE FUNCTION flush_search_index() RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
  AS $$ SELECT gin_clean_pending_list('user_search__terms') $$;

-- Users in the order of their serials, in buckets of limited size: a search for a frequent word in that order can stop
-- after the first buckets instead of finding all matches and sorting them.
CREATE TABLE search_buckets (
  number integer NOT NULL,
  users integer NOT NULL,
  first_serial uuid NOT NULL,
  CONSTRAINT search_buckets__number PRIMARY KEY (number)
);
INSERT INTO search_buckets (number, users, first_serial) VALUES (0, 0, '00000000-0000-0000-0000-000000000000');

-- Organizations and tags that a user has or had, or that were given a display name.
CREATE TABLE organizations (
  users_total integer NOT NULL DEFAULT 0,
  users_active integer NOT NULL DEFAULT 0,
  serial text COLLATE "C" NOT NULL,
  display_name text,
  -- As searches see it.
  folded_name text COLLATE "C",
  parent_serial text COLLATE "C",
  CONSTRAINT organizations__serial PRIMARY KEY (serial)
) WITH (fillfactor = 80);
CREATE INDEX organizations__parent_serial ON organizations (parent_serial) WHERE parent_serial IS NOT NULL;

CREATE TABLE tags (
  users_total integer NOT NULL DEFAULT 0,
  users_active integer NOT NULL DEFAULT 0,
  serial text COLLATE "C" NOT NULL,
  display_name text,
  -- As searches see it.
  folded_name text COLLATE "C",
  CONSTRAINT tags__serial PRIMARY KEY (serial)
) WITH (fillfactor = 80);

-- Who has ever signed in: sessions end and access events are pruned. Read before the locks, because it takes a while.
CREATE TABLE signed_in_users (
  user_serial uuid NOT NULL,
  first_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT signed_in_users__user_serial PRIMARY KEY (user_serial)
);
INSERT INTO signed_in_users (user_serial, first_at)
  SELECT user_serial, min(at) FROM (
    SELECT user_serial, changed_at AS at FROM credentials WHERE NOT must_change
    UNION ALL SELECT user_serial, created_at FROM sessions
    UNION ALL SELECT user_serial, at FROM access_events WHERE kind = 'sign-in.succeeded') AS signs
  WHERE user_serial IN (SELECT serial FROM users) GROUP BY user_serial;

-- In the order in which requests lock them. Otherwise they and this migration could wait for each other.
LOCK TABLE users, changes IN ACCESS EXCLUSIVE MODE;

-- New rows of the change log have only the index of their numbers; two more took a quarter of the time of an update.
-- The rows so far keep theirs, in a table that new rows no longer enter, until they are pruned.
-- Contract: nodes of 0.2.0 use the table that is called changes, which has the same columns and contains the archive.
ALTER TABLE changes RENAME TO archived_changes;
-- Contract: nothing refers to it by name.
ALTER TABLE archived_changes RENAME CONSTRAINT changes__seq TO archived_changes__seq;
ALTER INDEX changes__user_serial RENAME TO archived_changes__user_serial;
ALTER INDEX changes__call_id RENAME TO archived_changes__call_id;
CREATE TABLE changes (LIKE archived_changes INCLUDING DEFAULTS);
ALTER TABLE changes ADD CONSTRAINT changes__seq PRIMARY KEY (seq);
ALTER TABLE archived_changes INHERIT changes;

-- The changes of each user, and where those of each bulk call are. Written by the indexer.
CREATE TABLE user_changes (
  user_serial uuid NOT NULL,
  seq bigint NOT NULL,
  CONSTRAINT user_changes__user_serial_seq PRIMARY KEY (user_serial, seq)
);
CREATE TABLE call_changes (
  call_id uuid NOT NULL,
  first_seq bigint NOT NULL,
  last_seq bigint NOT NULL,
  CONSTRAINT call_changes__call_id PRIMARY KEY (call_id)
);

CREATE TABLE index_state (
  id boolean NOT NULL DEFAULT true,
  users_total integer NOT NULL DEFAULT 0,
  users_active integer NOT NULL DEFAULT 0,
  -- Every change up to this number is indexed.
  position bigint NOT NULL,
  -- While the users of before are being indexed: those up to this serial are.
  built_to uuid,
  -- The collation of user_listing__name, and its version when the index was created.
  name_collation text,
  name_collation_version text,
  CONSTRAINT index_state__id PRIMARY KEY (id),
  CONSTRAINT index_state__one_row CHECK (id)
);
-- Renaming the log waited for everyone who was writing to it, so every number assigned so far is settled.
INSERT INTO index_state (name_collation, name_collation_version, position, built_to)
  SELECT 'und-x-icu', (SELECT coalesce(pg_collation_actual_version(oid), '') FROM pg_collation WHERE collname = 'und-x-icu'),
         (SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM change_numbers),
         CASE WHEN EXISTS (SELECT FROM users) THEN '00000000-0000-0000-0000-000000000000'::uuid END;

-- Nodes of 0.2.0 still search with the functions user_search_query and user_search_vector. Without an index that is slow,
-- but writes would pay for the index until the next release.
DROP INDEX users__search;
DROP INDEX users__name;
DROP INDEX users__organization_serial;
DROP INDEX users__is_active;
DROP INDEX users__tag_serials;

-- The next migration validates it, without a lock.
ALTER TABLE signed_in_users ADD CONSTRAINT signed_in_users__users
  FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE NOT VALID;
