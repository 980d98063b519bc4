import { Type } from 'typebox';
import { createFeedFields, patchFeedFields } from '../../contract/feeds.js';
import type { Field } from '../../contract/fields.js';
import { optional } from '../../contract/shapes.js';
import { type DescribedEntry, type ReadList, readDescribedList } from '../described-list.js';

export const secretNames = ['secret', 'passphrase', 'chatUrl'] as const;
export type SecretName = (typeof secretNames)[number];
export type SettingName = Exclude<keyof typeof patchFeedFields, SecretName>;

/** Where a secret is read from when the file is applied. */
export type SecretReference = { readonly env: string } | { readonly file: string };

/** A feed as a file describes it. Null resets a setting, or removes a secret. */
export type DescribedFeed = DescribedEntry<SettingName | SecretName>;

/** Reads `feeds: [{ key, … }]`, with a line number for everything that is wrong. */
export function readFeedFile(text: string): ReadList<SettingName | SecretName> {
  return readDescribedList<SettingName | SecretName>(text, {
    name: 'feeds',
    entryRule: 'A feed must be an object with a key, a name, a source and a mapping.',
    command: 'rollcall feeds apply',
    uses: {
      key: createFeedFields.key,
      ...patchFeedFields,
      secret: optional(referenceField('secret')),
      passphrase: optional(referenceField('passphrase')),
      chatUrl: optional(referenceField('chatUrl')),
    },
  });
}

const textMaxLength = 1_000;

/** Secrets themselves don't belong in a file that is shared. */
function referenceField(name: SecretName): Field<SecretReference> {
  const rule = `{ env: VARIABLE } or { file: PATH }`;
  return {
    schema: Type.Unsafe<SecretReference>({ type: 'object' }),
    rule,
    normalize: (sent) => sent,
    accepts: isReference,
    explainProblem: (value) =>
      typeof value === 'object'
        ? undefined
        : `must not be in the file as text, where others can read it. Name where it is: "${name}: ${rule.replace(' or ', `" or "${name}: `)}"`,
  };
}

function isReference(value: unknown): value is SecretReference {
  const [[kind, text] = [], ...others] = Object.entries(Object(value));
  const isText = typeof text === 'string' && text !== '' && text.length <= textMaxLength;
  return others.length === 0 && isText && (kind === 'env' || kind === 'file');
}
