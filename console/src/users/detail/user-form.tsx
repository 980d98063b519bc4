import { Button, Group, Stack, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { LeaveGuard } from '../../components/leave-guard.js';
import { notice } from '../../components/notify.js';
import { Problem } from '../../components/problem.js';
import { texts } from '../../copy/index.js';
import { isNewer, personQuery, savePerson, tellSaved, type Versioned } from '../data/user-queries.js';
import { changedFields, type Draft, draftOf, patchOf } from '../form/draft.js';
import { fieldsConcerned, problemsOf } from '../form/field-problems.js';
import { useFocusOnProblem } from '../form/use-focus-on-problem.js';
import { useFormProblems } from '../form/use-form-problems.js';
import css from '../form/user.module.css';
import { PersonInputs } from '../form/user-inputs.js';
import { afterSave, encounters, rebased } from './edit-conflict.js';
import { Meanwhile } from './edit-conflict-alert.js';

/** Every field in one form, saved together: only what was changed is sent, and only over the version that was seen. */
export function PersonForm({ fresh }: { fresh: Versioned }) {
  const queries = useQueryClient();
  const [base, setBase] = useState(fresh);
  const [draft, setDraft] = useState<Draft>(() => draftOf(fresh.user));
  const form = useRef<HTMLFormElement>(null);
  const met = isNewer(fresh, base) ? encounters(base.user, fresh.user, draft) : [];
  const changed = changedFields(base.user, draft);
  if (isNewer(fresh, base) && (met.length === 0 || changed.length === 0)) {
    setDraft(rebased(base.user, fresh.user, draft));
    setBase(fresh);
  }

  const found = problemsOf(draft, texts.person.rules);
  const problems = useFormProblems(found);
  const focusOnProblem = useFocusOnProblem(form);
  const saving = useMutation({
    mutationFn: (sent: Draft) => savePerson(base, patchOf(base.user, sent)),
    onSuccess: (saved, sent) => {
      setBase(saved);
      setDraft((now) => afterSave(sent, saved.user, now));
      problems.reset();
      notice(texts.person.saved(saved.user.name));
      return tellSaved(queries, saved);
    },
    onError: async (error) => {
      if (problems.refuse(error)) focusOnProblem();
      // Somebody was quicker. What they did is shown beside what is typed here.
      if (isRollcallError(error, 'REQUEST_PRECONDITION_FAILED')) {
        await queries.invalidateQueries({ queryKey: personQuery(base.user.serial).queryKey, exact: true });
      }
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    problems.touchAll();
    if (Object.keys(found).length > 0) focusOnProblem();
    else if (changed.length > 0) saving.mutate(draft);
  };
  const discard = () => {
    setDraft(draftOf(fresh.user));
    setBase(fresh);
    problems.reset();
    saving.reset();
  };
  const isMet = met.length > 0 && changed.length > 0;
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {isMet && (
        <Meanwhile
          encounters={met}
          at={fresh.user.updatedAt}
          onDecided={(taken) => {
            setDraft(rebased(base.user, fresh.user, draft, taken));
            setBase(fresh);
            saving.reset();
          }}
        />
      )}
      {saving.isError && !isMet && !isBesideField(saving.error) && (
        <Problem title={texts.person.notSaved} error={saving.error} />
      )}
      <Stack gap="md">
        <PersonInputs
          draft={draft}
          problems={problems}
          onChange={setDraft}
          base={base.user}
          changed={changed}
        />
      </Stack>
      {changed.length > 0 && (
        <Group className={css.bar} justify="space-between">
          <Text size="sm" role="status">
            {texts.person.changes(changed.map((field) => texts.common.fields[field]))}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={discard}>
              {texts.person.discard}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={isMet}>
              {texts.common.save}
            </Button>
          </Group>
        </Group>
      )}
      <LeaveGuard isOn={changed.length > 0} {...texts.person.leaving} />
    </form>
  );
}

function isBesideField(error: unknown): boolean {
  return isRollcallError(error) && fieldsConcerned(error.name, error.detail).length > 0;
}
