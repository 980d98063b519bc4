-- Of a planned call: how many users it creates, deactivates and so on, so that it can be named without reading its items.
ALTER TABLE planned_calls ADD COLUMN effects json;
-- What whoever cancelled or rejected it said.
ALTER TABLE planned_calls ADD COLUMN cancel_reason text;
