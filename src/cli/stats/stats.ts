import type { Schemas } from '#client';
import { type JsonOption, print, printJson } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { count } from '../terminal/numbers.js';
import { table } from '../terminal/table.js';

interface StatsOptions extends JsonOption {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

type Day = Schemas['StatisticsReply']['data']['days'][number];

/** `rollcall stats` */
export async function stats({ from, to, json }: StatsOptions): Promise<void> {
  const { body } = await connectInteractive().call('getStatistics', { query: { from, to } });
  if (json) printJson(body.data);
  else print(table([headings, ...rowsOf(body.data.days)]));
}

const headings = ['DAY', 'ACTIVE', 'INACTIVE', 'CREATED', 'UPDATED', 'DEACTIVATED', 'REMOVED', 'CHANGES'];

function rowsOf(days: readonly Day[]): string[][] {
  const most = Math.max(...days.map(changesOf));
  return days.map((day) => {
    const { created, updated, rehired, deactivated, deleted, erased } = day.changes;
    return [
      day.day,
      ...[day.users.active, day.users.inactive].map(count),
      ...[created, updated + rehired, deactivated, deleted + erased].map(count),
      bar(changesOf(day), most),
    ];
  });
}

function changesOf({ changes }: Day): number {
  const { created, updated, rehired, deleted, erased } = changes;
  return created + updated + rehired + deleted + erased;
}

const width = 20;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A horizontal bar. Any value but zero is visible. */
export function bar(value: number, max: number): string {
  if (value <= 0 || max <= 0) return '';
  const length = Math.max(Math.round((value / max) * width * 8), 1);
  return '█'.repeat(Math.floor(length / 8)) + eighths[length % 8];
}
