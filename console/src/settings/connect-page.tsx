import { Anchor, Button, Group, NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { Link } from 'wouter';
import { selectOptions } from '../components/choices.js';
import { PageTitle } from '../components/page-title.js';
import { ActionProblem } from '../components/problem.js';
import { settingsCopy } from '../copy/copy.js';
import { provisioningCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { Connected, type Connection } from './connected-provider.js';
import { createToken, type Provider, type ProviderKind, providerKinds } from './provider.js';
import { settingsPath } from './tabs.js';

const copy = provisioningCopy.connect;
type EmployeeIdSource = Provider['settings']['employeeId'];

/** Creates the client, its settings and its first token, then shows what to enter in the provider. */
export function ConnectPage() {
  const [connection, setConnection] = useState<Connection>();
  return (
    <>
      <PageTitle title={copy.title} section={settingsCopy.tabs.provisioning} />
      {connection ? <Connected {...connection} /> : <ConnectForm onConnected={setConnection} />}
    </>
  );
}

function ConnectForm({ onConnected }: { onConnected: (connection: Connection) => void }) {
  const [kind, setKind] = useState<ProviderKind>('okta');
  const [name, setName] = useState<string>(provisioningCopy.kinds.okta);
  const [employeeId, setEmployeeId] = useState<EmployeeIdSource>('reject');
  const connect = useConnect();
  const choose = (chosen: ProviderKind) => {
    // A name that nobody has typed follows the choice.
    if (name === '' || name === suggestedName(kind)) setName(suggestedName(chosen));
    setKind(chosen);
  };
  const connecting = useMutation({
    mutationFn: () => connect({ kind, name, employeeId }),
    onSuccess: onConnected,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    connecting.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={560}>
        <Radio.Group label={copy.choose} value={kind} onChange={(value) => choose(value as ProviderKind)}>
          <Stack gap="xs" mt="xs">
            {providerKinds.map((each) => (
              <Radio key={each} value={each} label={provisioningCopy.kinds[each]} />
            ))}
          </Stack>
        </Radio.Group>
        <TextInput
          label={copy.name}
          description={copy.nameHint}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
        />
        <NativeSelect
          label={provisioningCopy.settings.employeeId}
          description={copy.employeeIdHint}
          data={selectOptions(provisioningCopy.settings.employeeIdChoices)}
          value={employeeId}
          onChange={(event) => setEmployeeId(event.currentTarget.value as EmployeeIdSource)}
        />
        <ActionProblem title={copy.failed} error={connecting.error} />
        <Group>
          <Button type="submit" loading={connecting.isPending}>
            {copy.submit}
          </Button>
          <Anchor component={Link} href={settingsPath('provisioning')} size="sm">
            {provisioningCopy.back}
          </Anchor>
        </Group>
        <Text size="sm" c="dimmed">
          {provisioningCopy.lead}
        </Text>
      </Stack>
    </form>
  );
}

function suggestedName(kind: ProviderKind): string {
  return kind === 'other' ? '' : provisioningCopy.kinds[kind];
}

interface NewProvider {
  readonly kind: ProviderKind;
  readonly name: string;
  readonly employeeId: EmployeeIdSource;
}

/** A second attempt goes on with the client that the first one has created. */
function useConnect() {
  const created = useRef<string>(undefined);
  return async ({ kind, name, employeeId }: NewProvider): Promise<Connection> => {
    if (created.current === undefined) {
      const reply = await rollcall.call('createClient', { body: { name, scopes: ['scim'] } });
      created.current = reply.body.data.id;
    }
    const clientId = created.current;
    await rollcall.call('setScimProvider', { path: { id: clientId }, body: { kind, employeeId } });
    return { clientId, kind, name, token: await createToken(clientId, name, null) };
  };
}
