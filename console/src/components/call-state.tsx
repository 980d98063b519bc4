import type { Schemas } from '@rollcall/client';
import { activityCopy } from '../copy/copy.js';
import { StateBadge } from './state-badge.js';

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
