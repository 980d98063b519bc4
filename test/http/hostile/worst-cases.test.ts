import { expect, test } from 'vitest';
import {
  type ApiOperation,
  apiOperations,
  hostileBodies,
  ordinaryBody,
} from '../../support/hostile-requests.js';
import {
  expectCheap,
  expectCheapQueries,
  limitSteps,
  listTimesMax,
  ordinaryCost,
  sendBody,
  timesMax,
} from '../../support/request-costs.js';
import { useService } from '../../support/service.js';

// One operation for an object and one for a list. test/release sends each shape to every operation and in every field.
const service = useService();
limitSteps();

const operations = apiOperations();

function operationOf(id: string): ApiOperation {
  const found = operations.find((operation) => operation.id === id);
  if (!found) throw new Error(`there is no operation ${id}`);
  return found;
}

test.each([
  ['createUser', 60_000, timesMax, /^name: |^[^:]+$/],
  ['lookupUsers', 200_000, listTimesMax, /^10,000 × |too many/],
])('no body for %s costs much more than an ordinary one of the same size', async (id, size, max, shapes) => {
  const operation = operationOf(id);
  const send = (bytes: Buffer) => () => sendBody(service, operation, bytes);
  const ordinary = await ordinaryCost(send(ordinaryBody(operation, size)));
  const bodies = hostileBodies(operation, size).filter(({ shape }) => shapes.test(shape));
  expect(bodies.length).toBeGreaterThan(3);
  for (const { shape, bytes } of bodies) await expectCheap(shape, send(bytes), ordinary, max);
});

test('no query or header costs much more than an ordinary one of the same size', () =>
  expectCheapQueries(service, operationOf('listUsers')));
