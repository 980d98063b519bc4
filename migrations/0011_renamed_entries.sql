-- An organization or tag whose name, parent and parts have moved to another serial. The row stays, because the indexer
-- may still count users with it, but it is in the directory only while a user has it.
ALTER TABLE organizations ADD COLUMN is_renamed boolean NOT NULL DEFAULT false;
ALTER TABLE tags ADD COLUMN is_renamed boolean NOT NULL DEFAULT false;

-- Users without an organization or without tags, of whom there are often few.
CREATE INDEX user_listing__no_organization ON user_listing (serial) WHERE organization_serial IS NULL;
CREATE INDEX user_listing__no_tags ON user_listing (serial) WHERE tag_serials = '{}';
