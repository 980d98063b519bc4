import { Button } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { EmptyState } from '../components/empty-state.js';
import { type Column, ListTable, usePagedList } from '../components/paged-list.js';
import { useKeepFocus } from '../components/row-menu.js';
import { StateBadge, type StateColor } from '../components/state-badge.js';
import { formatDateTime } from '../copy/format.js';
import { provisioningCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { providerKeys } from './provider.js';

export type ClientToken = Schemas['ClientToken'];

const copy = provisioningCopy.tokens;
const colors: Readonly<Record<keyof typeof copy.states, StateColor>> = {
  valid: 'green',
  expired: 'gray',
  revoked: 'gray',
};

interface ProviderTokensProps {
  readonly clientId: string;
  readonly onRevoke: (token: ClientToken) => void;
}

/** The long-lived tokens of a provider, never with the tokens themselves. */
export function ProviderTokens({ clientId, onRevoke }: ProviderTokensProps) {
  const list = usePagedList<ClientToken>({
    key: providerKeys.tokens(clientId),
    load: async (page, signal) =>
      (await rollcall.call('listClientTokens', { path: { id: clientId }, query: page, signal })).body.data,
  });
  return (
    <ListTable
      label={copy.title}
      columns={columnsFor(onRevoke)}
      list={list}
      keyOf={({ id }) => id}
      empty={<EmptyState title={copy.empty} hint={copy.emptyHint} />}
    />
  );
}

function columnsFor(onRevoke: (token: ClientToken) => void): Column<ClientToken>[] {
  return [
    { header: copy.name, cell: ({ name }) => name },
    { header: copy.state, isShort: true, cell: (token) => <TokenState state={stateOf(token)} /> },
    {
      header: copy.lastUse,
      isShort: true,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? provisioningCopy.never : formatDateTime(lastUsedAt)),
    },
    { header: copy.created, isShort: true, cell: ({ createdAt }) => formatDateTime(createdAt) },
    {
      header: copy.expires,
      isShort: true,
      cell: ({ expiresAt }) => (expiresAt === null ? provisioningCopy.never : formatDateTime(expiresAt)),
    },
    {
      header: copy.actions,
      isNumber: true,
      cell: (token) => stateOf(token) === 'valid' && <Revoke token={token} onRevoke={onRevoke} />,
    },
  ];
}

function TokenState({ state }: { state: keyof typeof copy.states }) {
  return <StateBadge color={colors[state]}>{copy.states[state]}</StateBadge>;
}

function Revoke({ token, onRevoke }: { token: ClientToken; onRevoke: (token: ClientToken) => void }) {
  const button = useKeepFocus(); // it disappears when the token is revoked
  return (
    <Button
      ref={button}
      size="compact-sm"
      variant="default"
      aria-label={copy.revokeOf(token.name)}
      onClick={() => onRevoke(token)}
    >
      {copy.revoke}
    </Button>
  );
}

function stateOf({ revokedAt, expiresAt }: ClientToken): keyof typeof copy.states {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
}
