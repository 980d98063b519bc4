import { Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Actor } from '../components/actor.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { formatDateTime, formatList, formatNumber } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { changedParts } from './settings-text.js';

type Version = Schemas['FeedVersion'];

const copy = feedsCopy.versions;

/** Who changed which settings, and when. */
export function FeedVersions({ feed: key }: { feed: string }) {
  const list = usePagedList<Version>({
    key: ['feeds', 'versions', key],
    load: async (page, signal) =>
      (await rollcall.call('listFeedVersions', { path: { key }, query: page, signal })).body.data,
  });
  const before = new Map(list.items.map((version, at) => [version.version, list.items[at + 1]]));
  const columns: readonly Column<Version>[] = [
    { header: copy.version, isNumber: true, cell: ({ version }) => formatNumber(version) },
    { header: copy.at, isShort: true, cell: ({ at }) => formatDateTime(at) },
    { header: copy.by, cell: ({ by }) => <Actor actor={by} /> },
    { header: copy.changed, cell: (version) => changesText(version, before.get(version.version)) },
  ];
  return (
    <ListTable
      label={copy.table}
      columns={columns}
      list={list}
      keyOf={({ version }) => version}
      minWidth={520}
      empty={<Text size="sm">{copy.empty}</Text>}
    />
  );
}

function changesText(version: Version, before: Version | undefined): string {
  if (version.version === 1) return copy.first;
  if (!before) return '';
  const parts = changedParts(before.settings, version.settings);
  return parts.length === 0 ? copy.secrets : formatList(parts);
}
