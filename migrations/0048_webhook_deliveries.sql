-- The last attempts to deliver to each webhook, so that people can see what a receiver got and what it responded. The
-- events themselves stay in the change log: a message is put together again from it.
CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  webhook_id uuid NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  -- The numbers of its events.
  sequences bigint[] NOT NULL,
  attempt integer NOT NULL,
  is_delivered boolean NOT NULL,
  status integer,
  duration_ms integer NOT NULL,
  event_type text COLLATE "C" NOT NULL,
  -- Why it was not delivered, and the same as a sentence.
  problem text COLLATE "C",
  reason text,
  -- The beginning of the response. It may repeat what was sent.
  response text,
  CONSTRAINT webhook_deliveries__id PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries__webhooks FOREIGN KEY (webhook_id) REFERENCES webhooks (id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries__webhook_id ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries__at ON webhook_deliveries (at);

-- The same of the last attempt: the console says it in the language of the user. The sentences stay for callers.
ALTER TABLE webhooks
  ADD COLUMN last_problem text COLLATE "C",
  ADD COLUMN last_status integer,
  ADD COLUMN disabled_cause text COLLATE "C";
