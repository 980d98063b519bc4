import { Type } from 'typebox';
import type { CallLabel } from '../contract/calls.js';
import { type Field, labelField } from '../contract/fields.js';
import { type GivenQuery, invalidParameter } from './query.js';

const sourceField = labelField(
  'Where the items come from, such as the name of a file. Kept with the call.',
  'users-2026-11-15.xlsx',
);
const noteField = labelField('What the call is for. Kept with the call.', 'Reorganization in November');

/** The query parameters that say what a bulk call is about. They are kept with the call and change nothing else. */
export const labelParameters = {
  source: Type.Optional(sourceField.optionalSchema ?? sourceField.schema),
  note: Type.Optional(noteField.optionalSchema ?? noteField.schema),
};

export function readLabel(query: GivenQuery): CallLabel {
  const source = readText(query, 'source', sourceField);
  const note = readText(query, 'note', noteField);
  return { source, note };
}

/** Null if absent or empty. */
function readText(query: GivenQuery, name: 'source' | 'note', field: Field<string>): string | null {
  const text = field.normalize(query[name]) ?? null;
  if (text === null || field.accepts(text)) return text;
  throw invalidParameter(name, `${field.explainProblem?.(text) ?? `must be ${field.rule}`}.`);
}
