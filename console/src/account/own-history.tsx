import type { Schemas } from '@rollcall/client';
import { attributeField } from '@rollcall/sheets';
import {
  attributeName,
  attributeOf,
  changedAttributes,
  formatAttribute,
} from '../components/attribute-value.js';
import { fieldLabel } from '../components/error-message.js';
import { formatRole, formatValue, isEmpty } from '../components/field-value.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { Section } from '../components/section.js';
import { profileCopy } from '../copy/account-copy.js';
import { commonCopy, userPageCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { historyKey, type Profile, useProfile } from './profile-queries.js';

const copy = profileCopy.history;

type OwnChange = Schemas['OwnHistory']['data']['items'][number];

/** What was changed of the user's data, and whether they did it themselves. */
export function OwnHistory() {
  const profile = useProfile().data;
  const list = usePagedList<OwnChange>({
    key: historyKey,
    load: async (page, signal) => (await rollcall.call('getOwnHistory', { query: page, signal })).body.data,
  });
  return (
    <Section title={copy.title} hint={copy.lead} maxWidth={900}>
      <ListTable
        label={copy.table}
        columns={columnsFor(profile)}
        list={list}
        keyOf={({ sequence }) => sequence}
        empty={copy.empty}
      />
    </Section>
  );
}

function columnsFor(profile: Profile | undefined): Column<OwnChange>[] {
  return [
    { header: copy.when, isShort: true, cell: ({ at }) => formatDateTime(at) },
    {
      header: copy.what,
      cell: (change) => (
        <>
          {userPageCopy.timeline.titles[change.kind]} {copy.by[change.by]}
          <ul style={{ margin: 0, paddingInlineStart: '1.2em' }}>
            {linesOf(change, profile).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      ),
    },
  ];
}

type Sides = { readonly before?: unknown; readonly after?: unknown };

/** Fields whose values are serials, of which users without a role can't see the names. */
const references = new Set(['managerSerial', 'organizationSerial', 'tagSerials']);

function linesOf({ kind, fields }: OwnChange, profile: Profile | undefined): string[] {
  const attributes = profile?.attributes ?? [];
  const lineOf = (
    field: string,
    name: string,
    { before, after }: Sides,
    format: (value: unknown) => string,
  ) => {
    if (field === 'organizationSerial' && profile && after === profile.user.organizationSerial)
      return `${name}: ${profile.organizationName ?? commonCopy.none}`;
    if (references.has(field)) return copy.valueChanged(name);
    if (kind === 'created') return `${name}: ${format(after)}`;
    return `${name}: ${isEmpty(before) ? commonCopy.none : format(before)} → ${isEmpty(after) ? commonCopy.none : format(after)}`;
  };
  return Object.entries(fields as Readonly<Record<string, Sides>>).flatMap(([field, sides]) => {
    if (isEmpty(sides.before) && isEmpty(sides.after)) return [];
    if (field !== 'attributes') {
      return [lineOf(field, fieldLabel(field), sides, field === 'role' ? formatRole : formatValue)];
    }
    return changedAttributes(sides).map(({ key, ...values }) => {
      const name = attributeField(key);
      const format = (value: unknown) => formatAttribute(attributeOf(name, attributes)?.type, value);
      return lineOf(field, attributeName(name, attributes), values, format);
    });
  });
}
