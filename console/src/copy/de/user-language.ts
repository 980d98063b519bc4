import type { userLanguageCopy as english } from '../en/user-language.js';
import type { Translation } from '../translation.js';

export const userLanguageCopy: Translation<typeof english> = {
  label: 'Sprache der Nachrichten',
  hint: 'Passwörter und Hinweise werden in dieser Sprache gesendet.',
  standard: (language) => `Standard (${language})`,
  done: (name, language) => `Sprache der Nachrichten an ${name}: ${language}.`,
  notLoaded: 'Die Sprache konnte nicht geladen werden',
  failed: 'Die Sprache konnte nicht geändert werden',
};
