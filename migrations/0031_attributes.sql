-- Company attributes: fields of users that administrators define. Users store their values under the ID, so that a key
-- can change without touching a user.
-- IDs and versions. They are never reused, because the change log refers to IDs, and calls compare versions.
CREATE SEQUENCE attribute_numbers AS integer;

CREATE TABLE attributes (
  id integer NOT NULL DEFAULT nextval('attribute_numbers'),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- No longer accepted, but still shown.
  retired_at timestamptz,
  -- Kept, so that the deletion of its values can be undone.
  deleted_at timestamptz,
  -- Changes with the definition. Values are stored only if the current definition accepts them.
  version integer NOT NULL DEFAULT nextval('attribute_numbers'),
  is_unique boolean NOT NULL,
  is_searchable boolean NOT NULL,
  is_filterable boolean NOT NULL,
  is_sensitive boolean NOT NULL,
  is_editable_by_user boolean NOT NULL,
  key text COLLATE "C" NOT NULL,
  type text NOT NULL,
  -- Labels, synonyms, and the limits of its type.
  details json NOT NULL,
  CONSTRAINT attributes__id PRIMARY KEY (id)
);

-- Keys that differ only in case would be mistaken for one another.
CREATE UNIQUE INDEX attributes__key ON attributes (lower(key)) WHERE deleted_at IS NULL;

-- By ID of the attribute; NULL if there are none, so that users without attributes cost nothing.
ALTER TABLE users ADD COLUMN attributes jsonb;

-- No foreign key: reports of a user who was removed or erased keep showing that they had a manager, and have them back
-- if the removal is undone.
ALTER TABLE users ADD COLUMN manager_serial uuid;

-- What the indexer knows of managers. Nobody has one yet.
ALTER TABLE user_listing ADD COLUMN has_manager boolean NOT NULL DEFAULT false;
CREATE INDEX user_listing__no_manager ON user_listing (serial) WHERE NOT has_manager;
-- Users who are inactive, were removed or erased, and have reports. No foreign key for the same reason.
CREATE TABLE inactive_managers (
  user_serial uuid NOT NULL,
  CONSTRAINT inactive_managers__user_serial PRIMARY KEY (user_serial)
);

-- Whether bulk calls of the client may contain fields and attributes that nobody knows.
ALTER TABLE clients ADD COLUMN ignores_unknown_fields boolean NOT NULL DEFAULT false;

-- Guards the values of unique attributes. A value is released before another user takes it.
CREATE TABLE unique_attributes (
  attribute_id integer NOT NULL,
  user_serial uuid NOT NULL,
  value text COLLATE "C" NOT NULL,
  CONSTRAINT unique_attributes__value PRIMARY KEY (attribute_id, value),
  CONSTRAINT unique_attributes__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE
);
CREATE INDEX unique_attributes__user_serial ON unique_attributes (user_serial);

-- What lists filter and sort by: the values of filterable attributes, one row each, and a row for each text of a list.
-- Users without a value have no row. Written by the indexer (docs/decisions/0043-finding-users-by-attributes.md).
CREATE TABLE listed_attributes (
  attribute_id integer NOT NULL,
  user_serial uuid NOT NULL,
  -- Of numbers, which don't sort like their texts.
  number numeric,
  -- As much of it as lists can be filtered by. The collation is that of names; the service replaces both together.
  value text COLLATE "und-x-icu" NOT NULL
);
-- Contract: the table is new.
DO $$ BEGIN
  EXECUTE format('ALTER TABLE listed_attributes ALTER COLUMN value TYPE text COLLATE %I',
    (SELECT coalesce(name_collation, 'und-x-icu') FROM index_state));
END $$;
CREATE UNIQUE INDEX listed_attributes__user_serial ON listed_attributes (user_serial, attribute_id, value COLLATE "C");
CREATE INDEX listed_attributes__value ON listed_attributes (attribute_id, value, user_serial);
CREATE INDEX listed_attributes__number ON listed_attributes (attribute_id, number, user_serial)
  WHERE number IS NOT NULL;

-- While users are indexed again, because an attribute has become filterable or searchable, or no longer is: those up to
-- this serial are.
ALTER TABLE index_state ADD attributes_built_to uuid;
-- Attributes are indexed up to this change. Less than the position if a node of the previous version has indexed users,
-- which leaves attributes out.
ALTER TABLE index_state ADD attributes_position bigint NOT NULL DEFAULT 0;
UPDATE index_state SET attributes_position = position;
