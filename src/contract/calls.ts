import { Type } from 'typebox';
import { ActorView, EffectView } from './changes.js';
import {
  callKinds,
  callStates,
  ifChangedChoices,
  type PatchKind,
  patchKinds,
  waitingStates,
} from './enums.js';
import { anyErrorOf } from './error-schemas.js';
import { itemErrorNames } from './errors.js';
import { orNull, pageOf, Serial, success, Timestamp } from './shapes.js';
import { Manager, User } from './users.js';

export const callModes = ['oneByOne', 'finalState'] as const;
export type CallMode = (typeof callModes)[number];

/** A part of what an update of matching users sets. */
export interface PatchPart {
  readonly kind: PatchKind;
  readonly target: string | null;
}

/** What a call is about, for people who look at it later: as its caller says, and as it is known from the call. */
export interface CallLabel {
  /** Where the items come from, usually the name of a file. */
  readonly source: string | null;
  readonly note: string | null;
  readonly patch?: readonly PatchPart[] | null;
}

export const PatchView = orNull(
  Type.Array(
    Type.Object(
      {
        kind: Type.String({ enum: [...patchKinds] }),
        target: orNull(
          Type.String({
            description:
              'The tag, the organization, or the key of the attribute. Null for managers and sensitive attributes.',
          }),
        ),
      },
      { title: 'PatchPart' },
    ),
    {
      description:
        'What a call of update-matching sets. Null for other calls, and those of earlier releases.',
    },
  ),
);

/** The day that ends when a planned call runs. */
export const LastWorkingDay = orNull(
  Type.String({
    format: 'date',
    description: 'The day at whose end the call runs, if it was planned with lastWorkingDay.',
    examples: ['2026-11-30'],
  }),
);

const effectCount = Type.Optional(Type.Integer({ minimum: 1 }));

export const PlanEffects = Type.Object(
  {
    created: effectCount,
    rehired: effectCount,
    deactivated: effectCount,
    reactivated: effectCount,
    renumbered: effectCount,
    updated: effectCount,
    deleted: effectCount,
  },
  { title: 'PlanEffects', examples: [{ deactivated: 4 }] },
);

const PlanView = Type.Object(
  {
    plannedAt: Timestamp,
    effectiveAt: Type.Union([Timestamp, Type.Null()], {
      description: 'When the call runs; null: as soon as it may.',
    }),
    lastWorkingDay: LastWorkingDay,
    expiresAt: Type.Union([Timestamp, Type.Null()], {
      description: 'The call expires if it has not run by then; null if it does not expire.',
    }),
    ifChanged: Type.String({
      enum: [...ifChangedChoices],
      description: 'What happens to items whose outcome is no longer the one of the preview.',
    }),
    author: ActorView,
    needsApproval: Type.Boolean(),
    approvedAt: orNull(Timestamp),
    approvedBy: orNull(ActorView),
    cancelledAt: orNull(Timestamp),
    cancelledBy: orNull(ActorView),
    cancelReason: orNull(Type.String({ description: 'Why, as whoever cancelled or rejected it said.' })),
    isRejected: Type.Boolean({
      description:
        'Someone else cancelled the call while it awaited approval. Its items stay, with what they would have done.',
    }),
    effects: Type.Union([PlanEffects, Type.Null()], {
      description:
        'How many users the call creates, deactivates and so on, as previewed. Null for calls that an earlier version planned.',
    }),
    needsTakeover: Type.Boolean({
      description:
        'Someone has to take this call over before it runs: its author no longer has the permission to make it, the tokens of the client that planned it were invalidated, or a backup was restored after it was due.',
    }),
    filter: Type.Union([Type.String(), Type.Null()], {
      description:
        'Of a waiting or rejected call of update-matching: the filter that selected its users, as a query. Null for other calls, and once it has run.',
      examples: ['isActive=true&organizationSerial=ORG7'],
    }),
  },
  { title: 'Plan' },
);

const SerialReplacementView = Type.Object(
  { from: Type.String(), to: Type.String() },
  {
    title: 'SerialReplacement',
    description: 'Of a rename or a merge: which serial of an organization or a tag took the place of which.',
  },
);

