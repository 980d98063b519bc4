import { errorFrom, RollcallError } from '@rollcall/client';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AttributeDraft,
  keyFromLabel,
  newAttribute,
  problemsOf,
  settingsOf,
} from '../../../console/src/components/attribute-draft.js';
import {
  type Attribute,
  type AttributeValue,
  attributeLabel,
  attributeProblem,
  changedAttributes,
  formatAttribute,
  rememberAttributes,
} from '../../../console/src/components/attribute-value.js';
import { errorMessage, fieldLabel } from '../../../console/src/components/error-message.js';
import { formatDay, formatDecimal, parseDecimal } from '../../../console/src/copy/format.js';
import { storedValue } from '../../../console/src/users/data/user.js';
import { findEditConflicts, rebaseDraft } from '../../../console/src/users/detail/edit-conflict.js';
import {
  changedFields,
  draftOf,
  patchOf,
  typedValue,
  withValue,
} from '../../../console/src/users/form/draft.js';
import { fieldsConcerned, holderOf, validateDraft } from '../../../console/src/users/form/field-problems.js';
import { latestChangeOf } from '../../../console/src/users/form/save-fields.js';
import { columnName, readView, shownColumns, writeView } from '../../../console/src/users/list/users-view.js';
import { cellsOf } from '../../../console/src/users/selection/export-rows.js';
import { attributesFor, patchFor } from '../../../console/src/users/selection/user-change.js';
import { attributeField } from '../../../src/contract/attribute-rules.js';
import { viewedUser } from '../../support/stored-user.js';
import { defined } from './imports.js';

describe('a number', () => {
  it.each([
    ['1234.5', 'en', 1234.5],
    ['1,234.5', 'en', 1234.5],
    ['1.234,5', 'de', 1234.5],
    ['1.234', 'de', 1234],
    [' 12,5 ', 'de', 12.5],
    ['1 234,5', 'de-AT', 1234.5],
    ['−3', 'es', -3],
    ['12.5', 'de', undefined],
    ['1.23.4', 'de', undefined],
    ['1,5', 'en', undefined],
    ['5 h', 'en', undefined],
    ['', 'en', undefined],
  ])('%j is read in %s as %s', (text, region, number) => {
    expect(parseDecimal(text, region)).toBe(number);
  });

  it('is shown as it is read, without a separator in years', () => {
    for (const number of [2026, 0.1, -12_345.678]) expect(parseDecimal(formatDecimal(number))).toBe(number);
    expect([2026, 12_345.6].map(formatDecimal)).toEqual(['2026', '12,345.6']);
  });
});

describe('an attribute', () => {
  it('is called by its label in the language of the user, or in another one, or by its key', () => {
    expect(attributeLabel(defined({ labels: { en: 'Site', de: 'Standort' } }), 'de')).toBe('Standort');
    expect(attributeLabel(defined({ labels: { de: 'Standort' } }), 'es')).toBe('Standort');
    expect(attributeLabel(defined({}))).toBe('site');
  });

  it.each([
    ['date', '2026-12-31', formatDay('2026-12-31')],
    ['number', 12_345.5, '12,345.5'],
    ['boolean', false, 'No'],
    ['list', ['A', 'B'], 'A, B'],
    ['list', ['A, b', 'C'], 'A, b; C'],
    ['text', null, '(empty)'],
    [undefined, '2026-12-31', '2026-12-31'],
  ] as const)('of type %s shows %j as %s', (type, value, text) => {
    expect(formatAttribute(type, value)).toBe(text);
  });

  it.each<[Partial<Attribute>, AttributeValue[]]>([
    [{ type: 'text', maxLength: 3 }, ['abc', 'abcd', '\u{1F600}\u{1F600}\u{1F600}']],
    [{ type: 'number', minimum: 0, maximum: 40 }, [0, 40, 40.5, -1, 'x', 1e21, 0.1]],
    [{ type: 'number' }, [123456789012345, 1234567890123456]],
    [{ type: 'date', minimum: '2026-01-01' }, ['2026-01-01', '2025-12-31', 'soon']],
    [{ type: 'choice', choices: ['Berlin', 'Lyon'] }, ['Lyon', 'lyon']],
    [{ type: 'boolean' }, [true, false, 'true']],
    [{ type: 'list', maxLength: 2 }, [['ab'], ['abc'], Array.from({ length: 101 }, String)]],
  ])('%j accepts what the service accepts', (part, values) => {
    const attribute = defined(part);
    const field = attributeField(attribute);
    for (const value of values) {
      const isAccepted = attributeProblem(attribute, value) === undefined;
      expect(isAccepted, JSON.stringify(value)).toBe(field.accepts(value));
    }
    expect(attributeProblem(attribute, '')).toBeUndefined();
  });
});

