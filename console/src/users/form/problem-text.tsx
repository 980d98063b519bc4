import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { useUserName } from '../../components/actor.js';
import { userCopy, userPageCopy } from '../../copy/copy.js';

interface ProblemTextProps {
  readonly text: string;
  /** The serial of the user who has the value already. */
  readonly holder?: string | undefined;
}

export function ProblemText({ text, holder }: ProblemTextProps) {
  return (
    <>
      {text}
      {holder && (
        <>
          {' '}
          <HolderLink serial={holder} />
        </>
      )}
    </>
  );
}

function HolderLink({ serial }: { serial: string }) {
  const { data: name } = useUserName(serial);
  return (
    <Anchor component={Link} href={`/users/${serial}`} inherit underline="always">
      {name ? userPageCopy.viewUser(name) : userCopy.openHolder}
    </Anchor>
  );
}
