import { Anchor, Button, Group, Paper, PasswordInput, Stack, Switch, Text } from '@mantine/core';
import { errorFrom, isRollcallError, RequestFailed, RollcallError } from '@rollcall/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useAttributes } from '../components/attributes.js';
import { quarantinedName } from '../components/error-message.js';
import { isEmpty } from '../components/field-value.js';
import { LeaveGuard } from '../components/leave-guard.js';
import { Notice } from '../components/notice.js';
import { notify } from '../components/notify.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { QuarantineNotice } from '../components/quarantine.js';
import { useUnsentMessages } from '../components/unsent-notice.js';
import { commonCopy, createUserCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { usersKey } from './data/user-queries.js';
import { AttributeInputs } from './form/attribute-inputs.js';
import { type Draft, emptyDraft, fieldsIn, isEqual, patchWith, submittedValue } from './form/draft.js';
import { type Creation, userWithoutConflict, validateDraft, validateField } from './form/field-problems.js';
import { ProblemText, useFocusOnProblem, useFormProblems } from './form/form-problems.js';
import css from './form/user.module.css';
import { UserInputs } from './form/user-inputs.js';

export function CreatePage() {
  const [, navigate] = useLocation();
  const [start, setStart] = useState<{ readonly time: number; readonly draft: Draft }>({
    time: 0,
    draft: emptyDraft,
  });
  const mayCreate = usePermission('users:write');
  const isReached = useIsReached();
  const created = ({ serial, draft, isActive, another, isRehired }: Created) => {
    notify(
      <>
        {(isRehired ? createUserCopy.rehire.done : createUserCopy.created)(draft.name.trim())}{' '}
        {!isActive
          ? createUserCopy.messageWaits
          : isReached(draft)
            ? createUserCopy.messageOnItsWay
            : createUserCopy.messageInFile}{' '}
        {another && (
          <Anchor component={Link} href={`/users/${serial}`} inherit underline="always">
            {createUserCopy.open}
          </Anchor>
        )}
      </>,
    );
    if (!another) return navigate(`/users/${serial}`, { replace: true });
    const { organizationSerial, managerEmployeeID, tagSerials } = draft;
    const kept = { organizationSerial, managerEmployeeID, tagSerials };
    setStart({ time: start.time + 1, draft: { ...emptyDraft, ...kept } });
  };
  return (
    <>
      <PageTitle title={createUserCopy.title} section={commonCopy.users} />
      {mayCreate ? (
        <CreateForm key={start.time} start={start.draft} isAnother={start.time > 0} onCreated={created} />
      ) : (
        <Problem title={commonCopy.notAllowed} />
      )}
    </>
  );
}

/** Whether messages to a user are sent, and not only written to files. */
function useIsReached(): (draft: Draft) => boolean {
  const unsent = useUnsentMessages();
  return (draft) =>
    unsent !== 'all' && unsent !== (submittedValue(draft, 'email') === null ? 'sms' : 'email');
}

interface Created {
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

function CreateForm({ start, isAnother, onCreated }: CreateFormProps) {
  const queries = useQueryClient();
  const create = useCreate();
  const form = useRef<HTMLFormElement>(null);
  const [draft, setDraft] = useState(start);
  const [password, setPassword] = useState('');
  const [isActive, setIsActive] = useState(true);
  const [isDone, setIsDone] = useState(false);
  const isReached = useIsReached();
  useEffect(() => {
    if (isAnother) form.current?.querySelector('input')?.focus();
  }, [isAnother]);

  const passwordProblem = validateField('password', password || null);
  const found = {
    ...validateDraft(draft, useAttributes()),
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
          <AttributeInputs draft={draft} problems={problems} onChange={setDraft} />
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
            label={commonCopy.active}
            description={
              !isActive
                ? createUserCopy.inactiveHint
                : isReached(draft)
                  ? createUserCopy.activeHint
                  : createUserCopy.fileHint
            }
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

/** Empty fields are left out, so that the service applies its defaults. */
function creationOf(draft: Draft, password: string, isActive: boolean): Creation {
  const given = fieldsIn(draft).map((field) => [field, submittedValue(draft, field)] as const);
  const filled = given.filter(([, value]) => !isEmpty(value));
  const secret = password === '' ? {} : { password };
  return { ...patchWith(filled), ...secret, isActive } as Creation;
}

/**
 * Creates or rehires a user and returns the serial. Without a response, sending the same values again reuses the key, so that
 * no user is created twice.
 */
function useCreate(): (creation: Creation, rehire: boolean) => Promise<string> {
  const open = useRef<{ readonly key: string; readonly sent: string }>(undefined);
  return async (creation, rehire) => {
    const sent = JSON.stringify({ creation, rehire });
    const key = open.current?.sent === sent ? open.current.key : newKey();
    open.current = { key, sent };
    try {
      const headers = { 'idempotency-key': key };
      const query = rehire ? { rehire } : {};
      const { body } = await rollcall.call('createUser', { headers, query, body: creation });
      return body.data.serial;
    } catch (error) {
      if (error instanceof RequestFailed && !error.outcomeUnknown) open.current = undefined;
      throw error;
    }
  };
}

/** Browsers have crypto.randomUUID only on secure origins. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-');
}

/** Asks the service for the other conflict, without creating anyone. */
async function findOtherConflict(creation: Creation, error: unknown): Promise<RollcallError | undefined> {
  const item = userWithoutConflict(creation, error, crypto.getRandomValues(new Uint32Array(4)).join(''));
  if (!item) return undefined;
  const { body } = await rollcall.call('createUsersBulk', {
    query: { dryRun: true },
    body: { items: [item] },
  });
  const [failure] = body.data.failedItems;
  return failure && new RollcallError(409, errorFrom(failure.error));
}
