-- An organization or tag whose name, parent and parts have moved to another serial. The row stays, because the indexer
-- may still count users with it, but it is in the directory only while a user has it.
ALTER TABLE organizations ADD COLUMN is_renamed boolean NOT NULL DEFAULT false;
ALTER TABLE tags ADD COLUMN is_renamed boolean NOT NULL DEFAULT false;

-- Users without an organization or without tags, of whom there are often few.
CREATE INDEX user_listing__no_organization ON user_listing (serial) WHERE organization_serial IS NULL;
CREATE INDEX user_listing__no_tags ON user_listing (serial) WHERE tag_serials = '{}';

-- Serials as searches see them: as they are, without accents, and with letters that some people write as two. Computing
-- this for every search took seconds in a directory of 100,000 serials.
ALTER TABLE organizations ADD COLUMN searched_serial text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  CASE WHEN octet_length(serial) = length(serial) THEN lower(serial)
    ELSE normalize(lower(serial COLLATE "und-x-icu")) || ' ' || regexp_replace(normalize(normalize(lower(serial COLLATE "und-x-icu")), NFD), '[\u0300-\u036f]', '', 'g') || ' ' ||
      regexp_replace(normalize(replace(replace(replace(replace(replace(replace(replace(normalize(lower(serial COLLATE "und-x-icu")), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe'), 'đ', 'dj'), 'ß', 'ss'), NFD), '[\u0300-\u036f]', '', 'g') END) STORED;
ALTER TABLE tags ADD COLUMN searched_serial text COLLATE "C" NOT NULL GENERATED ALWAYS AS (
  CASE WHEN octet_length(serial) = length(serial) THEN lower(serial)
    ELSE normalize(lower(serial COLLATE "und-x-icu")) || ' ' || regexp_replace(normalize(normalize(lower(serial COLLATE "und-x-icu")), NFD), '[\u0300-\u036f]', '', 'g') || ' ' ||
      regexp_replace(normalize(replace(replace(replace(replace(replace(replace(replace(normalize(lower(serial COLLATE "und-x-icu")), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'å', 'aa'), 'ø', 'oe'), 'đ', 'dj'), 'ß', 'ss'), NFD), '[\u0300-\u036f]', '', 'g') END) STORED;
