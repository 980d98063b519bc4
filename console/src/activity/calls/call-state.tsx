import type { Schemas } from '@rollcall/client';
import { StateBadge } from '../../components/state-badge.js';
import { activityCopy } from '../../copy/copy.js';

const colors = {
  planned: 'violet',
  awaitingApproval: 'yellow',
  running: 'blue',
  done: 'green',
  interrupted: 'red',
  cancelled: 'gray',
  expired: 'red',
} as const;

export function CallStateBadge({ state }: { state: Schemas['Call']['state'] }) {
  return <StateBadge color={colors[state]}>{activityCopy.calls.state[state]}</StateBadge>;
}
