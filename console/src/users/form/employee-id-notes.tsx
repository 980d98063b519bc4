import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useUserName } from '../../components/actor.js';
import { typingPauseMs } from '../../components/search-box.js';
import { activityCopy, userCopy } from '../../copy/copy.js';
import { formatDate } from '../../copy/format.js';
import type { User } from '../data/user.js';
import { idHistoryQuery } from '../data/user-queries.js';
import { type Draft, submittedValue } from './draft.js';
import { validateField } from './field-problems.js';
import { type FormerHolder, formerHolderOf } from './former-holder.js';

const copy = userCopy.newEmployeeId;

/** What to know about a new employee ID before it is saved. */
export function EmployeeIdNotes({ draft, base }: { draft: Draft; base: User | undefined }) {
  const employeeID = submittedValue(draft, 'employeeID');
  const isNew = employeeID !== null && employeeID !== base?.employeeID;
  const isSignInName = base !== undefined && submittedValue(draft, 'username') === null;
  const former = useFormerHolder(isNew ? employeeID : null, base?.serial);
  return (
    <div role="status">
      {isNew && isSignInName && (
        <Text size="xs" mt={4}>
          {copy.signInName}
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
      {copy.formerly(employeeID, name ?? activityCopy.actors.removed, formatDate(former.until))}
    </Text>
  );
}

function useFormerHolder(typed: string | null, serial: string | undefined): FormerHolder | undefined {
  const [employeeID] = useDebouncedValue(typed, typingPauseMs);
  const isComplete = employeeID !== null && validateField('employeeID', employeeID) === undefined;
  const { data } = useQuery({ ...idHistoryQuery(employeeID ?? ''), enabled: isComplete });
  return data && employeeID === typed ? formerHolderOf(data, serial) : undefined;
}
