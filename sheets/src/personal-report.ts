import { attributeField } from './fields.js';

/** Who did something, or whom something is about; without a name if they are gone, or nothing is known of them. */
export interface ReportedActor {
  readonly kind: string;
  readonly id: string;
  readonly name: string | undefined;
}

/** What a report says in the language of its readers. */
export interface ReportTexts {
  readonly language: string;
  readonly title: string;
  readonly lead: string;
  /** Names the parts that are empty. */
  readonly nothing: (parts: readonly string[]) => string;
  /** The names of parts, columns and fields. */
  readonly nameOf: (name: string) => string;
  /** A value in a part, as people read it. */
  readonly textOf: (part: string, name: string, value: unknown) => string;
  /** Null stands for the service itself. */
  readonly whoOf: (actor: ReportedActor | null) => string;
}

type Row = Readonly<Record<string, unknown>>;

/** The parts that are lists, with their columns. What only programs need is in the JSON. */
const columns: Readonly<Record<string, readonly string[]>> = {
  formerNames: ['kind', 'name', 'since', 'until'],
  factors: ['kind', 'name', 'createdAt', 'lastUsedAt'],
  sessions: ['createdAt', 'lastSeenAt', 'expiresAt', 'method', 'address', 'device'],
  applications: ['name', 'firstSignedInAt', 'lastUsedAt'],
  confirmedContacts: ['field', 'value'],
  changes: ['at', 'kind', 'by', 'fields'],
  messages: ['createdAt', 'kind', 'state', 'sentTo', 'sentAt'],
  notices: ['createdAt', 'topic', 'state', 'sentAt'],
  views: ['name', 'isShared', 'createdAt'],
  accessEvents: ['at', 'kind', 'by', 'address'],
  calls: ['startedAt', 'kind', 'source', 'items'],
  upcomingChanges: ['effectiveAt', 'fields'],
  createdClients: ['client', 'createdAt'],
  groupMemberships: ['tagSerial', 'value'],
  pushedTo: ['target', 'isActiveThere'],
};

/** What is stored about a user, as a page that can be read and printed. What is not given is left out. */
export function personalReport(data: Row, texts: ReportTexts): string {
  const sections = sectionsOf(data, texts);
  const filled = sections.flatMap(({ part, content }) =>
    content === undefined ? [] : `<section><h2>${escaped(texts.nameOf(part))}</h2>${content}</section>`,
  );
  const empty = sections.flatMap(({ part, content }) => (content === undefined ? texts.nameOf(part) : []));
  if (empty.length > 0) filled.push(`<p class="nothing">${escaped(texts.nothing(empty))}</p>`);
  return page(texts, filled.join('\n'));
}

interface Section {
  readonly part: string;
  /** Undefined if nothing is stored. */
  readonly content: string | undefined;
}

function sectionsOf(data: Row, texts: ReportTexts): Section[] {
  const has = (part: string) => data[part] !== undefined;
  const cell: Cell = (part, name, value) => cellText({ data, texts }, part, name, value);
  const facts = (part: string, row: unknown) => ({ part, content: factsOf(part, row, texts, cell) });
  return [
    facts('user', userFacts(data)),
    ...(has('password') ? [facts('password', data.password)] : []),
    ...Object.entries(columns)
      .filter(([part]) => has(part))
      .map(([part, names]) => ({
        part,
        content: tableOf(part, names, rowsOf(data, part), texts, cell),
      })),
    ...(has('noticeChoices') ? [facts('noticeChoices', data.noticeChoices)] : []),
    ...(has('provisioning') ? [{ part: 'provisioning', content: rawOf(data.provisioning) }] : []),
  ];
}

/** The fields of the user, and what belongs to the account. */
function userFacts({ user, role, language, firstSignedInAt }: Row): Row {
  const { serial: _, attributes, manager, ...fields } = (user ?? {}) as Row;
  const managedBy = (manager as Row | null | undefined)?.name ?? null;
  const account = { role, language, firstSignedInAt };
  const known = Object.entries(account).filter(([, value]) => value !== undefined);
  return { ...fields, manager: managedBy, ...(attributes as Row | undefined), ...Object.fromEntries(known) };
}

/** The rows of a part, with a value in each column. */
function rowsOf(data: Row, part: string): readonly Row[] {
  const rows = data[part] as readonly Row[];
  switch (part) {
    case 'changes':
    case 'accessEvents':
      // Users see of their own changes only whether they made them.
      return rows.map((row) => ({ ...row, by: 'by' in row ? row.by : row.actor }));
    case 'messages':
      return rows.map((row) => ({ ...row, sentTo: recipientOf(row, data) }));
    case 'upcomingChanges':
      // What a planned call changes is its effect.
      return rows.map((row) => ({ ...row, fields: row.fields ?? (row.effect as Row | undefined)?.fields }));
    case 'createdClients':
      return rows.map((row) => ({ ...row, client: { kind: 'client', id: row.id } }));
    default:
      return rows;
  }
}

