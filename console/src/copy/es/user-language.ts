import type { userLanguageCopy as english } from '../en/user-language.js';
import type { Translation } from '../translation.js';

export const userLanguageCopy: Translation<typeof english> = {
  label: 'Idioma de los mensajes',
  hint: 'Las contraseñas y los avisos se envían en este idioma.',
  standard: (language) => `Predeterminado (${language})`,
  done: (name, language) => `Idioma de los mensajes a ${name}: ${language}.`,
  notLoaded: 'No se pudo cargar el idioma',
  failed: 'No se pudo cambiar el idioma',
};
