import { Type } from 'typebox';
import { isWithin } from './code-points.js';
import { factorKinds } from './enums.js';
import { type Field, lineField, withoutNul } from './fields.js';
import {
  bodyOf,
  type FieldUse,
  optional,
  orNull,
  propertiesOf,
  required,
  Serial,
  success,
  Timestamp,
} from './shapes.js';

export const factorLimits = {
  factorsMax: 10,
  recoveryCodes: 10,
  codeMaxLength: 64,
  nameMaxLength: 60,
  /** Keys and signatures of passkeys, some of which sign with algorithms that withstand quantum computers. */
  passkeyTextMaxLength: 8_192,
} as const;

const { codeMaxLength, nameMaxLength, passkeyTextMaxLength } = factorLimits;

const codeOptions = {
  maxLength: codeMaxLength,
  description:
    'The code that the authenticator app shows, or a recovery code, with or without spaces and hyphens.',
  examples: ['492 039'],
};

export const codeField: Field<string> = {
  schema: Type.String({ ...codeOptions, pattern: withoutNul.required, minLength: 1 }),
  optionalSchema: Type.String({ ...codeOptions, pattern: withoutNul.optional }),
  rule: `a text of 1 to ${codeMaxLength} characters`,
  normalize: (sent) => (sent === '' ? null : sent),
  accepts: (value): value is string =>
    typeof value === 'string' && isWithin(value, codeMaxLength) && !value.includes('\u0000'),
};

const factorName = lineField({
  description: 'What the user calls it.',
  example: 'Work laptop',
  maxLength: nameMaxLength,
});

interface Credential<Response> {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: Response;
}

/** What a browser makes of the options of a sign-in (PublicKeyCredential.toJSON), without what is of no use here. */
export type PasskeyAssertion = Credential<{
  readonly clientDataJSON: string;
  readonly authenticatorData: string;
  readonly signature: string;
  readonly userHandle?: string;
}>;

/** The same for a new passkey. */
export type PasskeyAttestation = Credential<{
  readonly clientDataJSON: string;
  readonly attestationObject: string;
  readonly transports?: readonly string[];
}>;

const encoded: Field<string> = {
  schema: Type.String({
    pattern: '^[A-Za-z0-9_-]+$',
    maxLength: passkeyTextMaxLength,
    description: 'In Base64url.',
    examples: ['mEk2m3wPZ0k'],
  }),
  rule: `up to ${passkeyTextMaxLength} characters of Base64url`,
  normalize: (sent) => sent,
  accepts: (value): value is string =>
    typeof value === 'string' && value.length <= passkeyTextMaxLength && /^[A-Za-z0-9_-]+$/.test(value),
};
const transportsMax = 10;
const transportForm = '^[a-z-]{1,32}$';
/** They are stored in one text, separated by spaces. */
const transports: Field<readonly string[]> = {
  schema: Type.Array(Type.String({ pattern: transportForm }), {
    maxItems: transportsMax,
    description: 'How the browser reaches the passkey.',
    examples: [['internal', 'hybrid']],
  }),
  rule: `a list of up to ${transportsMax} words`,
  normalize: (sent) => sent,
  accepts: (value): value is readonly string[] =>
    Array.isArray(value) &&
    value.length <= transportsMax &&
    value.every((each) => typeof each === 'string' && new RegExp(transportForm).test(each)),
};

