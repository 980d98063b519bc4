import { Button, Group, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { quarantinedName } from '../../components/error-message.js';
import { LeaveGuard } from '../../components/leave-guard.js';
import { notify } from '../../components/notify.js';
import { Problem } from '../../components/problem.js';
import { QuarantineNotice } from '../../components/quarantine.js';
import { commonCopy, userCopy } from '../../copy/copy.js';
import { usePermission } from '../../session/session.js';
import {
  isNewer,
  newestChangesQuery,
  saveUser,
  updateCachedUser,
  userQuery,
  type VersionedUser,
  versionOf,
} from '../data/user-queries.js';
import { changedFields, type Draft, draftOf, patchOf } from '../form/draft.js';
import { fieldsConcerned, validateDraft } from '../form/field-problems.js';
import { useFocusOnProblem } from '../form/use-focus-on-problem.js';
import { useFormProblems } from '../form/use-form-problems.js';
import css from '../form/user.module.css';
import { UserInputs } from '../form/user-inputs.js';
import { authorsSince, draftAfterSave, findEditConflicts, rebaseDraft } from './edit-conflict.js';
import { EditConflictAlert } from './edit-conflict-alert.js';

interface UserFormProps {
  readonly fresh: VersionedUser;
  readonly onUnsaved: (isUnsaved: boolean) => void;
}

/** Sends only changed fields, and only if the user has not been changed since. */
export function UserForm({ fresh, onUnsaved }: UserFormProps) {
  const queries = useQueryClient();
  const [base, setBase] = useState(fresh);
  const [draft, setDraft] = useState<Draft>(() => draftOf(fresh.user));
  const form = useRef<HTMLFormElement>(null);
  const conflicts = isNewer(fresh, base) ? findEditConflicts(base.user, fresh.user, draft) : [];
  const changed = changedFields(base.user, draft);
  if (isNewer(fresh, base) && (conflicts.length === 0 || changed.length === 0)) {
    setDraft(rebaseDraft(base.user, fresh.user, draft));
    setBase(fresh);
  }

  const isUnsaved = changed.length > 0;
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  const found = validateDraft(draft);
  const problems = useFormProblems(found);
  const focusOnProblem = useFocusOnProblem(form);
  const saving = useMutation({
    mutationFn: (sent: Draft) => saveUser(base, patchOf(base.user, sent)),
    onSuccess: (saved, sent) => {
      setBase(saved);
      setDraft((now) => draftAfterSave(sent, saved.user, now));
      problems.reset();
      notify(userCopy.saved(saved.user.name));
      return updateCachedUser(queries, saved);
    },
    onError: async (error) => {
      if (problems.showError(error)) focusOnProblem();
      // Loads the other change, so that it shows as a conflict.
      if (isRollcallError(error, 'REQUEST_PRECONDITION_FAILED')) {
        await queries.invalidateQueries({ queryKey: userQuery(base.user.serial).queryKey, exact: true });
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
  const kept = quarantinedName(saving.error);
  const hasConflict = conflicts.length > 0 && changed.length > 0;
  const authors = useAuthors(base, hasConflict);
  return (
    <form ref={form} onSubmit={submit} noValidate>
      {hasConflict && (
        <EditConflictAlert
          conflicts={conflicts}
          at={fresh.user.updatedAt}
          authors={authors}
          onDecided={(taken) => {
            setDraft(rebaseDraft(base.user, fresh.user, draft, taken));
            setBase(fresh);
            saving.reset();
          }}
        />
      )}
      {saving.isError && !hasConflict && !isBesideField(saving.error) && (
        <Problem title={userCopy.notSaved} error={saving.error} />
      )}
      {kept && (
        <QuarantineNotice
          name={kept}
          onReleased={() => {
            saving.reset();
            problems.clearError(kept.field);
            form.current?.querySelector<HTMLElement>(`input[name="${kept.field}"]`)?.focus();
          }}
        />
      )}
      <div className={css.fields}>
        <UserInputs
          draft={draft}
          problems={problems}
          onChange={setDraft}
          base={base.user}
          changed={changed}
        />
      </div>
      {isUnsaved && (
        <Group className={css.bar} justify="space-between">
          <Text size="sm" role="status">
            {userCopy.unsaved(changed.map((field) => commonCopy.fields[field]))}
          </Text>
          <Group gap="xs">
            <Button variant="default" onClick={discard}>
              {userCopy.discard}
            </Button>
            <Button type="submit" loading={saving.isPending} disabled={hasConflict}>
              {commonCopy.save}
            </Button>
          </Group>
        </Group>
      )}
      <LeaveGuard isOn={isUnsaved} {...userCopy.leaving} />
    </form>
  );
}

/** Who made the conflicting changes, for those who may see it. */
function useAuthors(base: VersionedUser, isWanted: boolean) {
  const maySee = usePermission('audit:read');
  const { data } = useQuery({ ...newestChangesQuery(base.user.serial), enabled: maySee && isWanted });
  return data ? authorsSince(data, versionOf(base)) : [];
}

function isBesideField(error: unknown): boolean {
  return fieldsConcerned(error).length > 0;
}
