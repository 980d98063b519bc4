import { Anchor, Paper } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { Who } from '../../components/actor.js';
import { Fact, Facts } from '../../components/facts.js';
import { number, when } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import { useMay } from '../../session/session.js';
import { CallStateBadge } from './call-state.js';

const words = texts.activity.call;
const names = texts.activity.calls;

export function CallFacts({ call }: { call: Schemas['Call'] }) {
  const maySeeMessages = useMay('access:admin');
  const messages = new URLSearchParams({ requestId: call.requestId, state: 'all' });
  return (
    <Paper withBorder p="md" component="section" aria-label={words.factsTitle}>
      <Facts>
        <Fact name={names.stateColumn}>
          <CallStateBadge state={call.state} />
        </Fact>
        <Fact name={names.who}>
          <Who actor={call.actor} />
        </Fact>
        <Fact name={names.started}>{when(call.startedAt)}</Fact>
        <Fact name={names.finished}>{call.finishedAt === null ? words.notYet : when(call.finishedAt)}</Fact>
        <Fact name={names.items}>{number(call.items)}</Fact>
        <Fact name={names.succeeded}>{number(call.succeeded)}</Fact>
        <Fact name={names.failed}>{number(call.failed)}</Fact>
        <Fact name={names.changes}>{number(call.changes)}</Fact>
        <Fact name={words.callId}>{call.id}</Fact>
        <Fact name={words.requestId}>{call.requestId}</Fact>
      </Facts>
      {maySeeMessages && call.kind === 'create-bulk' && (
        <Anchor
          component={Link}
          href={`/activity/deliveries?${messages}`}
          size="sm"
          mt="sm"
          display="inline-block"
        >
          {words.messages}
        </Anchor>
      )}
    </Paper>
  );
}
