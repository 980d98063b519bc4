import { Alert, Anchor } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { Warning } from '../../components/warning.js';
import { texts } from '../../copy/index.js';

const words = texts.activity.call;

/** The calls that this one undid, or was undone by. */
export function CallRelations({ call: { state, undoes, undoneBy } }: { call: Schemas['Call'] }) {
  return (
    <>
      {state === 'interrupted' && <Warning>{texts.activity.calls.stateHint}</Warning>}
      {undoneBy !== null && <Relation says={words.undoneAlert} link={words.undoneLink} id={undoneBy} />}
      {undoes !== null && <Relation says={words.undoesAlert} link={words.undoesLink} id={undoes} />}
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
