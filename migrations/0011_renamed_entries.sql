-- An organization or tag whose name, parent and parts have moved to another serial. The row stays, because the indexer
-- may still count users with it, but it is in the directory only while a user has it.
ALTER TABLE organizations ADD COLUMN is_renamed boolean NOT NULL DEFAULT false;
ALTER TABLE tags ADD COLUMN is_renamed boolean NOT NULL DEFAULT false;
