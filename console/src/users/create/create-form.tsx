import { Button, Group, Paper, PasswordInput, Stack, Switch, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { quarantinedName } from '../../components/error-message.js';
import { LeaveGuard } from '../../components/leave-guard.js';
import { Notice } from '../../components/notice.js';
import { Problem } from '../../components/problem.js';
import { QuarantineNotice } from '../../components/quarantine.js';
import { commonCopy, createUserCopy } from '../../copy/copy.js';
import { usersKey } from '../data/user-queries.js';
import { type Draft, isEqual, submittedValue } from '../form/draft.js';
import { validateDraft, validateField } from '../form/field-problems.js';
import { ProblemText } from '../form/problem-text.js';
import { useFocusOnProblem } from '../form/use-focus-on-problem.js';
import { useFormProblems } from '../form/use-form-problems.js';
import css from '../form/user.module.css';
import { UserInputs } from '../form/user-inputs.js';
import { findOtherConflict } from './other-conflict.js';
import { creationOf, useCreate } from './use-create.js';

export interface Created {
  readonly serial: string;
  readonly draft: Draft;
  readonly isActive: boolean;
  readonly another: boolean;
  readonly isRehired: boolean;
}

interface CreateFormProps {
  readonly start: Draft;
  /** Moves the focus to the first field. */
  readonly isAnother: boolean;
  readonly onCreated: (created: Created) => void;
}

export function CreateForm({ start, isAnother, onCreated }: CreateFormProps) {
  const queries = useQueryClient();
  const create = useCreate();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(start);
  const [password, setPassword] = useState('');
  const [isActive, setIsActive] = useState(true);
  const [isDone, setIsDone] = useState(false);
  useEffect(() => {
    if (isAnother) form.current?.querySelector('input')?.focus();
  }, [isAnother]);

  const passwordProblem = validateField('password', password || null);
  const found = {
    ...validateDraft(draft),
    ...(passwordProblem === undefined ? {} : { password: passwordProblem }),
  };
  const problems = useFormProblems(found);
  const focusOnProblem = useFocusOnProblem(form);
  const [isFormError, setIsFormError] = useState(false);
  /** Everything that the service refused. */
  const [refused, setRefused] = useState<readonly unknown[]>([]);
  const creating = useMutation({
    mutationFn: ({ rehire = false }: { another: boolean; rehire?: boolean }) =>
      create(creationOf(draft, password, isActive), rehire),
    onSuccess: (serial, { another, rehire = false }) => {
      setIsDone(true);
      void queries.invalidateQueries({ queryKey: usersKey });
      onCreated({ serial, draft, isActive, another, isRehired: rehire });
    },
    onMutate: () => setRefused([]),
    onError: async (error) => {
      const other = await findOtherConflict(creationOf(draft, password, isActive), error).catch(
        () => undefined,
      );
      setRefused(other ? [error, other] : [error]);
      const isFieldError = problems.showError(error, other);
      setIsFormError(!isFieldError);
      if (isFieldError) focusOnProblem();
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    problems.touchAll();
    if (Object.keys(found).length > 0) focusOnProblem();
    else creating.mutate({ another: submitter?.getAttribute('value') === 'another' });
  };
  const isDirty = !isEqual(draft, start) || password !== '';
  return (
    <Paper withBorder p="md" maw={720}>
      <form ref={form} onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            {createUserCopy.hint}
          </Text>
          {refused.map((error) => {
            const name = quarantinedName(error);
            return (
              name && (
                <QuarantineNotice
                  key={name.field}
                  name={name}
                  onReleased={() => {
                    setRefused(refused.filter((other) => other !== error));
                    problems.clearError(name.field);
                    form.current?.querySelector<HTMLElement>(`input[name="${name.field}"]`)?.focus();
                  }}
                />
              )
            );
          })}
          <div className={css.fields}>
            <UserInputs draft={draft} problems={problems} onChange={setDraft} />
          </div>
          <PasswordInput
            name="password"
            label={commonCopy.fields.password}
            description={createUserCopy.passwordHint(
              submittedValue(draft, 'email'),
              submittedValue(draft, 'phone'),
            )}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="new-password"
            value={password}
            onChange={(event) => {
              setPassword(event.currentTarget.value);
              problems.clearError('password');
            }}
            onBlur={() => problems.touch('password')}
            aria-invalid={problems.shown.password !== undefined || undefined}
            error={problems.shown.password && <ProblemText text={problems.shown.password} />}
          />
          <Switch
            label={commonCopy.fields.isActive}
            description={isActive ? createUserCopy.activeHint : createUserCopy.inactiveHint}
            checked={isActive}
            onChange={(event) => setIsActive(event.currentTarget.checked)}
          />
          {isActive && refused.some(isHeldByInactive) && (
            <Notice color="blue" role="status" title={createUserCopy.rehire.title}>
              <Text size="sm" mb="xs">
                {createUserCopy.rehire.hint}
              </Text>
              <Button
                variant="default"
                loading={creating.isPending}
                onClick={() => creating.mutate({ another: false, rehire: true })}
              >
                {createUserCopy.rehire.action}
              </Button>
            </Notice>
          )}
          {creating.isError && isFormError && (
            <Problem title={createUserCopy.notCreated} error={creating.error} />
          )}
          <Group>
            <Button type="submit" loading={creating.isPending}>
              {createUserCopy.create}
            </Button>
            <Button type="submit" value="another" variant="default" disabled={creating.isPending}>
              {createUserCopy.createAnother}
            </Button>
            <Button component={Link} href="/users" variant="subtle" color="gray">
              {commonCopy.cancel}
            </Button>
          </Group>
        </Stack>
      </form>
      <LeaveGuard isOn={isDirty && !isDone} {...createUserCopy.leaving} />
    </Paper>
  );
}

/** Whether an inactive user has the employee ID, who can be rehired. */
function isHeldByInactive(error: unknown): boolean {
  return isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS') && error.data.takenBy?.isActive === false;
}
