import { expect, test } from 'vitest';
import type { Attribute } from '../../src/contract/attributes.js';
import { partsOf } from '../../src/domain/users/plans/user-patch.js';

const attributes = [
  { id: 1, key: 'costCentre', isSensitive: false },
  { id: 2, key: 'salary', isSensitive: true },
] as Attribute[];

test('the parts of a patch name what it sets, but no value, manager or sensitive attribute', () => {
  const patch = {
    ...{ isActive: true, organizationSerial: 'ORG7', managerEmployeeID: 'E1' },
    ...{ addTagSerials: ['T1'], removeTagSerials: ['T2'], attributes: { 1: '4711', 2: 3000 } },
  };
  expect(partsOf(patch, attributes)).toEqual([
    { kind: 'activate', target: null },
    { kind: 'addTag', target: 'T1' },
    { kind: 'removeTag', target: 'T2' },
    { kind: 'setOrganization', target: 'ORG7' },
    { kind: 'setManager', target: null },
    { kind: 'setAttribute', target: 'costCentre' },
    { kind: 'setAttribute', target: null },
  ]);
  const clearing = {
    isActive: false,
    organizationSerial: null,
    managerEmployeeID: null,
    attributes: { 1: null },
  };
  expect(partsOf(clearing, attributes)).toEqual([
    { kind: 'deactivate', target: null },
    { kind: 'clearOrganization', target: null },
    { kind: 'clearManager', target: null },
    { kind: 'clearAttribute', target: 'costCentre' },
  ]);
  expect(partsOf({ addTagSerials: [], removeTagSerials: [] }, attributes)).toEqual([]);
});
