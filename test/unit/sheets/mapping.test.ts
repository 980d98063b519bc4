import { describe, expect, test } from 'vitest';
import {
  checkMapping,
  columnLetter,
  type FieldName,
  guessMapping,
  type Heading,
  type Mapping,
  mappingProblemText,
  type Operation,
} from '../../../sheets/src/index.js';
import { headingKey, synonyms } from '../../../sheets/src/synonyms.js';
import { read } from './tables.js';

function headingsOf(...names: readonly string[]): readonly Heading[] {
  return names.map((name, column) => {
    const letter = columnLetter(column);
    return { column, letter, name: name || letter, isEmpty: name === '' };
  });
}

function guess(operation: Operation, ...names: readonly string[]) {
  return guessMapping(headingsOf(...names), operation);
}

describe('headings', () => {
  test('are trimmed, and named by their letter if empty', async () => {
    const { headings } = await read(' ID ,,"Full\n name"\n1,2,3\n');
    expect(headings).toEqual([
      { column: 0, letter: 'A', name: 'ID', isEmpty: false },
      { column: 1, letter: 'B', name: 'B', isEmpty: true },
      { column: 2, letter: 'C', name: 'Full name', isEmpty: false },
    ]);
  });

  test('that appear twice cause a warning', async () => {
    const { warnings } = await read('Phone,ID,phone ,,\n1,2,3,4,5\n');
    expect(warnings).toEqual([{ code: 'HEADING_DOUBLED', heading: 'Phone', columns: [0, 2] }]);
  });
});

describe('fields recognized by their heading', () => {
  const known: Partial<Record<FieldName, string>> = {
    employeeID:
      'employeeID|Employee ID|EMPLOYEE_ID|employee-id|employee.id|Employee No.|Employee #|Personnel number|Staff ID|Emp #|Emp No|Old employee ID|Current Employee ID|Personalnummer|Personal-Nr.|Pers.-Nr.|Mitarbeiternummer|alte Personalnummer|ID|Employee ID (required)|Número de empleado|ID de empleado',
    newEmployeeID:
      'newEmployeeID|New employee ID|New Staff ID|New Personnel number|Neue Personalnummer|neue Personal-Nr.|New ID|Nuevo número de empleado',
    name: 'name|Full name|Display Name|Name|Vollständiger Name|VOLLSTAENDIGER NAME|Mitarbeitername|Nombre|Nombre completo',
    username: 'username|User name|Login|Benutzername|Anmeldename|Benutzerkennung|Nombre de usuario',
    phone:
      'phone|Phone No.|Mobile|Mobile phone|Cell|Telefon|Handy|Tel.|Telefon geschäftlich|Telefon (geschaeftlich)|Teléfono',
    isActive: 'isActive|Active|Is active?|Status|Aktiv|aktiv (ja/nein)|Enabled|Activo',
    tagSerials: 'tagSerials|Tags|Tag serials|Schlagwörter|SCHLAGWOERTER|Schlagworte|Etiquetas',
    organizationSerial:
      'organizationSerial|Department|Organization|Organisation|Dept.|Abteilung|Org unit|Organización|Departamento',
  };
  test.each(Object.entries(known))('%s: %s', (field, names) => {
    for (const name of names.split('|'))
      expect(guess('update', name).mapping, name).toEqual({ [field]: [0] });
  });

  test.each([
    ['email', 'E-mail address|E-Mail|Mail|Correo electrónico'],
    ['password', 'Initial password|Passwort|Contraseña'],
  ])('%s: %s (for a create)', (field, names) => {
    for (const name of names.split('|'))
      expect(guess('create', name).mapping, name).toEqual({ [field]: [0] });
  });

  test.each(['Salary', 'Geburtstag', 'Notes', 'Cost center', ''])('%j is unknown', (name) => {
    const { mapping, unmapped } = guess('update', 'ID', name);
    expect(mapping).toEqual({ employeeID: [0] });
    expect(unmapped).toEqual([{ column: 1, heading: name || 'B', why: 'unknown' }]);
  });
});

describe('columns that compete for a field', () => {
  test('the more specific heading wins, in any position', () => {
    const { mapping, unmapped } = guess('update', 'ID', 'Mobile', 'Employee ID', 'Phone');
    expect(mapping).toEqual({ employeeID: [2], phone: [3] });
    expect(unmapped).toEqual([
      { column: 0, heading: 'ID', why: 'taken', field: 'employeeID' },
      { column: 1, heading: 'Mobile', why: 'taken', field: 'phone' },
    ]);
  });

  test('the first of equal headings wins', () => {
    const { mapping, unmapped } = guess('update', 'Phone', 'phone');
    expect(mapping).toEqual({ phone: [0] });
    expect(unmapped).toEqual([{ column: 1, heading: 'phone', why: 'taken', field: 'phone' }]);
  });

  test('old and new employee ID are different fields', () => {
    expect(guess('update', 'New employee ID', 'Old employee ID').mapping).toEqual({
      employeeID: [1],
      newEmployeeID: [0],
    });
  });
});

