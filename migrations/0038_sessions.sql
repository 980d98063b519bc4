-- Users see where they are signed in, and end sessions one by one. A session ends when it is not used for a while, and
-- what is sensitive asks for another proof of who sits there if the last one is old.
ALTER TABLE sessions
  ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN last_seen_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN proven_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN address text COLLATE "C",
  ADD COLUMN device text;
ALTER TABLE sessions ADD CONSTRAINT sessions__id UNIQUE (id);
