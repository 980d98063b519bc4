import { Type } from 'typebox';
import { type CallMode, callModes } from '../../../contract/calls.js';
import { type NullMeaning, nullMeanings } from '../../../contract/shapes.js';
import {
  confirmParameter,
  filterText,
  flagParameter,
  type GivenQuery,
  invalidParameter,
  readChoice,
  readCount,
  readFlag,
  readOptionalFlag,
  readTime,
  timePattern,
} from '../../query.js';

export const asOfParameter = filterText(
  'Resolves employee IDs as of this time, for example when a file was exported: they select the users who had them then. Requires users:read. Not in the future, and not before the change log begins.',
  '2026-11-15T08:30:00Z',
  timePattern,
);

/** Undefined if absent. */
export function readAsOf({ asOf }: GivenQuery): string | undefined {
  if (asOf === undefined) return undefined;
  const time = readTime(asOf);
  if (time === undefined) {
    throw invalidParameter('asOf', 'must be a time with an offset, such as 2026-11-15T08:30:00Z.');
  }
  if (new Date(time) > new Date()) {
    throw invalidParameter(
      'asOf',
      'must not be in the future: nobody knows yet who will have which employee ID.',
    );
  }
  return time;
}

/** The query parameters of bulk calls that change users. */
export const changeParameters = {
  mode: Type.Optional(
    Type.String({
      enum: [...callModes],
      default: 'oneByOne',
      description:
        'finalState compares names at the end of the call, so that swaps succeed. Items select users by the employee IDs from before the call. A user who keeps a name takes precedence over one who requests it.',
    }),
  ),
  confirm: confirmParameter,
  asOf: asOfParameter,
  nulls: Type.Optional(
    Type.String({
      enum: [...nullMeanings],
      default: 'keep',
      description:
        'What null means for an optional field: keep leaves the field unchanged, clear empties it, as in a JSON merge patch.',
    }),
  ),
  notify: Type.Optional(
    Type.Boolean({
      description:
        'Whether users are notified at their previous address if their email or username changes. By default, ROLLCALL_BULK_CHANGE_NOTICES decides, which is off unless the operator has changed it.',
    }),
  ),
};

export interface ChangeQuery {
  readonly mode: CallMode;
  readonly confirmed: number | undefined;
  readonly nulls: NullMeaning;
  readonly asOf: string | undefined;
  readonly notify: boolean | undefined;
}

export function readChangeOptions(query: GivenQuery): ChangeQuery {
  const mode = readChoice(query, 'mode', callModes);
  const confirmed = readCount(query, 'confirm');
  const asOf = readAsOf(query);
  const nulls = readChoice(query, 'nulls', nullMeanings);
  const notify = readOptionalFlag(query, 'notify');
  return { mode: mode ?? 'oneByOne', confirmed, asOf, nulls: nulls ?? 'keep', notify };
}

export const rehireParameter = {
  rehire: flagParameter(
    'true: an active user whose employee ID belongs to an inactive user reactivates that user: same serial, data only from the request, a new password, no role.',
  ),
};

/** The query parameter of bulk calls that create users. */
const deliverParameter = {
  deliver: Type.Optional(
    Type.String({
      enum: ['now', 'hold'],
      default: 'now',
      description: 'hold keeps the password messages until POST /service/deliveries/release.',
    }),
  ),
};

export interface CreateQuery {
  readonly hold: boolean;
  readonly rehire: boolean;
}

export const createParameters = { ...deliverParameter, ...rehireParameter };

export function readCreateOptions(query: GivenQuery): CreateQuery {
  const deliver = readChoice(query, 'deliver', ['now', 'hold']);
  const rehire = readFlag(query, 'rehire');
  return { hold: deliver === 'hold', rehire };
}
