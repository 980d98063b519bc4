/** What a report says in the language of its readers. */
export interface ReportTexts {
  readonly language: string;
  readonly title: string;
  readonly lead: string;
  /** For a part that is empty. */
  readonly nothing: string;
  /** The names of parts, columns and fields. */
  readonly nameOf: (name: string) => string;
  /** A value in a part, as people read it. */
  readonly textOf: (part: string, name: string, value: unknown) => string;
}

type Row = Readonly<Record<string, unknown>>;

/** The parts that are lists, with their columns. What only programs need is in the JSON. */
const columns: Readonly<Record<string, readonly string[]>> = {
  formerNames: ['kind', 'name', 'since', 'until'],
  factors: ['kind', 'name', 'createdAt', 'lastUsedAt'],
  sessions: ['createdAt', 'lastSeenAt', 'expiresAt', 'method', 'address', 'device'],
  applications: ['name', 'firstSignedInAt', 'lastUsedAt'],
  confirmedContacts: ['field', 'value'],
  changes: ['at', 'kind', 'fields'],
  messages: ['createdAt', 'kind', 'state', 'toEmail', 'toPhone', 'sentAt'],
  notices: ['createdAt', 'topic', 'state', 'sentAt'],
  views: ['name', 'isShared', 'createdAt'],
  accessEvents: ['at', 'kind', 'address'],
  calls: ['startedAt', 'kind', 'source', 'items'],
  upcomingChanges: ['effectiveAt', 'fields'],
  createdClients: ['id', 'createdAt'],
  groupMemberships: ['tagSerial', 'value'],
  pushedTo: ['target', 'isActiveThere'],
};

/** What is stored about a user, as a page that can be read and printed. What is not given is left out. */
export function personalReport(data: Row, texts: ReportTexts): string {
  const has = (part: string) => data[part] !== undefined;
  const parts = [
    factsOf('user', userFacts(data), texts),
    ...(has('password') ? [factsOf('password', data.password, texts)] : []),
    ...Object.entries(columns)
      .filter(([part]) => has(part))
      .map(([part, names]) => tableOf(part, names, data[part] as readonly Row[], texts)),
    ...(has('noticeChoices') ? [factsOf('noticeChoices', data.noticeChoices, texts)] : []),
    ...(has('provisioning') ? [rawOf(data.provisioning, texts)] : []),
  ];
  return page(texts, parts.join('\n'));
}

/** The fields of the user, and what belongs to the account. */
function userFacts({ user, role, language, firstSignedInAt }: Row): Row {
  const { serial: _, attributes, manager, ...fields } = (user ?? {}) as Row;
  const managedBy = (manager as Row | null | undefined)?.name ?? null;
  const account = { role, language, firstSignedInAt };
  const known = Object.entries(account).filter(([, value]) => value !== undefined);
  return { ...fields, manager: managedBy, ...(attributes as Row | undefined), ...Object.fromEntries(known) };
}

function factsOf(part: string, facts: unknown, texts: ReportTexts): string {
  const entries = Object.entries((facts ?? {}) as Row);
  if (entries.length === 0) return section(part, texts, nothing(texts));
  const rows = entries.map(
    ([name, value]) =>
      `<tr><th scope="row">${escaped(texts.nameOf(name))}</th><td>${escaped(texts.textOf(part, name, value))}</td></tr>`,
  );
  return section(part, texts, `<table class="facts"><tbody>${rows.join('')}</tbody></table>`);
}

function tableOf(part: string, names: readonly string[], rows: readonly Row[], texts: ReportTexts): string {
  if (rows.length === 0) return section(part, texts, nothing(texts));
  const head = names.map((name) => `<th scope="col">${escaped(texts.nameOf(name))}</th>`).join('');
  const body = rows.map((row) => {
    const cells = names.map((name) => `<td>${escaped(texts.textOf(part, name, valueIn(row, name)))}</td>`);
    return `<tr>${cells.join('')}</tr>`;
  });
  return section(
    part,
    texts,
    `<table><thead><tr>${head}</tr></thead><tbody>${body.join('\n')}</tbody></table>`,
  );
}

/** What a planned call changes is its effect. */
function valueIn(row: Row, name: string): unknown {
  return name === 'fields' ? (row.fields ?? (row.effect as Row | undefined)?.fields) : row[name];
}

/** Whatever an identity provider has sent. */
function rawOf(value: unknown, texts: ReportTexts): string {
  const shown = value == null ? nothing(texts) : `<pre>${escaped(JSON.stringify(value, null, 2))}</pre>`;
  return section('provisioning', texts, shown);
}

function section(part: string, { nameOf }: ReportTexts, content: string): string {
  return `<section><h2>${escaped(nameOf(part))}</h2>${content}</section>`;
}

function nothing(texts: ReportTexts): string {
  return `<p class="nothing">${escaped(texts.nothing)}</p>`;
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
.nothing { margin: 0; color: #555; }
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
