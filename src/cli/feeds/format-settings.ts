import type { Schemas } from '#client';
import { counted } from '../terminal/numbers.js';

export type Feed = Schemas['Feed'];

type Source = Feed['source'];
type Column = Feed['mapping']['columns'][number];

/** "SFTP rollcall@sftp.example.com, /out/staff-*.csv" */
export function formatSource(source: Source): string {
  switch (source.type) {
    case 'https':
      return `${withoutQuery(source.url)}${source.auth === 'basic' ? ` as ${source.username}` : ''}`;
    case 'sftp':
      return `SFTP ${source.username}@${source.host}${source.port == null ? '' : `:${source.port}`}, ${source.path}`;
    case 's3':
      return `S3 ${source.bucket}/${source.key} at ${withoutQuery(source.endpoint)}`;
    case 'folder':
      return `folder of feeds, ${source.path}`;
    case 'upload':
      return 'uploaded files';
  }
}

/** A query often contains a token. */
export function withoutQuery(url: string): string {
  return url.replace(/\?.*$/s, '?…');
}

const daysOfWeek: Readonly<Record<string, string>> = {
  '*': 'every day',
  '1-5': 'Monday to Friday',
  '0': 'on Sundays',
  '1': 'on Mondays',
  '2': 'on Tuesdays',
  '3': 'on Wednesdays',
  '4': 'on Thursdays',
  '5': 'on Fridays',
  '6': 'on Saturdays',
  '7': 'on Sundays',
};

/** "Monday to Friday at 04:30". What has no short wording stays as it is. */
export function formatCron(cron: string): string {
  const [, minute = '', hour = '', days = ''] = /^(\d{1,2}) (\d{1,2}) \* \* (\S+)$/.exec(cron) ?? [];
  const words = daysOfWeek[days];
  if (words === undefined) return `cron ${cron}`;
  return `${words} at ${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`;
}

/** "Monday to Friday at 04:30 (Europe/Berlin); waits for the file until 07:00; not on 2026-12-25" */
export function formatSchedule(schedule: Feed['schedule']): string {
  if (schedule === null) return 'none: it runs only when it is told to';
  const { cron, onNewFile, timeZone, from, until, blackoutDates } = schedule;
  const window = [from ? `from ${from}` : '', until ? `until ${until}` : ''].filter(Boolean).join(' ');
  const zone = timeZone == null ? '' : ` (${timeZone})`;
  return [
    ...(cron == null ? [] : [`${formatCron(cron)}${zone}`]),
    ...(onNewFile ? [`when there is a new file${window && ` ${window}`}${cron == null ? zone : ''}`] : []),
    ...(cron != null && until != null && !onNewFile ? [`waits for the file until ${until}`] : []),
    ...(blackoutDates?.length ? [`not on ${blackoutDates.join(', ')}`] : []),
  ].join('; ');
}

/** "First name + Last name", "Status (A: true, I: false)" */
export function formatColumn({ columns, separator, constant, values, padTo, ...rest }: Column): string {
  const from = constant == null ? (columns ?? []).join(' + ') : `always ${constant}`;
  const { prefix, dateFormat, otherwise } = rest;
  const changes = [
    ...(separator == null ? [] : [`joined by "${separator}"`]),
    ...Object.entries(values ?? {}).map(([written, meant]) => `${written}: ${meant}`),
    ...(otherwise == null ? [] : [`otherwise ${otherwise}`]),
    ...(padTo == null ? [] : [`${padTo} digits`]),
    ...(prefix == null ? [] : [`prefix ${prefix}`]),
    ...(dateFormat == null ? [] : [dateFormat]),
  ];
  return changes.length === 0 ? from : `${from} (${changes.join(', ')})`;
}

/** "employeeID from Personnel no.", "name from First name + Last name", "empty cells clear fields" */
export function formatMapping({ columns, empty, ...reading }: Feed['mapping']): string[] {
  const fields = columns.map((column) => `${column.field} from ${formatColumn(column)}`);
  const how = Object.entries(reading).flatMap(([name, value]) =>
    value == null ? [] : [`${name} ${JSON.stringify(value)}`],
  );
  return [...fields, ...(empty === 'clears' ? ['empty cells clear fields'] : []), ...how];
}

const unknownNames = { stop: 'stop the run', create: 'are created', leaveOut: 'are left out' } as const;
const approvals = {
  always: 'every run waits for approval',
  beyondLimits: 'runs beyond the limits wait for approval',
  never: 'runs beyond the limits are stopped',
} as const;
const conflicts = { skip: 'are skipped', take: 'are taken over', fail: 'fail' } as const;

/** What a run may do, with the defaults. */
export function formatRules(rules: Feed['rules']): string[] {
  const { create = true, update = true, rehire, deactivateMissing } = rules;
  const verbs = [
    ...(create ? ['creates users'] : []),
    ...(update ? ['updates users'] : []),
    ...(rehire ? ['rehires users'] : []),
    ...(deactivateMissing ? ['deactivates missing users'] : []),
  ];
  return [
    verbs.join(', ') || 'changes nothing',
    ...formatScope(rules),
    `users of other feeds ${conflicts[rules.onConflict ?? 'skip']}`,
    `unknown organizations and tags ${unknownNames[rules.unknownNames ?? 'stop']}`,
    approvals[rules.approval ?? 'beyondLimits'],
    ...(rules.deliver === 'hold' ? ['passwords of new users are held'] : []),
  ];
}

/** "only users of ORG7, ORG9", "only users tagged TAG3", "only users with department Sales or Service" */
export function formatScope({ organizationSerials, tagSerials, attributes }: Feed['rules']): string[] {
  return [
    ...(organizationSerials?.length ? [`only users of ${organizationSerials.join(', ')}`] : []),
    ...(tagSerials?.length ? [`only users tagged ${tagSerials.join(', ')}`] : []),
    ...Object.entries(attributes ?? {}).map(
      ([key, values]) => `only users with ${key} ${values.map(String).join(' or ')}`,
    ),
  ];
}

/** "learned from past runs; deactivationsMax 50, changesMax 20%" */
export function formatLimits({ learn = true, ...explicit }: Feed['limits']): string {
  const given = Object.entries(explicit).map(([name, limit]) => `${name} ${limit}`);
  return [learn ? 'learned from past runs' : 'fixed', ...(given.length ? [given.join(', ')] : [])].join('; ');
}

/** "in the last run: rowsMin 720, deactivationsMax 6" */
export function formatAppliedLimits(limits: Readonly<Record<string, number>> | null | undefined): string[] {
  const texts = Object.entries(limits ?? {}).map(([name, limit]) => `${name} ${limit}`);
  return texts.length === 0 ? [] : [`in the last run: ${texts.join(', ')}`];
}

export function formatInform({ users, chat }: Feed['inform']): string {
  const who = users?.length ? counted(users.length, 'chosen user') : 'everyone who wants such notices';
  return chat == null ? who : `${who}, and a chat in ${chat === 'teams' ? 'Microsoft Teams' : 'Slack'}`;
}
