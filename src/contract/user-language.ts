import { Type } from 'typebox';
import { type Language, languages } from './enums.js';
import { type Field, nullable } from './fields.js';
import { optional, Serial, success } from './shapes.js';

const languageField: Field<Language> = {
  schema: Type.String({ enum: [...languages] }),
  rule: `one of ${languages.join(', ')}, or null for the language of the installation`,
  normalize: (sent) => sent,
  accepts: (value): value is Language => languages.some((language) => language === value),
};

/** Null has a meaning, so the field must be present. */
export const languageFields = { language: optional(languageField) } as const;

const LanguageOrNone = nullable({
  ...languageField.schema,
  description: 'The language of messages to the user; null for that of the installation.',
  examples: ['de'],
});

export const SetLanguage = Type.Object(
  { language: LanguageOrNone },
  { title: 'SetLanguage', description: 'A language, or null for none.', additionalProperties: false },
);

export const LanguageReply = success(
  'LanguageReply',
  Type.Object({
    serial: Serial,
    language: LanguageOrNone,
    defaultLanguage: Type.String({
      enum: [...languages],
      description: 'The language of the installation, which applies if `language` is null.',
      examples: ['en'],
    }),
  }),
);
