-- An email or phone that a user has entered for themself waits here until they enter the code that was sent to it.
CREATE TABLE contact_confirmations (
  user_serial uuid NOT NULL REFERENCES users (serial) ON DELETE CASCADE,
  field text NOT NULL COLLATE "C",
  value text NOT NULL,
  -- The message with the code. Each attempt to send it has a code of its own.
  delivery_id uuid NOT NULL,
  code_hash bytea,
  attempts_left smallint NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT contact_confirmations__user_serial__field PRIMARY KEY (user_serial, field)
);
ALTER TABLE contact_confirmations ADD CONSTRAINT contact_confirmations__delivery_id UNIQUE (delivery_id);
