import { Alert, Button, Group, Radio, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, Fragment, useEffect, useRef, useState } from 'react';
import { Actor } from '../../components/actor.js';
import { useAttributes, useFieldTexts } from '../../components/attributes.js';
import { quarantinedName } from '../../components/error-message.js';
import changesCss from '../../components/field-changes.module.css';
import { LeaveGuard } from '../../components/leave-guard.js';
import { Problem } from '../../components/problem.js';
import { QuarantineNotice } from '../../components/quarantine.js';
import { commonCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { useSeesHistory } from '../../session/session.js';
import { storedValue } from '../data/user.js';
import {
  isNewer,
  newestChangesQuery,
  saveUser,
  updateCachedUser,
  userQuery,
  type VersionedUser,
  versionOf,
} from '../data/user-queries.js';
import { AttributeInputs } from '../form/attribute-inputs.js';
import {
  changedFields,
  type Draft,
  type DraftField,
  draftOf,
  patchOf,
  submittedValue,
} from '../form/draft.js';
import { fieldsConcerned, validateDraft } from '../form/field-problems.js';
import { useFocusOnProblem, useFormProblems } from '../form/form-problems.js';
import css from '../form/user.module.css';
import { UserInputs } from '../form/user-inputs.js';
import { notifySaved } from '../restore/saved-notice.js';
import {
  authorsSince,
  type ChangeActor,
  draftAfterSave,
  type EditConflict,
  findEditConflicts,
  rebaseDraft,
} from './edit-conflict.js';

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
  const bar = useRef<HTMLDivElement>(null);
  const conflicts = isNewer(fresh, base) ? findEditConflicts(base.user, fresh.user, draft) : [];
  const changed = changedFields(base.user, draft);
  if (isNewer(fresh, base) && (conflicts.length === 0 || changed.length === 0)) {
    setDraft(rebaseDraft(base.user, fresh.user, draft));
    setBase(fresh);
  }

  const isUnsaved = changed.length > 0;
  useEffect(() => onUnsaved(isUnsaved), [isUnsaved, onUnsaved]);
  const { nameOf } = useFieldTexts();
  const found = validateDraft(draft, useAttributes(), base.user);
  const problems = useFormProblems(found);
  const focusOnProblem = useFocusOnProblem(form);
  const saving = useMutation({
    mutationFn: (sent: Draft) => saveUser(base, patchOf(base.user, sent)),
    onSuccess: (saved, sent) => {
      setBase(saved);
      setDraft((now) => draftAfterSave(sent, saved.user, now));
      problems.reset();
      keepFocus();
      const updates = changedFields(base.user, sent).map((field) => ({
        field,
        shown: storedValue(base.user, field),
        value: submittedValue(sent, field),
      }));
      notifySaved(queries, { text: userCopy.saved(saved.user.name), saved, updates });
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
  /** Saving and discarding take their buttons away, so the focus goes to a field that was changed. */
  const keepFocus = () => {
    const active = document.activeElement;
    if (active !== document.body && !bar.current?.contains(active)) return;
    const field = form.current?.querySelector<HTMLElement>(`[name="${changed[0]}"]`);
    (field ?? form.current?.querySelector('input'))?.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    problems.touchAll();
    if (Object.keys(found).length > 0) focusOnProblem();
    else if (changed.length > 0) saving.mutate(draft);
  };
  const discard = () => {
    keepFocus();
    setDraft(draftOf(fresh.user));
    setBase(fresh);
    problems.reset();
    saving.reset();
  };
  const kept = quarantinedName(saving.error);
  const hasConflict = conflicts.length > 0 && changed.length > 0;
  const authors = useAuthors(base, hasConflict);
  const inputs = { draft, problems, onChange: setDraft, base: base.user, changed };
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
        <UserInputs {...inputs} />
      </div>
      <AttributeInputs {...inputs} />
      {isUnsaved && (
        <Group ref={bar} className={css.bar} justify="space-between">
          <Text size="sm" role="status">
            {userCopy.unsaved(changed.map(nameOf))}
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
  const maySee = useSeesHistory();
  const { data } = useQuery({ ...newestChangesQuery(base.user.serial), enabled: maySee && isWanted });
  return data ? authorsSince(data, versionOf(base)) : [];
}

function isBesideField(error: unknown): boolean {
  return fieldsConcerned(error).length > 0;
}

interface EditConflictAlertProps {
  readonly conflicts: readonly EditConflict[];
  readonly at: string;
  /** Who made the other changes; empty if that is unknown. */
  readonly authors: readonly ChangeActor[];
  readonly onDecided: (taken: DraftField[]) => void;
}

function EditConflictAlert({ conflicts, at, authors, onDecided }: EditConflictAlertProps) {
  const [taken, setTaken] = useState<readonly DraftField[]>([]);
  const box = useRef<HTMLDivElement>(null);
  const { nameOf, textOf } = useFieldTexts();
  useEffect(() => box.current?.focus(), []);
  const toDecide = conflicts.filter(({ mine }) => mine !== undefined);
  const merged = conflicts.filter(({ mine }) => mine === undefined);
  return (
    <Alert
      ref={box}
      tabIndex={-1}
      color="yellow"
      variant="outline"
      title={userCopy.editConflict.title}
      role="alert"
      mb="md"
      classNames={{ title: css.readable }}
    >
      <Text size="sm" mb="sm">
        {userCopy.editConflict.hint(formatDateTime(at))}
      </Text>
      {authors.length > 0 && (
        <Text size="sm" mb="sm">
          {userPageCopy.changedBy}{' '}
          {authors.map((actor, index) => (
            <Fragment key={actor.id}>
              {index > 0 && ', '}
              <Actor actor={actor} isInline />
            </Fragment>
          ))}
        </Text>
      )}
      {toDecide.map(({ field, before, theirs, mine }) => (
        <Radio.Group
          key={field}
          label={nameOf(field)}
          description={userCopy.was(textOf(field, before))}
          value={taken.includes(field) ? 'theirs' : 'mine'}
          onChange={(choice) =>
            setTaken((now) =>
              choice === 'theirs' ? [...now, field] : now.filter((other) => other !== field),
            )
          }
          mb="sm"
        >
          <Radio value="mine" label={userCopy.editConflict.keepMine(textOf(field, mine))} my={6} />
          <Radio value="theirs" label={userCopy.editConflict.takeTheirs(textOf(field, theirs))} />
        </Radio.Group>
      ))}
      {merged.length > 0 && (
        <>
          <Text size="sm">{userCopy.editConflict.merged}</Text>
          <ul className={changesCss.changes}>
            {merged.map(({ field, before, theirs }) => (
              <li key={field}>
                {userCopy.fieldChange(nameOf(field), textOf(field, before), textOf(field, theirs))}
              </li>
            ))}
          </ul>
        </>
      )}
      <Button mt="sm" size="sm" onClick={() => onDecided([...taken])}>
        {userCopy.editConflict.apply}
      </Button>
    </Alert>
  );
}
