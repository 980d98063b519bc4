import { Alert, Anchor } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { Notice } from '../../components/notice.js';
import { activityCopy } from '../../copy/copy.js';

const copy = activityCopy.call;

export function CallRelations({ call: { state, undoes, undoneBy } }: { call: Schemas['Call'] }) {
  return (
    <>
      {state === 'interrupted' && <Notice color="yellow">{activityCopy.calls.stateHint}</Notice>}
      {undoneBy !== null && <Relation says={copy.undoneAlert} link={copy.undoneLink} id={undoneBy} />}
      {undoes !== null && <Relation says={copy.undoesAlert} link={copy.undoesLink} id={undoes} />}
    </>
  );
}

function Relation({ says, link, id }: { says: string; link: string; id: string }) {
  return (
    <Alert color="blue" variant="outline">
      {says}{' '}
      <Anchor component={Link} href={`/activity/calls/${id}`} size="sm" underline="always">
        {link}
      </Anchor>
    </Alert>
  );
}
