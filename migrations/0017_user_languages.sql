-- The language of messages to a user, if it isn't that of the installation.
CREATE TABLE user_languages (
  user_serial uuid NOT NULL,
  language text COLLATE "C" NOT NULL,
  CONSTRAINT user_languages__user_serial PRIMARY KEY (user_serial),
  CONSTRAINT user_languages__users FOREIGN KEY (user_serial) REFERENCES users (serial) ON DELETE CASCADE,
  CONSTRAINT user_languages__language CHECK (language IN ('en', 'de', 'es'))
);
