import { Type } from 'typebox';
import { ActorView } from './changes.js';
import { callKinds, callStates } from './enums.js';
import { orNull, pageOf, success, Timestamp } from './shapes.js';

export const callModes = ['oneByOne', 'finalState'] as const;
export type CallMode = (typeof callModes)[number];

export const CallView = Type.Object(
  {
    id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5c'] }),
    kind: Type.String({ enum: [...callKinds] }),
    state: Type.String({
      enum: [...callStates],
      description: 'interrupted: the call stopped early; what it had committed stays.',
    }),
    actor: ActorView,
    requestId: Type.String(),
    startedAt: Timestamp,
    finishedAt: orNull(Timestamp),
    items: Type.Integer(),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    changes: Type.Integer({ description: 'How many changes to users the call made.' }),
    undoes: orNull(Type.String({ description: 'The call that this one undoes.' })),
    undoneBy: orNull(Type.String({ description: 'The last call that undid this one.' })),
  },
  { title: 'Call' },
);
export const CallReply = success('CallReply', CallView);
export const CallListReply = success('CallList', pageOf(CallView));
