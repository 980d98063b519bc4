import { Type } from 'typebox';
import { type CallMode, callModes } from '../../../contract/calls.js';
import type { Failure } from '../../../contract/errors.js';
import { type NullMeaning, nullMeanings } from '../../../contract/shapes.js';
import { confirmParameter, type GivenQuery, isFailure, readChoice, readCount } from '../../query.js';

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
  nulls: Type.Optional(
    Type.String({
      enum: [...nullMeanings],
      default: 'keep',
      description:
        'What null means for an optional field: keep leaves the field unchanged, clear empties it, as in a JSON merge patch.',
    }),
  ),
};

export interface ChangeQuery {
  readonly mode: CallMode;
  readonly confirmed: number | undefined;
  readonly nulls: NullMeaning;
}

export function readChangeOptions(query: GivenQuery): ChangeQuery | Failure {
  const mode = readChoice(query, 'mode', callModes);
  if (isFailure(mode)) return mode;
  const confirmed = readCount(query, 'confirm');
  if (isFailure(confirmed)) return confirmed;
  const nulls = readChoice(query, 'nulls', nullMeanings);
  return isFailure(nulls) ? nulls : { mode: mode ?? 'oneByOne', confirmed, nulls: nulls ?? 'keep' };
}

/** The query parameter of bulk calls that create users. */
export const deliverParameter = {
  deliver: Type.Optional(
    Type.String({
      enum: ['now', 'hold'],
      default: 'now',
      description: 'hold keeps the password messages until POST /service/deliveries/release.',
    }),
  ),
};

export function readHold(query: GivenQuery): { readonly hold: boolean } | Failure {
  const deliver = readChoice(query, 'deliver', ['now', 'hold']);
  return isFailure(deliver) ? deliver : { hold: deliver === 'hold' };
}
