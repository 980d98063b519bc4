import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { failure } from '../../../contract/errors.js';
import type { Field } from '../../../contract/fields.js';
import { selectedUsersMax } from '../../../contract/limits.js';
import { required } from '../../../contract/shapes.js';
import { UserPatch as UserPatchBody, userPatchFields } from '../../../contract/users.js';
import type { AttributeReader } from '../../../domain/attributes/attribute-set.js';
import type { Actor } from '../../../domain/caller.js';
import type { Database } from '../../../domain/database.js';
import { quoted } from '../../../domain/read-fields.js';
import type { MatchFilters } from '../../../domain/users/matching-users.js';
import type { UserPatch } from '../../../domain/users/plans/user-patch.js';
import { attributeReader } from '../../attribute-reader.js';
import { callerOf } from '../../authentication.js';
import type { JsonBody } from '../../json-body.js';
import { attributesOrigin, fieldsOf, readBody, requireBody } from '../../request-body.js';
import { RequestRejected, succeeded } from '../../request-rejected.js';
import {
  attributeFilterProperties,
  attributeFiltersIn,
  flagFilters,
  givenFilters,
  isAttributeFilter,
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
  patternProperties: attributeFilterProperties,
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
    update: async (request) => readUpdate(request, context.database),
  });
}

async function readUpdate(request: FastifyRequest, database: Database) {
  const { within } = requireBody(request);
  const body = readBody(request, bodyFields);
  const given = givenIn(body.filter as JsonObject, within('filter')?.repeatedField);
  const filters = await readFilter(given, database, callerOf(request).actor);
  const attributes = await attributeReader(request, database);
  const patch = readPatch(body.patch as JsonObject, within('patch'), attributes);
  return { kind: 'update-matching', filters, filterQuery: queryOf(given), patch } as const;
}

function queryOf(given: Readonly<Record<string, readonly string[]>>): string {
  const pairs = Object.entries(given).flatMap(([name, texts]) =>
    texts.map((text): [string, string] => [name, text]),
  );
  return new URLSearchParams(pairs).toString();
}

/** The texts given for each filter. */
function givenIn(
  filter: JsonObject,
  repeatedField: string | undefined,
): Readonly<Record<string, readonly string[]>> {
  if (repeatedField !== undefined)
    throw invalid(`filter.${quoted(repeatedField)}`, 'appears twice. Send it once.');
  const given: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(filter)) {
    if (!Object.hasOwn(userFilterProperties, name) && !isAttributeFilter(name)) {
      throw invalid(
        `filter.${quoted(name)}`,
        `is unknown. Use ${Object.keys(userFilterProperties).join(', ')}.`,
      );
    }
    const texts = textsOf(name, value);
    if (texts === undefined) throw invalid(`filter.${quoted(name)}`, `must be ${expectedOf(name)}.`);
    given[name] = texts;
  }
  return given;
}

async function readFilter(
  given: Readonly<Record<string, readonly string[]>>,
  database: Database,
  actor: Pick<Actor, 'scopes'> | undefined,
): Promise<MatchFilters> {
  const read = readUserFilters(givenFilters(given), { serialsMax: selectedUsersMax });
  if ('problem' in read) throw invalid(`filter.${read.name}`, read.problem);
  const byAttributes = await attributeFiltersIn(database, given, actor);
  if ('problem' in byAttributes) throw invalid(`filter.${quoted(byAttributes.name)}`, byAttributes.problem);
  const filters = { ...read.filters, ...byAttributes };
  if (Object.keys(filters).length > 0) return filters;
  throw invalid('filter', 'must contain at least one filter, so that nobody updates everyone by accident.');
}

/** The values of a filter as in a query; undefined if they have another type. */
function textsOf(name: string, value: unknown): readonly string[] | undefined {
  if (flagFilters.includes(name)) return typeof value === 'boolean' ? [String(value)] : undefined;
  if (isAttributeFilter(name)) return attributeTexts(value);
  if (typeof value === 'string') return [value];
  const isList = Array.isArray(value) && value.length > 0 && repeatableFilters.includes(name);
  return isList && value.every((each) => typeof each === 'string') ? value : undefined;
}

/** Whether they fit the attribute is known once its definition is. */
function attributeTexts(value: unknown): readonly string[] | undefined {
  const values = Array.isArray(value) ? value : [value];
  const isValue = (each: unknown) => ['string', 'number', 'boolean'].includes(typeof each);
  return values.length > 0 && values.every(isValue) ? values.map(String) : undefined;
}

function expectedOf(name: string): string {
  if (isAttributeFilter(name)) return 'a string, number or boolean, or a list of them';
  if (flagFilters.includes(name)) return 'a boolean, true or false';
  return repeatableFilters.includes(name) ? 'a string or a list of strings' : 'a string';
}

function readPatch(
  patch: JsonObject,
  written: JsonBody | undefined,
  readAttributes: AttributeReader,
): UserPatch {
  const given = { value: patch, repeatedField: written?.repeatedField };
  const fields = fieldsOf(given, userPatchFields, { within: 'patch' });
  const {
    isActive,
    organizationSerial,
    managerEmployeeID,
    addTagSerials,
    removeTagSerials,
    attributes: sent,
  } = fields;
  const attributes =
    sent == null ? {} : succeeded(readAttributes(sent, attributesOrigin(written), 'clear')).value;
  const add = addTagSerials ?? [];
  const remove = removeTagSerials ?? [];
  const both = add.find((tag) => remove.includes(tag));
  if (both !== undefined)
    throw invalid('patch.addTagSerials', 'and "patch.removeTagSerials" contain the same tag.');
  const changes = add.length + remove.length + Object.keys(attributes).length;
  const references = [organizationSerial, managerEmployeeID].filter((each) => each !== undefined);
  if (isActive == null && references.length + changes === 0) {
    throw invalid('patch', `must change something. Use ${Object.keys(userPatchFields).join(', ')}.`);
  }
  return {
    isActive: isActive ?? undefined,
    organizationSerial,
    managerEmployeeID,
    addTagSerials: add,
    removeTagSerials: remove,
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
}

function invalid(field: string, problem: string): RequestRejected {
  return new RequestRejected(failure('REQUEST_BODY_INVALID', `"${field}" ${problem}`, { field }));
}
