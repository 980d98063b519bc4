/** The language of messages to a user. */
export const userLanguageCopy = {
  label: 'Language of messages',
  hint: 'Passwords and notices are sent in this language.',
  standard: (language: string) => `Default (${language})`,
  done: (name: string, language: string) => `Language of messages to ${name}: ${language}.`,
  notLoaded: "Couldn't load the language",
  failed: "Couldn't change the language",
};
