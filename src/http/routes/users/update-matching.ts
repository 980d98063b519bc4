import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { failure } from '../../../contract/errors.js';
import type { Field } from '../../../contract/fields.js';
import { selectedUsersMax } from '../../../contract/limits.js';
import { required } from '../../../contract/shapes.js';
import { UserPatch as UserPatchBody, userPatchFields } from '../../../contract/users.js';
import { quoted } from '../../../domain/read-fields.js';
import type { MatchFilters } from '../../../domain/users/matching-users.js';
import type { UserPatch } from '../../../domain/users/plans/user-patch.js';
import { fieldsOf, readBody, requireBody } from '../../request-body.js';
import { RequestRejected } from '../../request-rejected.js';
import {
  flagFilters,
  type GivenFilters,
  readUserFilters,
  repeatableFilters,
  userFilterProperties,
} from '../../user-filters.js';
import { type MatchingRouteContext, matchingRoute } from './matching-route.js';

type JsonObject = Readonly<Record<string, unknown>>;

const objectField = (schema: Field<JsonObject>['schema']): Field<JsonObject> => ({
  schema,
  rule: 'an object',
  normalize: (sent) => sent,
  accepts: (value): value is JsonObject =>
    typeof value === 'object' && value !== null && !Array.isArray(value),
});

const UserFilter = Type.Object(userFilterProperties, {
  title: 'UserFilter',
  description: 'Which users to update, with the filters of the list of users; at least one.',
  additionalProperties: false,
  minProperties: 1,
});
const bodyFields = { filter: required(objectField(UserFilter)), patch: required(objectField(UserPatchBody)) };

export function updateMatchingRoute(app: FastifyInstance, context: MatchingRouteContext): void {
  matchingRoute(app, context, {
    url: '/service/users/update-matching',
    operationId: 'updateMatching',
    canBePlanned: true,
    summary: 'Update all users who match a filter',
    description:
      'Applies a patch to every user who matches the filter when the call starts, each once, even if the patch changes who matches. Preview the call with dryRun=true, then send it with the number of users as confirm. If the number has changed, nothing is updated. The call can be undone like any bulk call. Protected users fail like in a bulk update.',
    tag: 'Users',
    body: Type.Object(
      { filter: UserFilter, patch: UserPatchBody },
      { title: 'UpdateMatching', additionalProperties: false },
    ),
    examples: {
      tag: {
        summary: 'Tag all active users of two organizations',
        value: {
          filter: { isActive: true, organizationSerial: ['ORG7', 'ORG8'] },
          patch: { addTagSerials: ['T1'] },
        },
      },
    },
    update: async (request) => readUpdate(request),
  });
}

function readUpdate(request: FastifyRequest) {
  const { repeatedIn } = requireBody(request);
  const body = readBody(request, bodyFields);
  const filters = readFilter(body.filter as JsonObject, repeatedIn('filter'));
  const patch = readPatch(body.patch as JsonObject, repeatedIn('patch'));
  return { kind: 'update-matching', filters, patch } as const;
}

function readFilter(filter: JsonObject, repeatedField: string | undefined): MatchFilters {
  if (repeatedField !== undefined)
    throw invalid(`filter.${quoted(repeatedField)}`, 'appears twice. Send it once.');
  const given: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(filter)) {
    if (!Object.hasOwn(userFilterProperties, name)) {
      throw invalid(
        `filter.${quoted(name)}`,
        `is unknown. Use ${Object.keys(userFilterProperties).join(', ')}.`,
      );
    }
    const texts = textsOf(name, value);
    if (texts === undefined) throw invalid(`filter.${name}`, `must be ${expectedOf(name)}.`);
    given[name] = texts;
  }
  const read = readUserFilters(given as GivenFilters, { serialsMax: selectedUsersMax });
  if ('problem' in read) throw invalid(`filter.${read.name}`, read.problem);
  if (Object.keys(read.filters).length > 0) return read.filters;
  throw invalid('filter', 'must contain at least one filter, so that nobody updates everyone by accident.');
}

/** The values of a filter as in a query; undefined if they have another type. */
function textsOf(name: string, value: unknown): readonly string[] | undefined {
  if (flagFilters.includes(name)) return typeof value === 'boolean' ? [String(value)] : undefined;
  if (typeof value === 'string') return [value];
  const isList = Array.isArray(value) && value.length > 0 && repeatableFilters.includes(name);
  return isList && value.every((each) => typeof each === 'string') ? value : undefined;
}

function expectedOf(name: string): string {
  if (flagFilters.includes(name)) return 'a boolean, true or false';
  return repeatableFilters.includes(name) ? 'a string or a list of strings' : 'a string';
}

function readPatch(patch: JsonObject, repeatedField: string | undefined): UserPatch {
  const fields = fieldsOf({ value: patch, repeatedField }, userPatchFields, { within: 'patch' });
  const { isActive, organizationSerial, addTagSerials, removeTagSerials } = fields;
  const add = addTagSerials ?? [];
  const remove = removeTagSerials ?? [];
  const both = add.find((tag) => remove.includes(tag));
  if (both !== undefined)
    throw invalid('patch.addTagSerials', 'and "patch.removeTagSerials" contain the same tag.');
  if (isActive == null && organizationSerial === undefined && add.length + remove.length === 0) {
    throw invalid('patch', `must change something. Use ${Object.keys(userPatchFields).join(', ')}.`);
  }
  return {
    isActive: isActive ?? undefined,
    organizationSerial,
    addTagSerials: add,
    removeTagSerials: remove,
  };
}

function invalid(field: string, problem: string): RequestRejected {
  return new RequestRejected(failure('REQUEST_BODY_INVALID', `"${field}" ${problem}`, { field }));
}
