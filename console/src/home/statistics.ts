import type { Schemas } from '@rollcall/client';
import type { Series } from '../charts/series.js';
import { homeCopy as copy } from '../copy/copy.js';
import { formatDay } from '../copy/format.js';

export type Statistics = Schemas['StatisticsReply']['data'];
type Day = Statistics['days'][number];

export const rangeDays = [7, 30, 90, 365] as const;
export type RangeDays = (typeof rangeDays)[number];

export function readRange(text: string | null): RangeDays {
  return rangeDays.find((days) => String(days) === text) ?? 30;
}

export function userSeries(days: readonly Day[]): Series[] {
  return [
    { key: 'active', label: copy.users.active, color: 'blue', values: days.map(({ users }) => users.active) },
    {
      key: 'inactive',
      label: copy.users.inactive,
      color: 'gray',
      values: days.map(({ users }) => users.inactive),
    },
  ];
}

/** Each change is in one of the series. */
export function changeSeries(days: readonly Day[]): Series[] {
  const of = (value: (changes: Day['changes']) => number) => days.map(({ changes }) => value(changes));
  return [
    { key: 'created', label: copy.changes.created, color: 'green', values: of(({ created }) => created) },
    {
      key: 'updated',
      label: copy.changes.updated,
      color: 'blue',
      values: of(({ updated, deactivated, reactivated }) => updated - deactivated - reactivated),
    },
    {
      key: 'deactivated',
      label: copy.changes.deactivated,
      color: 'orange',
      values: of(({ deactivated }) => deactivated),
    },
    {
      key: 'reactivated',
      label: copy.changes.reactivated,
      color: 'violet',
      values: of(({ reactivated, rehired }) => reactivated + rehired),
    },
    {
      key: 'removed',
      label: copy.changes.removed,
      color: 'red',
      values: of(({ deleted, erased }) => deleted + erased),
    },
  ];
}

export function totalOf({ values }: Pick<Series, 'values'>): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export function usersSummary(days: readonly Day[]): string {
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return '';
  const counts = ({ users }: Day): [number, number] => [users.active, users.inactive];
  return copy.users.summary(formatDay(first.day), formatDay(last.day), counts(first), counts(last));
}

export function changesSummary(days: readonly Day[], series: readonly Series[]): string {
  const perDay = days.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const [first, last] = [days[0]?.day ?? '', days.at(-1)?.day ?? ''].map((day) => day && formatDay(day));
  const [from, to] = [first ?? '', last ?? ''];
  const most = Math.max(0, ...perDay);
  if (most === 0) return copy.changes.none(from, to);
  const busiest = formatDay(days[perDay.indexOf(most)]?.day ?? '');
  return copy.changes.summary(from, to, totalOf({ values: perDay }), busiest, most);
}
