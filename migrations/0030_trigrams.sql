-- Searches look for three letters in a row, which the extension pg_trgm indexes. Until now, the service computed such
-- terms itself and kept tables about where frequent ones are. What lists and searches need is in one table now, so that
-- a page in any order is read from it alone. The indexer fills it anew (docs/decisions/0029-indexing.md).
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- Contract: none of these tables was ever part of a release.
DROP TABLE user_search;
-- Contract: the same.
DROP TABLE search_buckets;
-- Contract: the same.
DROP TABLE search_blocks;
-- Contract: the same.
DROP TABLE frequent_terms;
-- Contract: the same.
ALTER TABLE index_state DROP COLUMN blocks_collation, DROP COLUMN blocks_position, DROP COLUMN blocks_writes_left;

TRUNCATE user_listing;
UPDATE index_state SET built_to = '00000000-0000-0000-0000-000000000000' WHERE EXISTS (SELECT FROM users);
-- Contract: nodes of the last release don't know this table.
ALTER TABLE user_listing
  ADD COLUMN employee_id text COLLATE "C" NOT NULL,
  -- By which a user is found, with single spaces between and around them.
  ADD COLUMN words text COLLATE "C" NOT NULL;
CREATE INDEX user_listing__employee_id ON user_listing (employee_id);
-- The extension may have been created in another schema than ours.
DO $$ BEGIN
  EXECUTE format('CREATE INDEX user_listing__words ON user_listing USING gin (words %I.gin_trgm_ops)',
    (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm'));
END $$;
CREATE OR REPLACE FUNCTION flush_search_index() RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
  AS $$ SELECT gin_clean_pending_list('user_listing__words') + gin_clean_pending_list('user_listing__tag_serials') $$;
