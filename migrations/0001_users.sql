-- Users. Columns of fixed width come first, so that no row carries padding; the measurement that chose the order
-- and the fillfactor is in docs/decisions/0004-table-layout.md.
CREATE TABLE users (
  serial uuid NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Counts the changes of the row; the ETag of a user.
  version integer NOT NULL DEFAULT 1,
  is_active boolean NOT NULL,
  -- COLLATE "C" on keys: bytes are compared, on every platform alike and without a locale's cost.
  employee_id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  username text COLLATE "C",
  email text,
  phone text,
  organization_serial text COLLATE "C",
  tag_serials text[] COLLATE "C" NOT NULL,
  CONSTRAINT users__serial PRIMARY KEY (serial),
  CONSTRAINT users__employee_id UNIQUE (employee_id),
  CONSTRAINT users__contact CHECK (email IS NOT NULL OR phone IS NOT NULL)
) WITH (fillfactor = 90);

-- Usernames keep their case and are unique without regard to it. They are ASCII, so "C" folds them fully.
CREATE UNIQUE INDEX users__username ON users (lower(username));

-- The words of a user that a search finds by their beginnings. Whatever is no letter and no digit separates words;
-- beyond ASCII the text search parser decides. An expression index and no stored column: a stored one would be
-- computed again at every update of the name column, changed or not.
CREATE FUNCTION user_words(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN regexp_replace(lower($1), '[^a-z0-9\u0080-\U0010ffff]+', ' ', 'g');

CREATE FUNCTION user_search_vector(name text, employee_id text, username text, email text) RETURNS tsvector
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('simple'::regconfig,
    user_words(name || ' ' || employee_id || ' ' || coalesce(username, '') || ' ' || coalesce(email, '')));

CREATE INDEX users__search ON users USING gin (user_search_vector(name, employee_id, username, email));

-- Filters of the list. Each ends in the serial, so that a page is one short range of the index.
CREATE INDEX users__name ON users ((lower(name) COLLATE "C"), serial);
CREATE INDEX users__organization_serial ON users (organization_serial, serial) WHERE organization_serial IS NOT NULL;
-- Most people are active: a page of those is met soon in the order of the serials, only the others need an index.
CREATE INDEX users__is_active ON users (serial) WHERE NOT is_active;
CREATE INDEX users__tag_serials ON users USING gin (tag_serials);

-- Secrets live apart from the rows that bulk updates rewrite and that reads show.
CREATE TABLE credentials (
  user_serial uuid NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- An initial password, given on create or generated, has to be changed at the first sign-in.
  must_change boolean NOT NULL,
  password_hash text NOT NULL,
  CONSTRAINT credentials__user_serial PRIMARY KEY (user_serial),
  CONSTRAINT credentials__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE
);

-- A search as a query: every word of it must begin some word of the user. Words are quoted, so that nothing a person
-- types is an operator; a search without a word is NULL and finds nobody.
CREATE FUNCTION user_search_query(search text) RETURNS tsquery
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsquery('simple'::regconfig,
    replace(regexp_replace(nullif(btrim(user_words(search)), ''), '[^ ]+', '''\&'':*', 'g'), ' ', ' & '));
