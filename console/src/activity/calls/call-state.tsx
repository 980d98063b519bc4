import type { Schemas } from '@rollcall/client';
import { texts } from '../../texts/index.js';
import { StateBadge } from '../parts/state-badge.js';

const colours = { running: 'blue', completed: 'green', interrupted: 'red' } as const;

export function CallStateBadge({ state }: { state: Schemas['Call']['state'] }) {
  return <StateBadge colour={colours[state]}>{texts.activity.calls.state[state]}</StateBadge>;
}
