/** A made-up company. Names are combined at random, but in the same way each time. */

export const organizations = [
  ['MF', 'Meridian Foods', null],
  ['MF-HQ', 'Headquarters, Rotterdam', 'MF'],
  ['MF-FIN', 'Finance', 'MF-HQ'],
  ['MF-HR', 'People & Culture', 'MF-HQ'],
  ['MF-IT', 'Technology', 'MF-HQ'],
  ['MF-OPS', 'Operations', 'MF'],
  ['MF-LYS', 'Plant Lyon', 'MF-OPS'],
  ['MF-KRK', 'Plant Kraków', 'MF-OPS'],
  ['MF-SAO', 'Plant São Paulo', 'MF-OPS'],
  ['MF-SAL', 'Sales', 'MF'],
  ['MF-EMEA', 'Sales EMEA', 'MF-SAL'],
  ['MF-APAC', 'Sales APAC', 'MF-SAL'],
];

export const tags = [
  ['FIRST-AID', 'First aiders'],
  ['FORKLIFT', 'Forklift licence'],
  ['NIGHT', 'Night shift'],
  ['COUNCIL', 'Works council'],
  ['REMOTE', 'Remote'],
];

const given = [
  ...['Aarav', 'Adaeze', 'Aiko', 'Amara', 'Anaïs', 'Beatriz', 'Çağla', 'Chiara', 'Daniel', 'Elif', 'Emre'],
  ...['Fatima', 'Femke', 'Gonzalo', 'Hana', 'Hélène', 'Ines', 'Jonas', 'José', 'Kwame', 'Lars', 'Leila'],
  ...[
    'Linh',
    'Łukasz',
    'Mateusz',
    'Mei',
    'Ngozi',
    'Noor',
    'Oluwaseun',
    'Priya',
    'Rafael',
    'Saoirse',
    'Søren',
  ],
  ...['Tomáš', 'Valentina', 'Wei', 'Yuki', 'Zofia', 'Zoë', 'Ximena'],
];
const family = [
  ...[
    'Adeyemi',
    'Almeida',
    'Andersen',
    'Barros',
    'Bianchi',
    'Brandt',
    'de Vries',
    'Diallo',
    'Dubois',
    'Eriksen',
  ],
  ...[
    'Fernández',
    'García',
    'Hoffmann',
    'Ivanova',
    'Jansen',
    'Kaya',
    'Kowalska',
    'Lindqvist',
    'Mensah',
    'Müller',
  ],
  ...['Nakamura', "O'Connor", 'Okafor', 'Park', 'Petrov', 'Rao', 'Rossi', 'Santos', 'Schäfer', 'Sharma'],
  ...['Silva', 'Tanaka', 'Tran', 'van Dijk', 'Wiśniewska', 'Yılmaz', 'Zhang', 'Novák'],
];

/** Always the same numbers from 0 to 1. */
function randomNumbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}

const plain = (text) =>
  text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .replaceAll('ø', 'o')
    .replaceAll('ı', 'i')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '');

/** As many users as asked for, in the order in which they were hired. */
export function employees(count) {
  const random = randomNumbers(7);
  const pick = (list) => list[Math.floor(random() * list.length)];
  const names = new Set();
  while (names.size < count) names.add(`${pick(given)} ${pick(family)}`);
  const leaves = organizations.slice(2).filter(([serial]) => serial !== 'MF-OPS' && serial !== 'MF-SAL');
  return [...names].map((name, at) => {
    const [first, ...rest] = name.split(' ');
    const username = `${plain(first)}${plain(rest.join(''))}`;
    const hasPhone = random() < 0.7;
    return {
      employeeID: String(100_417 + at * 3),
      name,
      username,
      email: `${plain(first)}.${plain(rest.join(''))}@example.com`,
      phone: hasPhone ? `+31 10 555 ${String(1_000 + at).slice(-4)}` : null,
      isActive: true,
      organizationSerial: pick(leaves)[0],
      tagSerials: tags.filter(() => random() < 0.14).map(([serial]) => serial),
    };
  });
}