const [site, hours] = [
  defined({ key: 'site', labels: { en: 'Site' }, type: 'choice', choices: ['Berlin', 'Lyon'] }),
  defined({ key: 'hours', labels: { en: 'Hours' }, type: 'number', maximum: 40 }),
];
const ada = { ...viewedUser({ serial: 's1', employeeID: 'E1', name: 'Ada' }), email: 'a@example.com' };
const working = { ...ada, attributes: { hours: 60, site: 'Berlin' } };

describe('the attributes of a user', () => {
  it('are sent together, if they changed', () => {
    const draft = withValue(withValue(draftOf(working), 'attributes.site', ''), 'attributes.badge', ' B1 ');
    expect(changedFields(working, draft)).toEqual(['attributes.site', 'attributes.badge']);
    expect(patchOf(working, draft)).toEqual({ attributes: { site: null, badge: 'B1' } });
    expect(patchOf(working, withValue(draft, 'attributes.hours', 60))).toEqual(patchOf(working, draft));
  });

  it('keep a value that a new limit excludes', () => {
    const unchanged = withValue(draftOf(working), 'attributes.site', 'Paris');
    expect(validateDraft(unchanged, [site, hours], working)).toEqual({
      'attributes.site': 'Choose one of these: Berlin, Lyon.',
    });
    expect(validateDraft(withValue(unchanged, 'attributes.hours', 50), [site, hours], working)).toMatchObject(
      {
        'attributes.hours': 'Enter 40 or less.',
      },
    );
  });

  it('are merged one by one with those that someone else has changed', () => {
    const theirs = { ...working, attributes: { hours: 30, site: 'Lyon' } };
    const draft = withValue(draftOf(working), 'attributes.hours', 20);
    expect(findEditConflicts(working, theirs, draft)).toEqual([
      { field: 'attributes.hours', before: 60, theirs: 30, mine: 20 },
      { field: 'attributes.site', before: 'Berlin', theirs: 'Lyon', mine: undefined },
    ]);
    expect(patchOf(theirs, rebaseDraft(working, theirs, draft))).toEqual({ attributes: { hours: 20 } });
  });

  it('have a history of their own', () => {
    const change = { before: { site: 'Berlin' }, after: { site: 'Lyon', hours: 20 } };
    expect(changedAttributes(change)).toEqual([
      { key: 'site', before: 'Berlin', after: 'Lyon' },
      { key: 'hours', before: undefined, after: 20 },
    ]);
    const changes = [
      { fields: { attributes: { before: {}, after: { site: 'Lyon' } } } },
      { fields: { attributes: change } },
    ];
    expect(latestChangeOf(changes, 'attributes.hours')).toBe(changes[1]);
  });

  it('are columns of the list, unless they are unknown', () => {
    const view = readView('columns=name,attributes.hours,attributes.gone');
    expect(writeView(view)).toBe('columns=name%2Cattributes.hours%2Cattributes.gone');
    expect(shownColumns(view, [site, hours])).toEqual(['name', 'attributes.hours']);
    expect(columnName('attributes.hours', [site, hours])).toBe('Hours');
    expect(readView('sort=-attributes.hours')).toMatchObject({
      sort: 'attributes.hours',
      isDescending: true,
    });
  });

  it('are exported in forms that spreadsheets calculate with', () => {
    const attributes = { hours: 12.5, start: '2026-12-31', isRemote: false, skills: ['a, b', 'c'] };
    const columns = ['hours', 'start', 'isRemote', 'skills', 'gone'].map(
      (key) => `attributes.${key}` as const,
    );
    const names = { organizations: new Map(), tags: new Map() };
    expect(cellsOf({ ...ada, attributes }, columns, names)).toEqual([
      12.5,
      '2026-12-31',
      'No',
      'a, b\nc',
      null,
    ]);
  });

  it('are changed for many users, unless they are unique or retired', () => {
    const others = [defined({ key: 'badge', isUnique: true }), defined({ key: 'old', isRetired: true })];
    const keys = (kind: 'setAttribute' | 'clearAttribute' | 'addTag') =>
      attributesFor(kind, [site, ...others]).map(({ key }) => key);
    expect(keys('setAttribute')).toEqual(['site']);
    expect(keys('clearAttribute')).toEqual(['site', 'badge']);
    expect(keys('addTag')).toEqual([]);
    const change = { serial: '', attribute: site } as const;
    expect(patchFor({ ...change, kind: 'setAttribute', value: 'Lyon' })).toEqual({
      attributes: { site: 'Lyon' },
    });
    expect(patchFor({ ...change, kind: 'setAttribute', value: 'Paris' })).toBeUndefined();
    expect(patchFor({ ...change, kind: 'clearAttribute' })).toEqual({ attributes: { site: null } });
  });
});

