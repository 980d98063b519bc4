import { type ApiDocument, alternativesOf, errorCodeOf, type Schema } from './document.js';
import { sampleOnlyIn } from './pattern-samples.js';

export interface Change {
  /** What the changelog has to name: a field, a parameter, an error or an operation. */
  readonly subject: string;
  readonly problem: string;
}

interface Documents {
  readonly before: ApiDocument;
  readonly after: ApiDocument;
}

/** Where a schema is: the innermost name, and the way to it. */
interface Place {
  readonly subject: string;
  readonly text: string;
}

type Compare = (documents: Documents, before: Schema, after: Schema, place: Place) => Change[];

/** What was accepted before has to be accepted, with the same meaning. */
export const requestChanges: Compare = (documents, before, after, place) => {
  const now = alternativesOf(documents.after, after);
  return [
    ...alternativesOf(documents.before, before).flatMap((each) => {
      const match = matchOf(each, now);
      if (!match) return [change(place, `does not accept ${kindOf(each)}`)];
      return [...requestLimits(each, match, place), ...requestFields(documents, each, match, place)];
    }),
    ...(before.default === undefined || before.default === after.default
      ? []
      : [change(place, `defaults to ${after.default} instead of ${before.default}`)]),
  ];
};

const upperLimits = ['maxLength', 'maxItems', 'maximum'] as const;
const lowerLimits = ['minLength', 'minItems', 'minimum'] as const;

function requestLimits(before: Schema, after: Schema, place: Place): Change[] {
  const isLower = (limit: (typeof upperLimits)[number]) =>
    (after[limit] ?? Number.POSITIVE_INFINITY) < (before[limit] ?? Number.POSITIVE_INFINITY);
  const isHigher = (limit: (typeof lowerLimits)[number]) => {
    const none = limit === 'minimum' ? Number.NEGATIVE_INFINITY : 0;
    return (after[limit] ?? none) > (before[limit] ?? none);
  };
  const narrowed = [...upperLimits.filter(isLower), ...lowerLimits.filter(isHigher)];
  const sample = sampleOnlyIn(before.pattern, after.pattern);
  return [
    ...narrowed.map((limit) =>
      change(place, `has a ${limit} of ${after[limit]} instead of ${before[limit] ?? 'none'}`),
    ),
    ...lostValues(before, after).map((value) => change(place, `does not accept ${JSON.stringify(value)}`)),
    ...(valuesOf(after) && !valuesOf(before) ? [change(place, 'is limited to certain values')] : []),
    ...(sample === undefined ? [] : [change(place, `has a pattern without ${JSON.stringify(sample)}`)]),
    ...(after.format === undefined || after.format === before.format
      ? []
      : [change(place, `has the format ${after.format}`)]),
  ];
}

function requestFields(documents: Documents, before: Schema, after: Schema, place: Place): Change[] {
  const required = (after.required ?? []).filter((name) => !before.required?.includes(name));
  return [
    ...required.map((name) => change(fieldOf(place, name), 'is required')),
    ...(after.additionalProperties === false &&
    before.additionalProperties !== false &&
    before.type === 'object'
      ? [change(place, 'does not accept other fields')]
      : []),
    ...nestedChanges(documents, before, after, place, requestChanges),
  ];
}

/** What is sent has to be what callers know. Fields and values of enums may be added, and limits changed. */
export const replyChanges: Compare = (documents, before, after, place) => {
  // Errors are compared by their codes.
  const isOther = (schema: Schema) => place.text.startsWith('error ') || errorCodeOf(schema) === undefined;
  const known = alternativesOf(documents.before, before).filter(isOther);
  return alternativesOf(documents.after, after)
    .filter(isOther)
    .flatMap((each) => {
      const match = matchOf(each, known);
      if (!match) return [change(place, `can be ${kindOf(each)}`)];
      const optional = (match.required ?? []).filter(
        (name) => Object.hasOwn(each.properties ?? {}, name) && !each.required?.includes(name),
      );
      return [
        ...optional.map((name) => change(fieldOf(place, name), 'can be absent')),
        ...lostValues(match, each).map((value) => change(place, `is never ${JSON.stringify(value)}`)),
        ...(match.format === each.format ? [] : [change(place, `has the format ${each.format}`)]),
        ...nestedChanges(documents, match, each, place, replyChanges),
      ];
    });
};

/** Of fields and elements, as far as both have them; and fields that were removed. */
function nestedChanges(
  documents: Documents,
  before: Schema,
  after: Schema,
  place: Place,
  compare: Compare,
): Change[] {
  const fields = Object.entries(before.properties ?? {}).flatMap(([name, field]) => {
    const now = after.properties?.[name];
    const at = fieldOf(place, name);
    return now ? compare(documents, field, now, at) : [change(at, 'was removed')];
  });
  const [content, nowContent] = [contentsOf(before), contentsOf(after)];
  const elements = content.flatMap((schema, index) => {
    const now = nowContent[index];
    return schema && now ? compare(documents, schema, now, place) : [];
  });
  return [...fields, ...elements];
}

/** The schemas of what has no name: elements, values under any name, and events. */
function contentsOf({ items, additionalProperties, 'x-event-data': event }: Schema) {
  return [items, typeof additionalProperties === 'object' ? additionalProperties : undefined, event];
}

/** The alternative that a schema corresponds to: of the same type and, if several objects are possible, of the same name. */
function matchOf(schema: Schema, others: readonly Schema[]): Schema | undefined {
  const isSame = ({ type }: Schema) =>
    type === schema.type || (schema.type === 'integer' && type === 'number');
  const same = others.filter(isSame);
  return same.length > 1 ? same.find(({ title }) => title === schema.title) : same[0];
}

function kindOf({ title, type = 'any value' }: Schema): string {
  return title === undefined ? type : `${type} ${title}`;
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  return schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);
}

/** The values that were possible before and are not any more. */
function lostValues(before: Schema, after: Schema): unknown[] {
  const now = valuesOf(after);
  return now ? (valuesOf(before) ?? []).filter((value) => !now.includes(value)) : [];
}

function fieldOf({ text }: Place, name: string): Place {
  return { subject: name, text: `${text} field ${name}` };
}

function change({ subject, text }: Place, problem: string): Change {
  return { subject, problem: `${text} ${problem}` };
}
