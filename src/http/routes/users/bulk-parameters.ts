import { callModes } from '../../../contract/calls.js';
import { nullMeanings } from '../../../contract/shapes.js';
import {
  choiceParameter,
  confirmParameter,
  flagParameter,
  invalidParameter,
  type ParameterValues,
  requireTime,
  timeParameter,
} from '../../query.js';

export const dryRunParameter = flagParameter(
  'true: previews the call without changing anything. The report includes effects.',
  false,
);

export const asOfParameter = timeParameter(
  'Resolves employee IDs as of this time, for example when a file was exported: they select the users who had them then. Requires users:read. Not in the future, and not before the change log begins.',
  '2026-11-15T08:30:00Z',
  (text, name) => {
    const time = requireTime(text, name);
    if (new Date(time) <= new Date()) return time;
    throw invalidParameter(
      name,
      'must not be in the future: nobody knows yet who will have which employee ID.',
    );
  },
);

export const unknownFieldsParameter = {
  unknownFields: choiceParameter(
    ['reject', 'ignore'],
    undefined,
    'ignore: items may contain fields and attributes that do not exist; details=true lists them under ignored. By default, their items fail, unless the client ignores them.',
  ),
};

/** The query parameters of bulk calls that change users. */
export const changeParameters = {
  mode: choiceParameter(
    callModes,
    'oneByOne',
    'finalState compares names at the end of the call, so that swaps succeed. Items select users by the employee IDs from before the call. A user who keeps a name takes precedence over one who requests it.',
  ),
  confirm: confirmParameter,
  asOf: asOfParameter,
  nulls: choiceParameter(
    nullMeanings,
    'keep',
    'What null means for an optional field: keep leaves the field unchanged, clear empties it, as in a JSON merge patch.',
  ),
  notify: flagParameter(
    'Whether users are notified at their previous address if their email or username changes. By default, ROLLCALL_BULK_CHANGE_NOTICES decides, which is off unless the operator has changed it.',
    undefined,
  ),
};

export function changeOptions({ confirm, ...others }: ParameterValues<typeof changeParameters>) {
  return { ...others, confirmed: confirm };
}

export const rehireParameter = {
  rehire: flagParameter(
    'true: an active user whose employee ID belongs to an inactive user reactivates that user: same serial, data only from the request, a new password, no role.',
    false,
  ),
};

/** The query parameters of bulk calls that create users. */
export const createParameters = {
  deliver: choiceParameter(
    ['now', 'hold'],
    'now',
    'hold keeps the password messages until POST /service/deliveries/release.',
  ),
  ...rehireParameter,
};

export function createOptions({ deliver, rehire }: ParameterValues<typeof createParameters>) {
  return { hold: deliver === 'hold', rehire };
}