/** Notices keep the address they were sent to. Passwords go to the one that the user has at that time. */
function recipientOf({ toEmail, toPhone, state, channel, sentAt, createdAt }: Row, data: Row): unknown {
  if (toEmail != null || toPhone != null) return toEmail ?? toPhone;
  if (state !== 'sent' && state !== 'parked') return null;
  const at = String(sentAt ?? createdAt);
  const address = (field: string) => valueAt(field, at, data);
  if (channel === 'sms') return address('phone');
  return channel === 'email' ? address('email') : (address('email') ?? address('phone'));
}

/** The value of a field at a time: as it is now, or as it was before the first change since then. */
function valueAt(field: string, at: string, data: Row): unknown {
  const later = ((data.changes ?? []) as readonly Row[]).filter(
    (change) => change.kind !== 'created' && String(change.at) > at,
  );
  const first = later.findLast(({ fields }) => (fields as Fields | undefined)?.[field] !== undefined);
  return first ? (first.fields as Fields)[field]?.before : (data.user as Row | null | undefined)?.[field];
}

type Fields = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown } | undefined>>;

/** A value as people read it. */
type Cell = (part: string, name: string, value: unknown) => string;

interface Context {
  readonly data: Row;
  readonly texts: ReportTexts;
}

function cellText(context: Context, part: string, name: string, value: unknown): string {
  const { data, texts } = context;
  const nameOf = (kind: string, id: unknown) =>
    (data.names as Readonly<Record<string, Readonly<Record<string, string>>>> | undefined)?.[kind]?.[
      String(id)
    ];
  const named = (kind: string) =>
    Array.isArray(value) ? value.map((id) => nameOf(kind, id) ?? id) : (nameOf(kind, value) ?? value);
  const who = (kind: string, id: unknown) =>
    texts.whoOf({ kind, id: String(id), name: nameOf(kindsOfActors[kind] ?? '', id) });
  switch (name) {
    case 'organizationSerial':
      return texts.textOf(part, name, named('organizations'));
    case 'tagSerial':
    case 'tagSerials':
      return texts.textOf(part, name, named('tags'));
    case 'managerSerial':
      return value == null ? texts.textOf(part, name, value) : who('person', value);
    case 'by':
    case 'client':
      if (typeof value === 'string') return texts.textOf(part, name, value);
      return value == null ? texts.whoOf(null) : who(String((value as Row).kind), (value as Row).id);
    case 'fields':
      return changeLines(context, (value ?? {}) as Fields).join('\n');
    default:
      return texts.textOf(part, name, value);
  }
}

const kindsOfActors: Readonly<Record<string, string>> = { person: 'users', client: 'clients', feed: 'feeds' };

/** A line for each field. */
function changeLines(context: Context, fields: Fields): string[] {
  const { nameOf } = context.texts;
  return Object.entries(fields).flatMap(([field, sides]) => {
    if (field === 'attributes') return changeLines(context, attributeChanges(sides));
    const [before, after] = [sides?.before, sides?.after].map((value) =>
      cellText(context, 'changes', field, value),
    );
    return `${nameOf(field)}: ${before} → ${after}`;
  });
}

function attributeChanges(sides: Fields[string]): Fields {
  const [before, after] = [(sides?.before ?? {}) as Row, (sides?.after ?? {}) as Row];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...keys].map((key) => [attributeField(key), { before: before[key], after: after[key] }]),
  );
}

function factsOf(part: string, facts: unknown, texts: ReportTexts, cell: Cell): string | undefined {
  const entries = Object.entries((facts ?? {}) as Row);
  if (entries.length === 0) return undefined;
  const rows = entries.map(
    ([name, value]) =>
      `<tr><th scope="row">${escaped(texts.nameOf(name))}</th><td>${escaped(cell(part, name, value))}</td></tr>`,
  );
  return `<table class="facts"><tbody>${rows.join('')}</tbody></table>`;
}

function tableOf(
  part: string,
  names: readonly string[],
  rows: readonly Row[],
  texts: ReportTexts,
  cell: Cell,
): string | undefined {
  if (rows.length === 0) return undefined;
  const head = names.map((name) => `<th scope="col">${escaped(texts.nameOf(name))}</th>`).join('');
  const body = rows.map((row) => {
    const cells = names.map((name) => `<td>${escaped(cell(part, name, row[name]))}</td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`;
}

/** Whatever an identity provider has sent. */
function rawOf(value: unknown): string | undefined {
  return value == null ? undefined : `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
}

function page({ language, title, lead }: ReportTexts, content: string): string {
  return `<!doctype html>
<html lang="${escaped(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escaped(title)}</h1>
<p>${escaped(lead)}</p>
${content}
</main>
</body>
</html>
`;
}

const style = `
body { margin: 0; color: #1a1a1a; background: #fff; font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem; }
h1 { font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; break-after: avoid; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.35rem 0.75rem 0.35rem 0; border-bottom: 1px solid #ccc; text-align: start; vertical-align: top; overflow-wrap: anywhere; white-space: pre-line; }
.facts th { width: 16rem; font-weight: 600; }
thead { display: table-header-group; }
tr { break-inside: avoid; }
.nothing { margin: 2rem 0 0; color: #555; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; }
@media (max-width: 40rem) { .facts th { width: 40%; } }
@media print { main { max-width: none; padding: 0; } body { font-size: 10.5pt; } }
`;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
