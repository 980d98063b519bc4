-- The words of all names, each with how many users have it. A search that finds few users is compared with them, to suggest
-- similar names. Written by the indexer, which counts everyone anew (docs/decisions/0052-suggested-searches.md).
CREATE TABLE name_words (
  users integer NOT NULL,
  word text COLLATE "C" NOT NULL,
  CONSTRAINT name_words__word PRIMARY KEY (word)
) WITH (fillfactor = 80);
UPDATE index_state SET built_to = '00000000-0000-0000-0000-000000000000' WHERE EXISTS (SELECT FROM users);
-- The extension may have been created in another schema than ours. New words are rare, so they go into the index at once.
-- Contract: the table is new.
DO $$
DECLARE
  extension text := (SELECT extnamespace::regnamespace FROM pg_extension WHERE extname = 'pg_trgm');
BEGIN
  EXECUTE format('CREATE INDEX name_words__similar ON name_words USING gin (word %s.gin_trgm_ops) WITH (fastupdate = off)', extension);
  EXECUTE format('CREATE FUNCTION similar_name_words(typed text) RETURNS SETOF name_words LANGUAGE sql STABLE AS
    %L', format('SELECT users, word FROM name_words WHERE word OPERATOR(%1$s.%%) typed
      ORDER BY %1$s.similarity(word, typed) DESC, word LIMIT 50', extension));
END $$;
