-- The processes that serve this database, each of which says every few seconds that it is alive.
CREATE TABLE node_heartbeats (
  id uuid NOT NULL,
  -- Together they name the node; its workers share them.
  host text COLLATE "C" NOT NULL,
  port integer NOT NULL,
  version text COLLATE "C" NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT node_heartbeats__id PRIMARY KEY (id)
);