/** Browsers add fields of their own, which are ignored. */
function credentialField<C extends Credential<unknown>>(
  response: Readonly<Record<string, FieldUse>>,
  description: string,
): Field<C> {
  const names = Object.keys(response);
  const acceptsAll = (sent: Readonly<Record<string, unknown>>) =>
    Object.entries(response).every(([name, { field, required: isRequired }]) =>
      sent[name] === undefined ? !isRequired : field.accepts(sent[name]),
    );
  return {
    schema: Type.Object(
      {
        id: encoded.schema,
        rawId: encoded.schema,
        type: Type.String({ const: 'public-key' }),
        response: Type.Object(propertiesOf(response)),
      },
      { description: `${description} As JSON.stringify makes it of a PublicKeyCredential.` },
    ),
    rule: `an object with id, rawId, type and a response with ${names.join(', ')}, as the browser returns it`,
    normalize: (sent) => {
      if (!isObject(sent) || !isObject(sent.response)) return sent;
      const { id, rawId, type, response: all } = sent;
      const given = names.flatMap((name) => (all[name] == null ? [] : [[name, all[name]]]));
      return { id, rawId, type, response: Object.fromEntries(given) };
    },
    accepts: (value): value is C =>
      isObject(value) &&
      encoded.accepts(value.id) &&
      encoded.accepts(value.rawId) &&
      value.type === 'public-key' &&
      isObject(value.response) &&
      acceptsAll(value.response),
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const passkeyAssertionField = credentialField<PasskeyAssertion>(
  {
    clientDataJSON: required(encoded),
    authenticatorData: required(encoded),
    signature: required(encoded),
    userHandle: optional(encoded),
  },
  'The passkey, with the challenge of the options signed.',
);

export const passkeyAttestationField = credentialField<PasskeyAttestation>(
  {
    clientDataJSON: required(encoded),
    attestationObject: required(encoded),
    transports: optional(transports),
  },
  'The new passkey.',
);

export const factorFields = { code: required(codeField) } as const;
export const factorNameFields = { name: required(factorName) } as const;
export const newPasskeyFields = {
  passkey: required(passkeyAttestationField),
  name: optional(factorName),
} as const;
export const passkeyFields = { passkey: required(passkeyAssertionField) } as const;

export const GiveFactor = bodyOf(factorFields, { title: 'GiveFactor', description: 'A code of the user.' });
export const StartTotp = bodyOf(
  { name: optional(factorName) },
  { title: 'StartTotp', description: 'The new app.' },
);
export const NameFactor = bodyOf(factorNameFields, { title: 'NameFactor', description: 'Another name.' });
export const AddPasskey = bodyOf(newPasskeyFields, { title: 'AddPasskey', description: 'A new passkey.' });
export const UsePasskey = bodyOf(passkeyFields, { title: 'UsePasskey', description: 'A passkey.' });
export const startTotpFields = { name: optional(factorName) } as const;

export const FactorView = Type.Object(
  {
    id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5f'] }),
    kind: Type.String({
      enum: [...factorKinds],
      description: 'A passkey, or an app that shows codes (totp).',
    }),
    name: Type.String({ examples: ['Work laptop'] }),
    createdAt: Timestamp,
    lastUsedAt: orNull(Timestamp),
  },
  { title: 'Factor' },
);

const recoveryCodesLeft = Type.Integer({ description: 'How many recovery codes are left.', examples: [10] });
const RecoveryCodes = Type.Array(Type.String(), {
  description: 'Each works once, in place of a factor. They are shown only here.',
  examples: [['7KQ2-M9XW-4HTV-B3RD-N8PZ-6CYF']],
});

export const FactorListReply = success(
  'FactorList',
  Type.Object({ factors: Type.Array(FactorView), recoveryCodesLeft }),
);
export const FactorReply = success('FactorReply', Type.Object({ factor: FactorView }));
/** The session goes on with another token. */
export const FactorAddedReply = success(
  'FactorAdded',
  Type.Object({
    factor: FactorView,
    recoveryCodes: orNull(RecoveryCodes),
    accessToken: Type.Optional(Type.String({ description: 'Missing if the session is in a cookie.' })),
    tokenType: Type.Optional(Type.String({ const: 'Bearer' })),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
  }),
);
export const RecoveryCodesReply = success('RecoveryCodes', Type.Object({ recoveryCodes: RecoveryCodes }));
export const TotpStartedReply = success(
  'TotpStarted',
  Type.Object({
    id: Type.String(),
    secret: Type.String({
      description: 'In Base32, to be typed into an app.',
      examples: ['JBSWY3DPEHPK3PXP…'],
    }),
    uri: Type.String({
      description: 'The same for a QR code.',
      examples: ['otpauth://totp/Rollcall:ada?secret=…'],
    }),
  }),
);
/** For navigator.credentials; browsers define its fields. */
export const PasskeyOptionsReply = success(
  'PasskeyOptions',
  Type.Object({
    options: Type.Object(
      {},
      {
        additionalProperties: true,
        description: 'For PublicKeyCredential.parseRequestOptionsFromJSON or parseCreationOptionsFromJSON.',
      },
    ),
  }),
);
export const FactorsResetReply = success(
  'FactorsReset',
  Type.Object({ serial: Serial, removed: Type.Integer({ description: 'How many factors there were.' }) }),
);
