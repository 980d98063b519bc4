import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAttributes } from '../../components/attributes.js';
import { LeaveGuard } from '../../components/leave-guard.js';
import { Notice } from '../../components/notice.js';
import { notify } from '../../components/notify.js';
import { ActionProblem } from '../../components/problem.js';
import { commonCopy, errorsCopy } from '../../copy/copy.js';
import { feedFormCopy as copy } from '../../copy/on-demand-copy.js';
import { queryClient, rollcall } from '../../session/api.js';
import type { Feed } from './feed.js';
import { creationOf, type FeedDraft, keyFromName, patchOf, problemsOf, secretNames } from './feed-draft.js';
import { InformSection } from './inform-section.js';
import { LimitsSection } from './limits-section.js';
import { MappingSection } from './mapping-section.js';
import { RulesSection } from './rules-section.js';
import { ScheduleSection } from './schedule-section.js';
import { below, FormSection, type PartProps } from './section.js';
import { SourceSection } from './source-section.js';

interface FeedFormProps {
  /** The one that is changed; a new one without. */
  readonly feed?: Feed;
  readonly start: FeedDraft;
  /** Whether leaving loses something even if nothing was typed. */
  readonly isProposal?: boolean;
}

export function FeedForm({ feed, start, isProposal = false }: FeedFormProps) {
  const [, navigate] = useLocation();
  const attributes = useAttributes();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(start);
  const [isTouched, setIsTouched] = useState(false);
  const [refused, setRefused] = useState<string>();
  const focusOnProblem = useFocusOnProblem(form);
  const problems = problemsOf(draft, feed, attributes);
  const saving = useMutation({
    mutationFn: () => save(draft, feed),
    onMutate: () => setRefused(undefined),
    onSuccess: (saved) => {
      notify((feed ? copy.saved : copy.created)(saved.name));
      navigate(`/feeds/${saved.key}`, { replace: true });
    },
    onError: (error) => {
      setRefused(refusedSetting(error));
      focusOnProblem();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTouched(true);
    if (problems.length > 0) focusOnProblem();
    else saving.mutate();
  };
  const parts: PartProps = {
    draft,
    onChange: (part) => {
      setDraft({ ...draft, ...part });
      if (refused !== undefined && settingsOf(part).includes(refused)) setRefused(undefined);
    },
    problemOf: (problem, text) => (isTouched && problems.includes(problem) ? text : undefined),
    refused,
  };
  const isDirty = isProposal || JSON.stringify(draft) !== JSON.stringify(start);
  return (
    <form ref={form} onSubmit={submit} noValidate>
      <Stack gap="md" maw={760}>
        <Text size="sm" c="dimmed">
          {copy.hint}
        </Text>
        <Names {...parts} isNew={!feed} />
        <SourceSection {...parts} feed={feed} />
        <ScheduleSection {...parts} />
        <MappingSection {...parts} />
        <RulesSection {...parts} />
        <LimitsSection {...parts} />
        <InformSection {...parts} feed={feed} />
        {isTouched && problems.length > 0 && (
          <Notice color="red" role="status">
            {copy.check}
          </Notice>
        )}
        {refused === undefined && <ActionProblem title={copy.failed} error={saving.error} />}
        {/* At the end, where notifications don't cover them. */}
        <Group justify="flex-end">
          <Button
            component={Link}
            href={feed ? `/feeds/${feed.key}` : '/feeds'}
            variant="subtle"
            color="gray"
          >
            {commonCopy.cancel}
          </Button>
          <Button type="submit" loading={saving.isPending}>
            {feed ? commonCopy.save : copy.create}
          </Button>
        </Group>
      </Stack>
      <LeaveGuard isOn={isDirty && !saving.isSuccess} {...copy.leaving} />
    </form>
  );
}

/** The key follows the name until it is edited. */
function Names({ draft, onChange, problemOf, refused, isNew }: PartProps & { readonly isNew: boolean }) {
  const { name, key } = draft;
  const isDerived = isNew && key === keyFromName(name);
  const keyRefused = refused === 'key' ? copy.keyInvalid : undefined;
  const keyTaken = refused === takenKey ? errorsCopy.codes.FEED_KEY_EXISTS : undefined;
  return (
    <FormSection title={copy.names}>
      <TextInput
        label={copy.name}
        description={copy.nameHint}
        inputWrapperOrder={below}
        value={name}
        onChange={(event) => {
          const typed = event.currentTarget.value;
          onChange({ name: typed, ...(isDerived && { key: keyFromName(typed) }) });
        }}
        error={refused === 'name' ? copy.nameInvalid : problemOf('name', copy.required)}
        autoComplete="off"
        withAsterisk
        aria-required
      />
      <TextInput
        label={copy.key}
        description={isNew ? `${copy.keyHint} ${copy.keyLater}` : copy.keyFixed}
        inputWrapperOrder={below}
        value={key}
        onChange={(event) => onChange({ key: event.currentTarget.value })}
        error={keyTaken ?? keyRefused ?? problemOf('key', copy.keyInvalid)}
        readOnly={!isNew}
        autoComplete="off"
        spellCheck={false}
        withAsterisk={isNew}
        aria-required={isNew || undefined}
      />
    </FormSection>
  );
}

async function save(draft: FeedDraft, feed: Feed | undefined): Promise<Feed> {
  const { body } = feed
    ? await rollcall.call('updateFeed', { path: { key: feed.key }, body: patchOf(draft, feed) })
    : await rollcall.call('createFeed', { body: creationOf(draft) });
  void queryClient.invalidateQueries({ queryKey: ['feeds'] });
  return body.data;
}

const takenKey = 'takenKey';

/** The setting that an error is about; undefined if it is about something else. */
function refusedSetting(error: unknown): string | undefined {
  if (isRollcallError(error, 'FEED_KEY_EXISTS')) return takenKey;
  return isRollcallError(error, 'REQUEST_BODY_INVALID') ? error.data.field : undefined;
}

/** The settings that a change of the draft concerns. */
function settingsOf(part: Partial<FeedDraft>): string[] {
  const names = Object.keys(part);
  return [
    ...names,
    ...(names.includes('secrets') ? secretNames : []),
    ...(names.includes('key') ? [takenKey] : []),
  ];
}

/** Focuses the first invalid input, or else what the service said, after the form has rendered it. */
function useFocusOnProblem(form: { readonly current: HTMLFormElement | null }): () => void {
  const [times, setTimes] = useState(0);
  useEffect(() => {
    if (times === 0) return;
    const invalid = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    const details = invalid?.closest('details');
    if (details) details.open = true;
    invalid?.focus();
    if (!invalid) form.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
  }, [form, times]);
  return () => setTimes((now) => now + 1);
}
