-- Users in the order of names, and in the order of employee IDs, in blocks of some thousand. Of each block, it is known
-- which frequent terms its users have, so a search in that order skips blocks in which nobody can match. A clear bit is
-- proof; a set bit may be outdated (docs/decisions/0029-indexing.md).
CREATE TABLE search_blocks (
  first_serial uuid NOT NULL,
  end_serial uuid,
  -- At least as many as there are. Null until they have been counted and their terms collected.
  users integer,
  sort text COLLATE "C" NOT NULL,
  -- A block ends before the first user of the next one.
  first_key text COLLATE "C" NOT NULL,
  end_key text COLLATE "C",
  terms bit varying NOT NULL,
  CONSTRAINT search_blocks__sort_first_key PRIMARY KEY (sort, first_key, first_serial)
) WITH (fillfactor = 50);
-- The service replaces this index together with user_listing__name.
DO $$ BEGIN
  EXECUTE format(
    'CREATE INDEX search_blocks__name ON search_blocks (first_key COLLATE %I, first_serial) WHERE sort = ''name''',
    (SELECT coalesce(name_collation, 'und-x-icu') FROM index_state));
END $$;

-- The terms that many users have, each with its bit in a block.
CREATE TABLE frequent_terms (
  term integer NOT NULL,
  bit integer NOT NULL,
  CONSTRAINT frequent_terms__term PRIMARY KEY (term)
);

-- The order of the blocks by name. Null if there are no blocks.
ALTER TABLE index_state ADD COLUMN blocks_collation text;
-- If the index is at another position, a node of the previous version has indexed users without updating the blocks.
ALTER TABLE index_state ADD COLUMN blocks_position bigint;
-- How many more users are written before the blocks are built anew, with the terms that are frequent by then.
ALTER TABLE index_state ADD COLUMN blocks_writes_left integer NOT NULL DEFAULT 0;

ALTER TABLE signed_in_users VALIDATE CONSTRAINT signed_in_users__users;
