import { describe, test } from 'vitest';
import {
  type ApiOperation,
  apiOperations,
  type Body,
  hostileBodies,
  ordinaryBody,
} from '../support/hostile-requests.js';
import {
  expectCheap,
  expectCheapQueries,
  limitSteps,
  listTimesMax,
  ordinaryCost,
  sendBody,
  timesMax,
} from '../support/request-costs.js';
import { useOwnService } from '../support/service.js';
import { givenSignedInUser } from '../support/signed-in-users.js';

const bodyBytes = 60_000;
const listBytes = 1_000_000;

const service = useOwnService({
  ROLLCALL_SIGN_IN_FREE_FAILURES: '1000000',
  ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '1000000',
  ROLLCALL_TOKEN_REQUESTS_PER_MINUTE_MAX: '0',
});
limitSteps();

/**
 * Other operations have the same fields, and try every shape in each. In the items of a list, every field has one or two:
 * there are ten bodies per field, so every ninth has another shape in another field.
 */
function bodiesOf(operation: ApiOperation, size: number): Body[] {
  const bodies = hostileBodies(operation, size);
  if (operation.list === undefined) return bodies;
  const inFields = bodies.filter(({ shape }) => shape.includes(': '));
  const tried = new Set(inFields.filter((_, index) => index % 9 === 0));
  return bodies.filter((body) => !inFields.includes(body) || tried.has(body));
}

const withBody = apiOperations().filter(({ type }) => type !== 'none');

describe('no body costs much more than an ordinary one of the same size', () => {
  test.each(withBody)('$id', async (operation) => {
    const token = operation.path.endsWith('/change-password')
      ? (await givenSignedInUser(service)).token
      : service.token;
    const [size, max] = operation.list === undefined ? [bodyBytes, timesMax] : [listBytes, listTimesMax];
    const send = (bytes: Buffer) => () => sendBody(service, operation, bytes, token);
    const ordinary = await ordinaryCost(send(ordinaryBody(operation, size)));
    for (const { shape, bytes } of bodiesOf(operation, size))
      await expectCheap(shape, send(bytes), ordinary, max);
  });
});

describe('no query or header costs much more than an ordinary one of the same size', () => {
  test.each(apiOperations())('$id', (operation) => expectCheapQueries(service, operation));
});
