import { type Field, labelField } from '../contract/fields.js';
import { invalidParameter, type Parameter } from './query.js';

const sourceField = labelField(
  'Where the items come from, such as the name of a file. Kept with the call.',
  'users-2026-11-15.xlsx',
);
const noteField = labelField('What the call is for. Kept with the call.', 'Reorganization in November');

/** The query parameters that say what a bulk call is about. They are kept with the call and change nothing else. */
export const labelParameters = { source: labelParameter(sourceField), note: labelParameter(noteField) };

/** Why a planned call is cancelled. */
export const reasonParameter = labelParameter(
  labelField('Why the call is cancelled or rejected. Kept with the call.', 'Two of them stay until March'),
);

/** Null if absent or empty. */
function labelParameter(field: Field<string>): Parameter<string | null> {
  return {
    schema: field.optionalSchema ?? field.schema,
    otherwise: null,
    read: (sent, name) => {
      const text = field.normalize(sent) ?? null;
      if (text === null || field.accepts(text)) return text;
      throw invalidParameter(name, `${field.explainProblem?.(text) ?? `must be ${field.rule}`}.`);
    },
  };
}
