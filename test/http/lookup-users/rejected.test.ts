import { describe, test } from 'vitest';
import { useService } from '../../support/service.js';
import { bodyInvalid, expectRefusal, notJson, tooDeep, tooManyItems } from '../../support/user-failures.js';

const path = '/service/users/lookup';

describe('POST /service/users/lookup rejects a body that', () => {
  const service = useService();

  test.each([
    ['is empty', '', notJson(/empty|missing/)],
    ['is not JSON', '{"employeeIDs": [}', notJson('line 1, column 18')],
    ['is an array', '["E1"]', bodyInvalid('The body must be a JSON object, not an array')],
    [
      'has no employeeIDs',
      '{}',
      bodyInvalid('"employeeIDs" is required. It must be an array of one or more strings'),
    ],
    [
      'has an empty list of employeeIDs',
      '{"employeeIDs": []}',
      bodyInvalid('"employeeIDs" must be an array of one or more'),
    ],
    ['has an object as employeeIDs', '{"employeeIDs": {"0": "E1"}}', bodyInvalid('not an object')],
    ['has another field', '{"employeeIDs": ["E1"], "limit": 5}', bodyInvalid('"limit" is not a field')],
    ['repeats employeeIDs', '{"employeeIDs": ["E1"], "employeeIDs": []}', bodyInvalid('appears twice')],
    [
      'has a number in the list',
      '{"employeeIDs": ["E1", 7]}',
      bodyInvalid('employeeIDs[1] must be a string, but is a number'),
    ],
    ['is nested too deeply', `{"employeeIDs": ${'['.repeat(40)}`, tooDeep('32 levels')],
  ])('%s', async (_, rawBody, error) => {
    expectRefusal(await service.post(path, undefined, { rawBody }), 400, error);
  });

  test('has more than 10,000 IDs', async () => {
    const employeeIDs = Array.from({ length: 10_001 }, () => 'E1');
    const error = tooManyItems(
      /^A call can have at most 10000 employee IDs, but this one has 10001\. Split it into/,
    );
    expectRefusal(await service.post(path, { employeeIDs }), 413, error);
  });
});
