import type { AttributeValue } from '../contract/attribute-values.js';
import type { Attribute } from '../contract/attributes.js';
import { type Place, placeOf } from './attribute-places.js';
import { type JsonObject, own, withProperty } from './language/json.js';
import { urns } from './schemas.js';

type Values = Readonly<Record<string, AttributeValue>>;

/** The values of company attributes in a resource, by key. */
export function companyValues(resource: JsonObject, company: readonly Attribute[]): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const attribute of company) {
    const value = own(holderIn(resource, placeOf(attribute)), attribute.key);
    if (value !== undefined) values[attribute.key] = value;
  }
  return values;
}

function holderIn(resource: JsonObject, place: Place): JsonObject {
  if (place === 'core') return resource;
  return (own(resource, place === 'enterprise' ? urns.enterprise : urns.company) ?? {}) as JsonObject;
}

/** Adds the values of company attributes to a resource. */
export function withCompanyValues(
  resource: JsonObject,
  company: readonly Attribute[],
  values: Values,
): JsonObject {
  let [core, enterprise, extension] = [resource, holderIn(resource, 'enterprise'), {} as JsonObject];
  for (const attribute of company) {
    const { key } = attribute;
    const value = own(values, key);
    if (value === undefined) continue;
    const place = placeOf(attribute);
    if (place === 'core') core = withProperty(core, key, value);
    else if (place === 'enterprise') enterprise = withProperty(enterprise, key, value);
    else extension = withProperty(extension, key, value);
  }
  const withEnterprise = withProperty(core, urns.enterprise, isAny(enterprise) ? enterprise : undefined);
  return withProperty(withEnterprise, urns.company, isAny(extension) ? extension : undefined);
}

function isAny(object: JsonObject): boolean {
  return Object.keys(object).length > 0;
}
