import type { SyncItem } from '#sheets';
import { attributeField } from '../../contract/attribute-rules.js';
import type { Attribute } from '../../contract/attributes.js';
import type { FeedRules, ScopeValue } from '../../contract/feed-settings.js';
import type { UserFilters } from '../../storage/users/user-conditions.js';
import type { AttributeFilter } from '../attributes/attribute-filters.js';
import type { AttributeSet } from '../attributes/attribute-set.js';
import { quoted } from '../read-fields.js';

/** The users a feed is for. All conditions must hold; without any, it is for everyone. */
export interface FeedScope extends UserFilters {
  readonly organizationSerials?: readonly string[];
  readonly tagSerials?: readonly string[];
  readonly attributes?: readonly ScopeAttribute[];
}

interface ScopeAttribute extends AttributeFilter {
  readonly key: string;
  readonly values: readonly string[];
}

/** The scope that the rules describe, or what is wrong with it. */
export function readScope(
  { organizationSerials, tagSerials, attributes: given = {} }: FeedRules,
  definitions: AttributeSet,
  maySeeSensitive: boolean,
): FeedScope | string {
  const attributes: ScopeAttribute[] = [];
  for (const [key, sent] of Object.entries(given)) {
    const attribute = definitions.find(key, maySeeSensitive);
    if (typeof attribute === 'string') return `contains "attributes.${quoted(key)}", which ${attribute}`;
    const { rule, read } = valueReader(attribute);
    const values = sent.map(read);
    const at = values.indexOf(undefined);
    if (at >= 0)
      return `contains "attributes.${key}", which has an element (${at + 1}) that must be ${rule}.`;
    const texts = values.filter((value) => value !== undefined);
    attributes.push({ attributeId: attribute.id, type: attribute.type, key, values: texts });
  }
  return {
    ...(organizationSerials && { organizationSerials }),
    ...(tagSerials && { tagSerials }),
    ...(attributes.length > 0 && { attributes }),
  };
}

/** Reads values into the form in which they are stored, as texts. */
function valueReader(attribute: Attribute) {
  // The texts of a list follow the rules of a text.
  const { rule, normalize, accepts } = attributeField(
    attribute.type === 'list' ? { ...attribute, type: 'text', pattern: null } : attribute,
  );
  const read = (sent: ScopeValue): string | undefined => {
    const value = normalize(sent);
    return accepts(value) ? String(value) : undefined;
  };
  return { rule, read };
}

/** Whether a new user with these fields is in the scope. */
export function isInScope(
  item: SyncItem,
  { organizationSerials, tagSerials, attributes = [] }: FeedScope,
): boolean {
  const values = new Map<string, unknown>(Object.entries(item.attributes ?? {}));
  return (
    hasAny(item.organizationSerial, organizationSerials) &&
    hasAny(item.tagSerials, tagSerials) &&
    attributes.every((each) => hasAny(values.get(each.key), each.values))
  );
}

function hasAny(value: unknown, wanted: readonly string[] | undefined): boolean {
  if (wanted === undefined) return true;
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  return value !== undefined && texts.some((text) => wanted.includes(text));
}
