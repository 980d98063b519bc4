-- What identity providers know about groups and tags do not (docs/scim.md). Groups are tags, and their members are the users
-- who have the tag. Without a row, no provider has changed the tag. No foreign key: users may have a tag before the
-- directory does.
CREATE TABLE scim_groups (
  tag_serial text COLLATE "C" NOT NULL,
  created_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now(),
  -- Counts the changes by providers.
  version integer NOT NULL DEFAULT 1,
  -- The clients that have provisioned the group.
  providers text[] NOT NULL DEFAULT '{}',
  -- By the ID of the client.
  external_ids jsonb NOT NULL DEFAULT '{}',
  -- By value: members that are no users here, such as nested groups, and what was sent about users besides their ID.
  members jsonb NOT NULL DEFAULT '{}',
  CONSTRAINT scim_groups__tag_serial PRIMARY KEY (tag_serial)
) WITH (fillfactor = 80);
CREATE INDEX scim_groups__external_ids ON scim_groups USING gin (external_ids jsonb_path_ops);
-- By keys, to find the groups of a member.
CREATE INDEX scim_groups__members ON scim_groups USING gin (members);
