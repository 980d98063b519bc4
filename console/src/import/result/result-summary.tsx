import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Notice } from '../../components/notice.js';
import { formatList } from '../../copy/format.js';
import { importCopy, importReviewCopy } from '../../copy/on-demand-copy.js';
import { useUserCounts } from '../components/use-user-counts.js';
import { passwordsHeld, type UserCounts, usersChanged } from '../state/affected-users.js';
import { changeKinds } from '../state/changes.js';
import { useImportState } from '../state/store.js';

const copy = importReviewCopy.result;

/** What the import did, in users. */
export function ResultSummary({ isComplete }: { isComplete: boolean }) {
  const state = useImportState();
  const users = useUserCounts(usersChanged, state.rows, state.check ?? {});
  const held = passwordsHeld(state);
  if (!users || users.all === 0) return null;
  return (
    <Notice color={isComplete ? 'green' : 'yellow'} role="status">
      <Text size="sm" fw={600}>
        {isComplete ? importCopy.result.allDone(users.all) : copy.done(users.all)}
      </Text>
      <Text size="sm">{kindsText(users)}</Text>
      {users.failed > 0 && <Text size="sm">{copy.failed(users.failed)}</Text>}
      {users.leftOut > 0 && <Text size="sm">{copy.leftOut(users.leftOut)}</Text>}
      {held > 0 && (
        <Text size="sm">
          {copy.held(held)}{' '}
          <Anchor
            component={Link}
            href="/activity/deliveries?state=held"
            size="sm"
            underline="always"
            c="inherit"
          >
            {copy.release}
          </Anchor>
        </Text>
      )}
    </Notice>
  );
}

function kindsText(users: UserCounts): string {
  const kinds = changeKinds.filter((kind) => users[kind] > 0);
  return copy.kinds(formatList(kinds.map((kind) => copy.kind[kind](users[kind]))));
}
