import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { userCopy } from '../../copy/copy.js';

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
          <Anchor component={Link} href={`/users/${holder}`} inherit underline="always">
            {userCopy.openHolder}
          </Anchor>
        </>
      )}
    </>
  );
}
