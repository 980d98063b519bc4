import { Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useUserName } from '../../components/actor.js';
import { useDisplayNames } from '../../components/directory.js';
import { EntriesInput, SerialInput } from '../../components/entry-inputs.js';
import { fullEntryName } from '../../components/entry-name.js';
import { formatField, formatValue } from '../../components/field-value.js';
import { typingPauseMs } from '../../components/search-box.js';
import { activityCopy, commonCopy, userCopy } from '../../copy/copy.js';
import { formatDate } from '../../copy/format.js';
import { listFields, managerField, type TextField, textFields, type User } from '../data/user.js';
import { emailOwnerQuery, idHistoryQuery } from '../data/user-queries.js';
import { type Draft, type DraftField, type OwnField, submittedValue } from './draft.js';
import { type FormerHolder, fieldRules, formerHolderOf, validateField } from './field-problems.js';
import { type FormProblems, ProblemText } from './form-problems.js';
import css from './user.module.css';

interface UserInputsProps {
  readonly draft: Draft;
  readonly problems: FormProblems;
  readonly onChange: (draft: Draft) => void;
  readonly base?: User;
  readonly changed?: readonly DraftField[];
}

const inputKinds: Partial<Record<TextField, { type: string; autoComplete?: string }>> = {
  email: { type: 'email' },
  phone: { type: 'tel' },
};

export function UserInputs({ draft, problems, onChange, base, changed = [] }: UserInputsProps) {
  const textBefore = useTextBefore(base);
  const propsOf = (field: OwnField) => ({
    name: field,
    description: base && changed.includes(field) ? userCopy.was(textBefore(field)) : hintOf(field),
    error: problems.shown[field] && (
      <ProblemText text={problems.shown[field]} holder={problems.holders[field]} />
    ),
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as (
      | 'label'
      | 'input'
      | 'description'
      | 'error'
    )[],
    onBlur: () => problems.touch(field),
    withAsterisk: fieldRules[field].required,
    label: <Label field={field} isChanged={changed.includes(field)} />,
  });
  const set = (part: Partial<Draft>) => {
    onChange({ ...draft, ...part });
    for (const field of Object.keys(part)) problems.clearError(field as OwnField);
  };
  return (
    <>
      {textFields.map((field) => (
        <div key={field} className={css.field} data-changed={changed.includes(field) || undefined}>
          {field === 'organizationSerial' ? (
            <SerialInput
              {...propsOf(field)}
              kind="organizations"
              value={draft[field]}
              onChange={(organizationSerial) => set({ organizationSerial })}
            />
          ) : (
            <TextInput
              {...propsOf(field)}
              {...inputKinds[field]}
              autoComplete="off"
              aria-required={fieldRules[field].required || undefined}
              value={draft[field]}
              onChange={(event) => set({ [field]: event.currentTarget.value })}
            />
          )}
          {field === 'employeeID' && <EmployeeIdNotes draft={draft} base={base} />}
          {field === 'email' && <EmailNote draft={draft} base={base} />}
        </div>
      ))}
      <div className={css.field} data-changed={changed.includes(managerField) || undefined}>
        <SerialInput
          {...propsOf(managerField)}
          kind="users"
          except={base?.employeeID}
          value={draft[managerField]}
          onChange={(managerEmployeeID) => set({ managerEmployeeID })}
        />
      </div>
      {listFields.map((field) => (
        <div key={field} className={css.field} data-changed={changed.includes(field) || undefined}>
          <EntriesInput
            {...propsOf(field)}
            kind="tags"
            value={draft[field]}
            onChange={(serials) => set({ [field]: serials })}
          />
        </div>
      ))}
    </>
  );
}

/** The saved values, with organizations, tags and the manager by name. */
function useTextBefore(base: User | undefined): (field: OwnField) => string {
  const { organizationSerial = null, tagSerials = [] } = base ?? {};
  const organizations = organizationSerial === null ? [] : [organizationSerial];
  const names = {
    organizationSerial: useDisplayNames('organizations', organizations),
    tagSerials: useDisplayNames('tags', tagSerials),
  };
  return (field) => {
    if (field === managerField) return managerText(base?.manager);
    if (field !== 'organizationSerial' && field !== 'tagSerials') return formatField(field, base?.[field]);
    const serials = field === 'tagSerials' ? tagSerials : organizations;
    return formatValue(
      serials.map((serial) => fullEntryName({ serial, displayName: names[field].get(serial) ?? null })),
    );
  };
}

function managerText(manager: User['manager'] | undefined): string {
  if (manager == null) return formatValue(null);
  const { employeeID, name } = manager;
  return employeeID === null
    ? activityCopy.actors.removed
    : fullEntryName({ serial: employeeID, displayName: name });
}

function hintOf(field: OwnField): string | undefined {
  return (userCopy.hints as Partial<Record<OwnField, string>>)[field];
}

function Label({ field, isChanged }: { field: OwnField; isChanged: boolean }) {
  return (
    <>
      {commonCopy.fields[field]}
      {isChanged && <span className={css.mark}>{userCopy.changed}</span>}
    </>
  );
}

const newEmployeeIdCopy = userCopy.newEmployeeId;

/** What to know about a new employee ID before it is saved. */
function EmployeeIdNotes({ draft, base }: { draft: Draft; base: User | undefined }) {
  const employeeID = submittedValue(draft, 'employeeID');
  const isNew = employeeID !== null && employeeID !== base?.employeeID;
  const isSignInName = base !== undefined && submittedValue(draft, 'username') === null;
  const former = useFormerHolder(isNew ? employeeID : null, base?.serial);
  return (
    <div role="status">
      {isNew && base !== undefined && (
        <Text size="xs" mt={4}>
          {newEmployeeIdCopy.matching(base.employeeID)}
        </Text>
      )}
      {isNew && isSignInName && (
        <Text size="xs" mt={4}>
          {newEmployeeIdCopy.signInName}
        </Text>
      )}
      {isNew && former && <Former employeeID={employeeID} former={former} />}
    </div>
  );
}

function Former({ employeeID, former }: { employeeID: string; former: FormerHolder }) {
  const { data: name, isPending } = useUserName(former.serial);
  if (isPending) return null;
  return (
    <Text size="xs" fw={600} mt={4}>
      {newEmployeeIdCopy.formerly(employeeID, name ?? activityCopy.actors.removed, formatDate(former.until))}
    </Text>
  );
}

function useFormerHolder(typed: string | null, serial: string | undefined): FormerHolder | undefined {
  const [employeeID] = useDebouncedValue(typed, typingPauseMs);
  const isComplete = employeeID !== null && validateField('employeeID', employeeID) === undefined;
  const { data } = useQuery({ ...idHistoryQuery(employeeID ?? ''), enabled: isComplete });
  return data && employeeID === typed ? formerHolderOf(data, serial) : undefined;
}

/** Users may share an address. More often, somebody is about to be created twice. */
function EmailNote({ draft, base }: { draft: Draft; base: User | undefined }) {
  const typed = submittedValue(draft, 'email');
  const [email] = useDebouncedValue(typed, typingPauseMs);
  const isNew = email !== null && email === typed && email !== base?.email;
  const { data: owner } = useQuery({
    ...emailOwnerQuery(email ?? '', base?.serial),
    enabled: isNew && validateField('email', email) === undefined,
  });
  return (
    <div role="status">
      {isNew && owner && (
        <Text size="xs" fw={600} mt={4}>
          <ProblemText text={userCopy.emailShared(owner.name)} holder={owner.serial} />
        </Text>
      )}
    </div>
  );
}
