-- The indexer follows the change log in two steps: first it notes where the changes of each user and call are, which
-- reads can't do without, and then it indexes the users. This is how far the first step has come.
ALTER TABLE index_state ADD log_position bigint NOT NULL DEFAULT 0;
UPDATE index_state SET log_position = position;

-- Adding the tags of users one by one took more time than everything else about the listing. Like new search terms, they
-- are collected in a list, which the indexer moves into the index after each batch.
ALTER INDEX user_listing__tag_serials SET (fastupdate = on);
CREATE OR REPLACE FUNCTION flush_search_index() RETURNS bigint
  LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT
  AS $$ SELECT gin_clean_pending_list('user_search__terms') + gin_clean_pending_list('user_listing__tag_serials') $$;

-- PostgreSQL skips generated columns that an update doesn't affect, but prepares them again for every row unless it
-- affects at least one. Counting users changes hundreds of rows per batch: this column makes that ten times as fast.
ALTER TABLE organizations ADD COLUMN has_users boolean NOT NULL GENERATED ALWAYS AS (users_total > 0) STORED;
ALTER TABLE tags ADD COLUMN has_users boolean NOT NULL GENERATED ALWAYS AS (users_total > 0) STORED;