describe('errors about attributes', () => {
  afterEach(() => rememberAttributes([]));

  const failed = (errorCode: number, message: string, data: object) =>
    new RollcallError(400, errorFrom({ errorCode, message, detail: 'No.', data }));

  it('name the attribute and what it accepts', () => {
    rememberAttributes([hours]);
    const error = failed(10107, 'USER_FIELD_INVALID', { field: 'attributes.hours', problem: 'No.' });
    expect(errorMessage(error as never)).toBe('Hours: Enter 40 or less.');
    expect(fieldsConcerned(error)).toEqual(['attributes.hours']);
  });

  it('name the user who has a unique value', () => {
    const data = { attribute: 'badge', position: null, serial: 's2' };
    const error = failed(10113, 'USER_ATTRIBUTE_EXISTS', data);
    expect(fieldsConcerned(error)).toEqual(['attributes.badge']);
    expect(holderOf(error)).toBe('s2');
  });
});

describe('the definition of an attribute', () => {
  it.each([
    ['End of contract', 'endOfContract'],
    ['Größe (cm)', 'groesseCm'],
    ['2. Standort', 'standort'],
    ['部門', 'attribute'],
  ])('%s has the key "%s" unless it is changed', (label, key) => {
    expect(keyFromLabel(label)).toBe(key);
  });

  it('sends only what belongs to its type', () => {
    const draft: AttributeDraft = {
      ...newAttribute,
      ...{ key: ' hours ', type: 'number', labels: { en: ' Hours ', de: ' ' }, minimum: 0 },
      ...{ maxLength: 20, pattern: 'x', flags: ['isSensitive', 'isSearchable', 'isUnique'] },
    };
    expect(settingsOf(draft)).toEqual({
      ...{ key: 'hours', labels: { en: 'Hours' }, synonyms: [], minimum: 0, maximum: null },
      ...{
        isUnique: true,
        isSensitive: true,
        isSearchable: false,
        isFilterable: false,
        isEditableByUser: false,
      },
    });
    expect(settingsOf({ ...draft, type: 'boolean' })).toMatchObject({ isUnique: false });
  });

  it('is checked before it is sent', () => {
    expect(problemsOf({ ...newAttribute, key: 'Site' })).toEqual(['key']);
    expect(problemsOf({ ...newAttribute, key: 'site', type: 'choice' })).toEqual(['choices']);
    const dates = { ...newAttribute, key: 'start', type: 'date' } as const;
    expect(problemsOf({ ...dates, minimum: '2026-12-31', maximum: '2026-01-01' })).toEqual(['reversed']);
    expect(problemsOf({ ...newAttribute, key: 'hours', type: 'number', minimum: 'x' })).toEqual(['minimum']);
  });
});

describe('a key that is the name of an inherited property', () => {
  const field = 'attributes.constructor' as const;

  it('has no value unless the user has one', () => {
    const user = viewedUser({ employeeID: 'E1', name: 'Ada' });
    expect(storedValue(user, field)).toBeNull();
    expect(typedValue(draftOf(user), field)).toBe('');
    expect(changedAttributes({ before: {}, after: { constructor: 'x' } })).toEqual([
      { key: 'constructor', before: undefined, after: 'x' },
    ]);
    expect(fieldLabel('constructor')).toBe('constructor');
  });
});
