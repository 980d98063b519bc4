import { Stack, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { attributeKey, isAttributeField } from '@rollcall/sheets';
import { useQuery } from '@tanstack/react-query';
import { useAttributes, useFieldTexts } from '../components/attributes.js';
import { useDisplayNames } from '../components/directory.js';
import { FieldChanges } from '../components/field-changes.js';
import { Section } from '../components/section.js';
import { UserCell, useUserNames } from '../components/user-cell.js';
import { commonCopy, plannedCopy, sessionCopy, usersCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import {
  type Call,
  type FilterPart,
  filterParts,
  handPicked,
  isHandPicked,
  organizationCounts,
} from './call.js';

const copy = plannedCopy.scope;

/** Whom a waiting call is about, for whoever decides about it. */
export function CallScope({ call }: { call: Call }) {
  const organizations = useOrganizations(call.id);
  const parts = filterParts(call.plan?.filter ?? null);
  if (parts.length === 0 && !organizations) return null;
  return (
    <Section title={copy.title}>
      <Scope parts={parts} organizations={organizations} />
    </Section>
  );
}

/** The same in the dialog, with some of the users. */
export function CallScopeSummary({ call }: { call: Call }) {
  const parts = filterParts(call.plan?.filter ?? null);
  return (
    <Stack gap="xs" my="sm">
      <Scope parts={parts} organizations={useOrganizations(call.id)} />
      <Sample id={call.id} />
    </Stack>
  );
}

interface ScopeProps {
  readonly parts: readonly FilterPart[];
  readonly organizations: Organizations | undefined;
}

/** Names of organizations contain commas. */
const organizationsShownMax = 5;

function Scope({ parts, organizations }: ScopeProps) {
  const counts = organizations?.counts ?? [];
  const names = useDisplayNames(
    'organizations',
    counts.flatMap(({ serial }) => serial ?? []),
  );
  const shown = counts.slice(0, organizationsShownMax);
  const byHand = handPicked(parts);
  const filters = parts.filter(({ name }) => !isHandPicked(name));
  return (
    <Stack gap="xs" fz="sm">
      {byHand > 0 && <div>{copy.byHand(byHand)}</div>}
      {filters.length > 0 && (
        <div>
          <Text size="sm" c="dimmed">
            {copy.filter}
          </Text>
          <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
            {filters.map((part) => (
              <li key={`${part.name} ${part.values.join()}`}>
                <FilterText part={part} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {organizations && (
        <div>
          <Text size="sm" c="dimmed">
            {copy.organizations(organizations.users, organizations.isAll)}
          </Text>
          <ul style={{ margin: 0, paddingInlineStart: '1.2rem' }}>
            {shown.map(({ serial, count }) => (
              <li key={serial}>
                {copy.organization(serial === null ? copy.none : (names.get(serial) ?? serial), count)}
              </li>
            ))}
            {counts.length > shown.length && <li>{copy.others(counts.length - shown.length)}</li>}
          </ul>
        </div>
      )}
    </Stack>
  );
}

const filterCopy = usersCopy.filter;
const { choices } = filterCopy;

const flags = {
  ...copy.flags,
  isActive: { true: choices.active, false: choices.inactive },
  managerIsActive: { true: choices.managerActive, false: choices.managerInactive },
  mustChangePassword: { true: choices.notChosen, false: choices.chosen },
  neverSignedIn: { true: choices.never, false: choices.signedIn },
};

/** A filter of the API in words. */
function FilterText({ part: { name, values } }: { part: FilterPart }) {
  const attributes = useAttributes();
  const { nameOf } = useFieldTexts();
  const is = (isNot = false) => ({ isNot });
  const kinds = {
    organizationSerial: { ...is(), kind: 'organization' },
    notOrganizationSerial: { ...is(true), kind: 'organization' },
    tagSerial: { ...is(), kind: 'tag' },
    notTagSerial: { ...is(true), kind: 'tag' },
    manager: { ...is(), kind: 'manager' },
    role: { ...is(), kind: 'role' },
    notRole: { ...is(true), kind: 'role' },
  } as const;
  const known = Object.hasOwn(kinds, name) ? kinds[name as keyof typeof kinds] : undefined;
  const organizations = useDisplayNames('organizations', known?.kind === 'organization' ? values : []);
  const tags = useDisplayNames('tags', known?.kind === 'tag' ? values : []);
  const managers = useDisplayNames('users', known?.kind === 'manager' ? values : []);
  if (known) {
    const names = { organization: organizations, tag: tags, manager: managers, role: undefined }[known.kind];
    const textOf = (value: string) =>
      known.kind === 'role'
        ? sessionCopy.role(value === 'none' ? null : value)
        : (names?.get(value) ?? value);
    return filterCopy.list(filterCopy.kinds[known.kind], known.isNot, filterCopy.or(values.map(textOf)));
  }
  const [value = ''] = values;
  const flag = Object.hasOwn(flags, name) ? flags[name as keyof typeof flags] : undefined;
  if (flag && (value === 'true' || value === 'false')) return flag[value];
  if (name === 'search') return copy.search(value);
  const time = /^(created|updated)(Since|Until)$/.exec(name);
  if (time) {
    const kind = filterCopy.kinds[time[1] as 'created' | 'updated'];
    const at = formatDateTime(value);
    return time[2] === 'Since' ? filterCopy.days(kind, at, undefined) : filterCopy.days(kind, undefined, at);
  }
  const field = isAttributeField(name) ? name.replace(/\.(isSet|from|to)$/, '') : name;
  const isKnown = isAttributeField(field) && attributes.some(({ key }) => key === attributeKey(field));
  return filterCopy.list(isKnown ? nameOf(field) : field, false, filterCopy.or(values));
}

const sampleMax = 5;

function Sample({ id }: { id: string }) {
  const { data: items = [] } = useQuery({
    queryKey: ['activity', 'call-sample', id],
    queryFn: async ({ signal }) => {
      const query = { limit: sampleMax, outcome: 'succeeded' } as const;
      return (await rollcall.call('listCallItems', { path: { id }, query, signal })).body.data.items;
    },
  });
  const nameOf = useUserNames(items.map(userOf));
  if (items.length === 0) return null;
  return (
    <div>
      <Text size="sm" c="dimmed">
        {copy.sample}
      </Text>
      <Stack gap={6}>
        {items.map((item) => (
          <div key={item.position}>
            <UserCell employeeID={item.employeeID ?? commonCopy.none} name={nameOf(userOf(item))} />
            {item.effect && <FieldChanges fields={item.effect.fields} kind={item.effect.kind} />}
          </div>
        ))}
      </Stack>
    </div>
  );
}

function userOf({ employeeID, serial, effect }: Schemas['CallItem']) {
  return {
    employeeID: employeeID ?? '',
    ...(serial == null ? {} : { serial }),
    ...(effect ? { fields: effect.fields } : {}),
  };
}

interface Organizations {
  readonly counts: readonly { readonly serial: string | null; readonly count: number }[];
  /** Whom it has looked at. */
  readonly users: number;
  readonly isAll: boolean;
}

/** Enough to see which organizations it is about, in one request. */
const usersMax = 200;

/** The organizations of the users, as far as they exist. */
function useOrganizations(id: string): Organizations | undefined {
  const { data } = useQuery({
    queryKey: ['activity', 'call-organizations', id],
    queryFn: async ({ signal }): Promise<Organizations> => {
      const reply = await rollcall.call('listCallItems', {
        path: { id },
        query: { limit: usersMax },
        signal,
      });
      const { items, nextCursor } = reply.body.data;
      const employeeIDs = [...new Set(items.flatMap(({ employeeID }) => employeeID ?? []))];
      if (employeeIDs.length === 0) return { counts: [], users: 0, isAll: true };
      const { body } = await rollcall.call('lookupUsers', { body: { employeeIDs }, signal });
      const found = body.data.items;
      return { counts: organizationCounts(found), users: found.length, isAll: nextCursor === null };
    },
  });
  return data && data.users > 0 ? data : undefined;
}