describe('name', () => {
  test.each([
    [
      ['Last name', 'First name'],
      [1, 0],
    ],
    [
      ['Apellidos', 'Nombre'],
      [1, 0],
    ],
    [
      ['Nachname', 'Vorname'],
      [1, 0],
    ],
    [
      ['Name', 'Vorname'],
      [1, 0],
    ],
    [['Surname', 'Given name', 'Full name'], [2]],
    [['Last, First'], [0]],
    [['Apellidos, Nombre'], [0]],
  ])('%j is joined from columns %j', (names, columns) => {
    expect(guess('update', ...names).mapping.name).toEqual(columns);
  });

  test('is not mapped from only one part', () => {
    const { mapping, unmapped } = guess('update', 'ID', 'Vorname');
    expect(mapping.name).toBeUndefined();
    expect(unmapped).toEqual([{ column: 1, heading: 'Vorname', why: 'incomplete', field: 'name' }]);
  });
});

test('fields that the operation does not accept are reported', () => {
  expect(guess('update', 'ID', 'E-Mail').unmapped).toEqual([
    { column: 1, heading: 'E-Mail', why: 'notAccepted', field: 'email' },
  ]);
  expect(guess('create', 'ID', 'New ID').unmapped).toEqual([
    { column: 1, heading: 'New ID', why: 'notAccepted', field: 'newEmployeeID' },
  ]);
});

test('a sync accepts the fields of creates and updates', () => {
  const { mapping, unmapped } = guess('sync', 'ID', 'New ID', 'E-Mail', 'Password', 'Phone');
  expect(mapping).toEqual({ employeeID: [0], newEmployeeID: [1], email: [2], password: [3], phone: [4] });
  expect(unmapped).toEqual([]);
});

describe('mapping check', () => {
  const complete: Mapping = { employeeID: [0], name: [1, 2], isActive: [3], phone: [4] };

  test.each<[string, Mapping, Operation, string[]]>([
    ['complete', complete, 'update', []],
    ['complete for a create', complete, 'create', []],
    ['a sync with employee IDs and one other field', { employeeID: [0], phone: [4] }, 'sync', []],
    [
      'a sync without employee IDs',
      { name: [1], isActive: [3] },
      'sync',
      ['The sync needs "employeeID" in every row, but no column has it.'],
    ],
    ['empty', {}, 'update', ['No heading matches a field of a user.']],
    ['empty lists', { name: [] }, 'update', ['No heading matches a field of a user.']],
    [
      'without required fields',
      { employeeID: [0], phone: [1] },
      'update',
      ['The update needs "name" and "isActive" in every row, but no column has them.'],
    ],
    [
      'without one required field',
      { employeeID: [0], name: [1] },
      'update',
      ['The update needs "isActive" in every row, but no column has it.'],
    ],
    [
      'a create without contact details',
      { employeeID: [0], name: [1], isActive: [2] },
      'create',
      ['The create needs "email" or "phone", but no column has either.'],
    ],
    [
      'a field that is not accepted',
      { ...complete, email: [5] },
      'update',
      ['"email" is not accepted by the update.'],
    ],
    [
      'a column used twice',
      { ...complete, username: [0] },
      'update',
      ['The column "a" is used for "employeeID" and "username".'],
    ],
    [
      'a missing column',
      { ...complete, username: [9] },
      'update',
      ['There is no column 10, which is mapped to "username".'],
    ],
    [
      'several columns for one field',
      { ...complete, phone: [4, 5] },
      'update',
      ['"phone" can only come from one column.'],
    ],
  ])('%s', (_, mapping, operation, texts) => {
    const headings = headingsOf('a', 'b', 'c', 'd', 'e', 'f');
    const problems = checkMapping(mapping, headings, operation);
    expect(problems.map((problem) => mappingProblemText(problem, headings, operation))).toEqual(texts);
  });

  test('only unknown headings', () => {
    const headings = headingsOf('Salary', 'Shoe size');
    const { mapping } = guessMapping(headings, 'update');
    expect(checkMapping(mapping, headings, 'update')).toEqual([{ code: 'HEADINGS_UNKNOWN' }]);
  });
});

test('no heading belongs to two fields', () => {
  const meanings = new Map<string, string[]>();
  for (const [meaning, words] of Object.entries(synonyms)) {
    for (const key of new Set(words.split(',').map(headingKey))) {
      meanings.set(key, [...(meanings.get(key) ?? []), meaning]);
    }
  }
  expect([...meanings].filter(([, of]) => of.length > 1)).toEqual([]);
});
