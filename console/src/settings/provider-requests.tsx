import { Select, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useState } from 'react';
import { UserLink } from '../components/actor.js';
import { selectOptions } from '../components/choices.js';
import { EmptyState } from '../components/empty-state.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { StateBadge } from '../components/state-badge.js';
import { commonCopy, errorsCopy } from '../copy/copy.js';
import { formatDateTime, formatList } from '../copy/format.js';
import { provisioningCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { providerKeys } from './provider.js';

type ScimRequest = Schemas['ScimRequest'];

const copy = provisioningCopy.requests;
const choices = { all: copy.all, failed: copy.failed };
/** They arrive by themselves, and somebody who connects a provider is waiting for them. */
const refetchMs = 5_000;

export function ProviderRequests({ clientId }: { clientId: string }) {
  const [shown, setShown] = useState<keyof typeof choices>('all');
  const failedOnly = shown === 'failed';
  const list = usePagedList<ScimRequest>({
    key: [...providerKeys.one(clientId), 'requests', { failedOnly }],
    load: async (page, signal) => {
      const request = { path: { id: clientId }, query: { failedOnly, ...page }, signal };
      return (await rollcall.call('listScimRequests', request)).body.data;
    },
    refetchMs: () => refetchMs,
  });
  return (
    <>
      <Select
        label={copy.shown}
        data={selectOptions(choices)}
        value={shown}
        onChange={(value) => setShown(value === 'failed' ? 'failed' : 'all')}
        allowDeselect={false}
        w={200}
        mb="sm"
      />
      <ListTable
        label={copy.title}
        columns={columns}
        list={list}
        keyOf={({ id }) => id}
        empty={
          failedOnly ? (
            <EmptyState title={copy.noFailures} />
          ) : (
            <EmptyState title={copy.empty} hint={copy.emptyHint} />
          )
        }
      />
    </>
  );
}

const columns: readonly Column<ScimRequest>[] = [
  { header: copy.at, isShort: true, cell: ({ at }) => formatDateTime(at) },
  { header: copy.what, isShort: true, cell: whatText },
  { header: copy.about, cell: (request) => <Subject {...request} /> },
  { header: copy.result, cell: (request) => <Result {...request} /> },
];

function whatText({ operation, resourceType, durationMs }: ScimRequest) {
  return (
    <>
      <div>
        {copy.operations[operation]}
        {resourceType && ` (${copy.types[resourceType]})`}
      </div>
      <Text size="xs" c="dimmed">
        {copy.duration(durationMs)}
      </Text>
    </>
  );
}

function Subject({ resourceType, resourceId }: ScimRequest) {
  if (resourceId === null) return commonCopy.none;
  return resourceType === 'User' ? <UserLink serial={resourceId} /> : resourceId;
}

function Result({ status, error, scimType, ignoredAttributes }: ScimRequest) {
  const hasFailed = status >= 400;
  return (
    <>
      <StateBadge color={hasFailed ? 'red' : 'green'}>
        {hasFailed ? copy.rejected(status) : copy.succeeded(status)}
      </StateBadge>
      {hasFailed && <Text size="sm">{errorText(error) ?? scimType}</Text>}
      {ignoredAttributes.length > 0 && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {copy.ignored(formatList(ignoredAttributes))}
        </Text>
      )}
    </>
  );
}

/** A newer service may have errors that the console doesn't know. */
function errorText(error: string | null): string | null {
  if (error === null || !Object.hasOwn(errorsCopy.codes, error)) return error;
  return errorsCopy.codes[error as keyof typeof errorsCopy.codes];
}
