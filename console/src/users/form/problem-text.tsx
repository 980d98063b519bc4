import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import { userCopy } from '../../copy/user.js';

/** What is wrong with a field, with the way to whoever has the name that is wanted. */
export function ProblemText({ text, holder }: { text: string; holder?: string | undefined }) {
  return (
    <>
      {text}
      {holder && (
        <>
          {' '}
          <Anchor component={Link} href={`/people/${holder}`} inherit underline="always">
            {userCopy.openHolder}
          </Anchor>
        </>
      )}
    </>
  );
}
