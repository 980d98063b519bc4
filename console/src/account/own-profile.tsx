import { Alert, Button, Group, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { attributeField, isAttributeField } from '@rollcall/sheets';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { AttributeInput } from '../components/attribute-input.js';
import {
  type AttributeValue,
  attributeLabel,
  attributeOf,
  attributeProblem,
  formatAttribute,
} from '../components/attribute-value.js';
import { fieldLabel } from '../components/error-message.js';
import { Fact, Facts } from '../components/facts.js';
import { isEmpty } from '../components/field-value.js';
import { notify } from '../components/notify.js';
import { ActionProblem, Problem } from '../components/problem.js';
import { Section } from '../components/section.js';
import { profileCopy as copy } from '../copy/account-copy.js';
import { commonCopy } from '../copy/copy.js';
import { formatTime } from '../copy/format.js';
import { queryClient, rollcall } from '../session/api.js';
import { OwnReport } from './own-report.js';
import { keepProfile, type Profile, profileKey, useProfile } from './profile-queries.js';

type Confirmation = Profile['confirmations'][number];

/** What the company has stored about the user, and what of it they may change. */
export function OwnProfile() {
  const { data, error, isPending, refetch } = useProfile();
  return (
    <Section title={copy.title} maxWidth={900}>
      {isPending && <Skeleton height={160} />}
      {error && <Problem title={copy.cannotLoad} error={error} onRetry={() => void refetch()} />}
      {data && <Shown profile={data} />}
    </Section>
  );
}

function Shown({ profile }: { profile: Profile }) {
  const [isEditing, setIsEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  const end = () => {
    setIsEditing(false);
    setTimeout(() => edit.current?.focus()); // once it is there again
  };
  return (
    <Stack gap="md">
      <Text size="sm" c="dimmed">
        {copy.lead}
      </Text>
      {profile.confirmations.map((each) => (
        <Confirm key={`${each.field} ${each.value}`} confirmation={each} />
      ))}
      {!isEditing && <OwnReport profile={profile} />}
      {isEditing ? (
        <EditForm profile={profile} onDone={end} />
      ) : (
        <>
          <Facts>
            {factsOf(profile).map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
          {profile.editable.length > 0 && (
            <Group>
              <Button ref={edit} variant="default" onClick={() => setIsEditing(true)}>
                {copy.edit}
              </Button>
            </Group>
          )}
        </>
      )}
    </Stack>
  );
}

function factsOf({ user, organizationName, tagNames, attributes }: Profile): [string, ReactNode][] {
  const { name, employeeID, username, email, phone } = user;
  const facts: [string, unknown][] = [
    ...Object.entries({ name, employeeID, username, email, phone }).map(
      ([field, value]): [string, unknown] => [fieldLabel(field), value],
    ),
    [copy.organization, organizationName],
    [copy.tags, tagNames.join(', ')],
    ...attributes.map((attribute): [string, unknown] => {
      const value = (user.attributes as Record<string, unknown>)[attribute.key];
      return [attributeLabel(attribute), isEmpty(value) ? null : formatAttribute(attribute.type, value)];
    }),
  ];
  return facts.filter(([, value]) => !isEmpty(value)).map(([label, value]) => [label, String(value)]);
}

interface EditFormProps {
  readonly profile: Profile;
  readonly onDone: () => void;
}

type Draft = Readonly<Record<string, AttributeValue>>;

function EditForm({ profile, onDone }: EditFormProps) {
  const { editable, attributes } = profile;
  const [before] = useState(() => draftOf(profile));
  const [draft, setDraft] = useState(before);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.focus(), []);
  const saving = useMutation({
    mutationFn: async () =>
      (await rollcall.call('changeOwnProfile', { body: patchOf(before, draft) })).body.data,
    onSuccess: (saved) => {
      keepProfile(saved);
      notify(copy.saved);
      onDone();
    },
  });
  const problems = new Map(
    attributes.flatMap((attribute) => {
      const field = attributeField(attribute.key);
      const value = draft[field];
      const problem = value === undefined ? undefined : attributeProblem(attribute, value);
      return problem === undefined ? [] : [[field as string, problem] as const];
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problems.size > 0) return;
    if (Object.keys(patchOf(before, draft)).length === 0) onDone();
    else saving.mutate();
  };
  const set = (field: string, value: AttributeValue) => setDraft((now) => ({ ...now, [field]: value }));
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md" maw={640}>
        <ActionProblem title={copy.notSaved} error={saving.error} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          {editable.map((field) => {
            const attribute = attributeOf(field, attributes);
            const value = draft[field] ?? '';
            if (attribute) {
              return (
                <AttributeInput
                  key={field}
                  attribute={attribute}
                  label={attributeLabel(attribute)}
                  value={value}
                  onChange={(changed) => set(field, changed)}
                  error={problems.get(field)}
                />
              );
            }
            return (
              <TextInput
                key={field}
                label={fieldLabel(field)}
                {...inputOf[field]}
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                value={String(value)}
                onChange={({ currentTarget }) => set(field, currentTarget.value)}
              />
            );
          })}
        </SimpleGrid>
        <Group gap="xs">
          <Button type="submit" loading={saving.isPending}>
            {commonCopy.save}
          </Button>
          <Button variant="default" onClick={onDone}>
            {copy.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const inputOf: Readonly<Record<string, object>> = {
  name: { autoComplete: 'name' },
  email: { type: 'email', autoComplete: 'email', description: copy.contactHint },
  phone: { type: 'tel', autoComplete: 'tel', description: copy.contactHint },
};

function draftOf({ user, editable }: Profile): Draft {
  const values: Readonly<Record<string, unknown>> = { ...user };
  const attributes = user.attributes as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    editable.map((field) => {
      const value = isAttributeField(field) ? attributes[field.slice(field.indexOf('.') + 1)] : values[field];
      return [field, (value ?? '') as AttributeValue];
    }),
  );
}

/** Only what has changed. An empty value clears a field. */
function patchOf(before: Draft, draft: Draft): Record<string, unknown> {
  const patch: Record<string, unknown> = {};
  const attributes: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(draft)) {
    if (JSON.stringify(value) === JSON.stringify(before[field])) continue;
    const sent = isEmpty(value) ? null : value;
    if (isAttributeField(field)) attributes[field.slice(field.indexOf('.') + 1)] = sent;
    else patch[field] = sent;
  }
  return Object.keys(attributes).length === 0 ? patch : { ...patch, attributes };
}

/** Beside the input, whether or not there is an error below it. */
const besideLabel = 24;

/** A new email or phone that waits for its code. */
function Confirm({ confirmation: { field, value, expiresAt } }: { confirmation: Confirmation }) {
  const [code, setCode] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const confirming = useMutation({
    mutationFn: async () => (await rollcall.call('confirmContact', { body: { field, code } })).body.data,
    onSuccess: (profile) => {
      keepProfile(profile);
      notify(copy.confirm.done(value));
    },
    onError: () => input.current?.select(),
  });
  const withdrawing = useMutation({
    mutationFn: () => rollcall.call('withdrawContact', { path: { field } }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: profileKey }),
  });
  const { error } = confirming;
  const attemptsLeft = isRollcallError(error, 'ACCESS_CODE_WRONG') ? error.data.attemptsLeft : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirming.mutate();
  };
  return (
    <Alert variant="outline" title={copy.confirm.title(value)}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm">
            {expiresAt === null
              ? copy.confirm.sending
              : `${copy.confirm.sent} ${copy.confirm.until(formatTime(expiresAt))}`}
          </Text>
          {attemptsLeft === undefined && <ActionProblem title={copy.confirm.failed} error={error} />}
          <ActionProblem title={copy.confirm.notWithdrawn} error={withdrawing.error} />
          <Group align="flex-start" gap="xs">
            <TextInput
              ref={input}
              label={copy.confirm.code}
              inputMode="numeric"
              autoComplete="one-time-code"
              w={160}
              value={code}
              onChange={({ currentTarget }) => {
                setCode(currentTarget.value);
                confirming.reset();
              }}
              error={attemptsLeft === undefined ? undefined : copy.confirm.attemptsLeft(attemptsLeft)}
              required
              withAsterisk={false}
            />
            <Button mt={besideLabel} type="submit" loading={confirming.isPending}>
              {copy.confirm.action}
            </Button>
            <Button
              mt={besideLabel}
              variant="default"
              loading={withdrawing.isPending}
              onClick={() => withdrawing.mutate()}
            >
              {copy.confirm.withdraw}
            </Button>
          </Group>
        </Stack>
      </form>
    </Alert>
  );
}

/** Whom the user reports to, and who reports to them. */
export function OwnTeam() {
  const { data } = useProfile();
  if (!data || (data.user.manager === null && data.reports.length === 0)) return null;
  const { manager } = data.user;
  return (
    <Section title={copy.team.title} maxWidth={900}>
      <Facts>
        <Fact name={copy.team.manager}>
          {manager === null ? copy.team.noManager : (manager.name ?? manager.employeeID)}
        </Fact>
        {data.reports.length > 0 && (
          <Fact name={copy.team.reports}>
            <ul style={{ margin: 0, paddingInlineStart: '1.2em' }}>
              {data.reports.map(({ serial, name, employeeID, isActive }) => (
                <li key={serial}>
                  {isActive ? (name ?? employeeID) : copy.team.inactive(name ?? employeeID ?? '')}
                </li>
              ))}
              {data.hasMoreReports && <li>{copy.team.more}</li>}
            </ul>
          </Fact>
        )}
      </Facts>
    </Section>
  );
}
