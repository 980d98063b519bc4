import { beforeAll, describe, expect, test } from 'vitest';
import { givenPerson } from '../../support/people.js';
import {
  bodyVariants,
  type DescribedOperation,
  describedOperations,
  parameterVariants,
} from '../../support/schema-variants.js';
import { type Reply, useOwnService } from '../../support/service.js';

const service = useOwnService({
  ROLLCALL_SIGN_IN_FREE_FAILURES: '1000000',
  ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '1000000',
  ROLLCALL_TOKEN_REQUESTS_PER_MINUTE_MAX: '0',
});

const operations = describedOperations();
let personToken: string;
beforeAll(async () => {
  personToken = (await givenPerson(service)).token;
});

const ofUsers = new Set(['changePassword', 'setOwnLanguage']);

function send({ id, method, path }: DescribedOperation, body: unknown, query = ''): Promise<Reply> {
  const token = ofUsers.has(id) ? personToken : service.token;
  return service.request(method, path + query, { ...(body === undefined ? {} : { body }), token });
}

/** Errors about the request itself, rather than about what it refers to. */
const ofTheRequest = /^(REQUEST_(BODY|PARAMETER)_INVALID|USER_(FIELD_\w+|NOT_AN_OBJECT|CONTACT_REQUIRED))$/;

/** These look for the client or the user first. */
const otherStatus: Readonly<Record<string, number>> = {
  issueToken: 401,
  revokeToken: 401,
  userHistory: 404,
  listCallItems: 404,
};

function isRejected({ id }: DescribedOperation, { status }: Reply): boolean {
  return status === 400 || status === otherStatus[id];
}

/** A patch has to change something, and no tag in two ways, which its schema can't say. */
const acrossFields: Readonly<Record<string, RegExp>> = { updateMatching: /^patch(\.addTagSerials)?$/ };

function isAccepted({ id }: DescribedOperation, { status, json }: Reply): boolean {
  if (status >= 500) return false;
  if (json?.data?.parameter === 'effectiveAt' && /in the future/.test(json.detail)) return true; // no schema can say that
  if (json?.data?.parameter === 'includeParts') return true; // nor that it needs an organization
  return !ofTheRequest.test(json?.message) || acrossFields[id]?.test(json.data?.field) === true;
}

interface Variant {
  readonly change: string;
  readonly body: unknown;
  readonly query?: string;
  readonly isValid: boolean;
}

const isInvalid = ({ isValid }: Variant) => !isValid;

async function expectAgreement(operation: DescribedOperation, variants: readonly Variant[]): Promise<void> {
  const wrong: string[] = [];
  const check = async ({ change, body, query, isValid }: Variant) => {
    const reply = await send(operation, body, query);
    if (isValid ? isAccepted(operation, reply) : isRejected(operation, reply)) return;
    wrong.push(`${isValid ? 'valid' : 'invalid'}: ${change}: ${reply.status} ${reply.text}`);
  };
  for (let at = 0; at < variants.length; at += sentAtOnce) {
    await Promise.all(variants.slice(at, at + sentAtOnce).map(check));
  }
  expect(wrong).toEqual([]);
  expect(variants.filter(isInvalid).length).toBeGreaterThan(3);
}

const sentAtOnce = 50;

const isBulk = ({ id }: DescribedOperation) => id.endsWith('UsersBulk');

describe('the schema of the body of', () => {
  const withBody = operations.flatMap(({ body, ...operation }) => (body ? [{ ...operation, body }] : []));

  test.each(withBody.filter((operation) => !isBulk(operation)))('$id says what is accepted', (operation) =>
    expectAgreement(
      operation,
      bodyVariants(operation.body).map(({ value, ...variant }) => ({ ...variant, body: value })),
    ),
  );

  test.each(withBody.filter(isBulk))('$id says what is accepted', async (operation) => {
    const variants = bodyVariants(operation.body).map(({ value, ...variant }) => {
      const { items, ...others } = { ...(value as { items?: unknown }) };
      const isItem = Array.isArray(items) && items.length === 1 && Object.keys(others).length === 0;
      return { ...variant, value, item: isItem ? items[0] : undefined };
    });
    for (const { change, value } of variants.filter(({ item, isValid }) => item === undefined && !isValid)) {
      expect((await send(operation, value, '?dryRun=true')).status, change).toBe(400);
    }
    // Items are reported one by one, so one call is enough for all of them.
    const inItems = variants.filter(({ item }) => item !== undefined);
    const query = operation.id === 'updateUsersBulk' ? '?dryRun=true&details=true' : '?dryRun=true';
    const reply = await send(operation, { items: inItems.map(({ item }) => item) }, query);
    const rejected = new Map<number, unknown>();
    for (const { position, error } of reply.json.data.failedItems) {
      if (ofTheRequest.test(error.message)) rejected.set(position, error.detail);
    }
    const wrong = inItems
      .map(({ change, isValid }, position) => ({ change, isValid, error: rejected.get(position) }))
      .filter(({ isValid, error }) => isValid !== (error === undefined));
    expect(wrong).toEqual([]);
    expect(rejected.size).toBeGreaterThan(operation.id === 'eraseUsersBulk' ? 10 : 100); // one field, or many
  });
});

describe('the schemas of the query parameters of', () => {
  const withQuery = operations.filter(({ parameters }) => parameters.length > 0);

  test.each(withQuery)('$id say what is accepted', (operation) => {
    const body = operation.body?.examples[0];
    const requests = operation.parameters.flatMap((parameter) =>
      parameterVariants(parameter).map(({ text, isValid }) => {
        const query = `?${new URLSearchParams({ [parameter.name]: text })}`;
        return { change: query, query, body, isValid };
      }),
    );
    // A valid request to follow events would start a stream.
    return expectAgreement(
      operation,
      operation.id === 'followEvents' ? requests.filter(isInvalid) : requests,
    );
  });
});
