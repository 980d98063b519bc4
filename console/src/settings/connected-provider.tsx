import { Button, Checkbox, Group, List, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { attributesQuery, refreshAttributes } from '../components/attributes.js';
import { Notice } from '../components/notice.js';
import { notify } from '../components/notify.js';
import { ActionProblem } from '../components/problem.js';
import { Section } from '../components/section.js';
import { language } from '../copy/language.js';
import { provisioningCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { employeeNumber, type ProviderKind, providerPath, scimBaseUrl } from './provider.js';
import { CopyableText } from './secrets.js';

const copy = provisioningCopy.connect;

export interface Connection {
  readonly clientId: string;
  readonly kind: ProviderKind;
  readonly name: string;
  /** Shown only once. */
  readonly token: string;
}

/** What to do in the provider, with the values to enter there. */
export function Connected({ clientId, kind, name, token }: Connection) {
  const [namespace, attribute] = [employeeNumber.namespace, employeeNumber.name];
  return (
    <Stack maw={760}>
      <Notice color="green" role="status" title={copy.created(name)}>
        {copy.createdText}
      </Notice>
      <Section title={copy.values}>
        <Stack gap="xs">
          <CopyableText label={provisioningCopy.baseUrl} value={scimBaseUrl()} />
          <Notice color="yellow">{provisioningCopy.tokens.once}</Notice>
          <CopyableText label={provisioningCopy.tokens.label} value={token} />
          {kind === 'okta' ? (
            <>
              <CopyableText label={copy.userName} value="userName" />
              <CopyableText label={copy.externalName} value={attribute} />
              <CopyableText label={copy.namespace} value={namespace} />
            </>
          ) : (
            <CopyableText label={copy.employeeNumber} value={`${namespace}:${attribute}`} />
          )}
        </Stack>
      </Section>
      <Section title={copy.steps}>
        <List type="ordered" size="sm" spacing="xs">
          {copy.instructions[kind].map((step) => (
            <List.Item key={step}>{step}</List.Item>
          ))}
        </List>
      </Section>
      <OfferedAttributes />
      <Group>
        <Button component={Link} href={providerPath(clientId)}>
          {copy.finish}
        </Button>
      </Group>
    </Stack>
  );
}

const offered = provisioningCopy.attributes;
type OfferedKey = keyof typeof offered.labels;
const offeredKeys = Object.keys(offered.labels) as OfferedKey[];

/** Attributes that providers send and nobody has defined. */
function OfferedAttributes() {
  const { data: defined } = useQuery(attributesQuery);
  const [left, setLeft] = useState<readonly OfferedKey[]>([]);
  const missing = offeredKeys.filter(
    (key) => !defined?.some((each) => each.key.toLowerCase() === key.toLowerCase()),
  );
  const chosen = missing.filter((key) => !left.includes(key));
  const defining = useMutation({
    mutationFn: async () => {
      for (const key of chosen) {
        const body = { key, type: 'text', labels: { [language]: offered.labels[key] } } as const;
        await rollcall.call('createAttribute', { body });
      }
      notify(offered.defined(chosen.length));
    },
    onSettled: refreshAttributes,
  });
  if (!defined || missing.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={offered.title}>
      <Title order={2} size="h4" mb="xs">
        {offered.title}
      </Title>
      <Text size="sm" mb="sm">
        {offered.text}
      </Text>
      <Stack gap="xs" mb="sm">
        {missing.map((key) => (
          <Checkbox
            key={key}
            label={offered.labels[key]}
            checked={!left.includes(key)}
            onChange={(event) =>
              setLeft(event.currentTarget.checked ? left.filter((each) => each !== key) : [...left, key])
            }
          />
        ))}
      </Stack>
      <ActionProblem title={offered.failed} error={defining.error} />
      <Button
        variant="default"
        disabled={chosen.length === 0}
        loading={defining.isPending}
        onClick={() => defining.mutate()}
      >
        {offered.define}
      </Button>
    </Paper>
  );
}
