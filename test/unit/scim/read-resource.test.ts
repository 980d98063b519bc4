import { expect, test } from 'vitest';
import { readResource } from '../../../src/scim/read-resource.js';
import { userSchema } from '../../../src/scim/schemas.js';

test('of several primary values, the last one stays primary', () => {
  const email = (value: string, primary: boolean) => ({ value, primary });
  const sent = [email('a@x.example', true), email('b@x.example', true), email('c@x.example', false)];
  expect(readResource({ userName: 'ada', emails: sent }, userSchema([]))).toMatchObject({
    value: { resource: { emails: [email('a@x.example', false), sent[1], sent[2]] } },
  });
});
