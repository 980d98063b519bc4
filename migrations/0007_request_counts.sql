-- Requests of the busiest callers within a minute, over all nodes. Nothing here is worth a sync: after a crash it is empty,
-- and counting begins anew.
CREATE UNLOGGED TABLE request_counts (
  key          text        NOT NULL,
  window_start timestamptz NOT NULL,
  count        bigint      NOT NULL,
  CONSTRAINT request_counts__key__window_start PRIMARY KEY (key, window_start)
);