/** What a call was about, beyond its kind. */
export const callSubject = {
  replaces: orNull(SerialReplacementView),
  undone: orNull(
    Type.Object(
      {
        kind: Type.String({ enum: [...callKinds] }),
        source: orNull(Type.String()),
        note: orNull(Type.String()),
        items: Type.Integer(),
        replaces: orNull(SerialReplacementView),
      },
      { title: 'UndoneCall', description: 'The call that this one undoes, while it is still known.' },
    ),
  ),
};

export const CallView = Type.Object(
  {
    id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5c'] }),
    kind: Type.String({ enum: [...callKinds] }),
    state: Type.String({
      enum: [...callStates],
      description:
        'planned: waits for its time. awaitingApproval: waits for the approval of someone else. interrupted: the call stopped early; what it had committed stays. expired: it could not run in time.',
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
    source: orNull(
      Type.String({ description: 'Where the items come from, as the caller said: usually a file name.' }),
    ),
    note: orNull(Type.String({ description: 'What the caller noted about the call.' })),
    ...callSubject,
    patch: PatchView,
    plan: orNull(PlanView),
    undoneBy: orNull(Type.String({ description: 'The last call that undid this one.' })),
  },
  { title: 'Call' },
);

/** What calls do to users, each change once. */
export const callEffects = [
  'created',
  'reactivated',
  'deactivated',
  'renamed',
  'updated',
  'removed',
] as const;
export type CallEffects = Readonly<Record<(typeof callEffects)[number], number>>;

/** More changes than this are not counted by what they did. */
export const callEffectsCountedMax = 10_000;

const CallEffectsView = Type.Object(
  {
    created: Type.Integer(),
    reactivated: Type.Integer({ description: 'Also rehired.' }),
    deactivated: Type.Integer(),
    renamed: Type.Integer({ description: 'Got another employee ID.' }),
    updated: Type.Integer({ description: 'Changed in any other way.' }),
    removed: Type.Integer({ description: 'Erased, or removed by the undo of their creation.' }),
  },
  { title: 'CallEffects' },
);

const FoundCallView = Type.Object(
  {
    ...CallView.properties,
    effects: Type.Union([CallEffectsView, Type.Null()], {
      description: 'How many changes to users there were of each kind; null if there were more than 10,000.',
    }),
  },
  { title: 'FoundCall' },
);

export const callItemOutcomes = ['succeeded', 'failed'] as const;

const CallItemView = Type.Object(
  {
    position: Type.Integer({ minimum: 0, description: 'The index of the item in the call.' }),
    employeeID: Type.Union([Type.String(), Type.Null()], {
      description:
        'The employee ID of the item, as sent; null if the item had none, or if the user was erased.',
    }),
    outcome: Type.String({ enum: [...callItemOutcomes] }),
    serial: Type.Optional(
      Type.Union([Serial, Type.Null()], {
        description: 'The user, if the item succeeded; null if the user is yet to be created.',
      }),
    ),
    effect: Type.Optional(EffectView),
    error: Type.Optional(anyErrorOf(itemErrorNames)),
  },
  { title: 'CallItem' },
);
export const CallItemListReply = success('CallItemList', pageOf(CallItemView));

/** A change of a user that is planned. */
export const UpcomingChangeView = Type.Object(
  {
    callId: Type.String(),
    state: Type.String({ enum: [...waitingStates] }),
    effectiveAt: Type.Union([Timestamp, Type.Null()], {
      description: 'Null: as soon as the call is approved.',
    }),
    lastWorkingDay: LastWorkingDay,
    effect: EffectView,
  },
  { title: 'UpcomingChange' },
);

/** A user with what is planned for them. */
export const UserReply = success(
  'UserReply',
  Type.Object({
    ...User.properties,
    managers: Type.Array(Type.Object({ ...Manager.properties, isActive: Type.Boolean() }), {
      description: 'From the manager of the user up to whoever has none.',
    }),
    upcomingChanges: Type.Array(UpcomingChangeView, {
      description: 'What planned calls will change, soonest first, as previewed when they were planned.',
    }),
  }),
);

export const CallReply = success('CallReply', CallView);
export const FoundCallReply = success('FoundCallReply', FoundCallView);
export const CallListReply = success('CallList', pageOf(CallView));
