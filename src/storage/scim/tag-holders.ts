import type { Parameter } from '../sql.js';
import { type Fresh, isNotFresh } from '../users/matching-users.js';
import { serialList } from '../users/user-conditions.js';

/** The serials of all users who have a tag. */
export function holders(tag: string, fresh: Fresh, parameter: Parameter): string {
  if (!fresh) return `SELECT serial FROM users WHERE ${tag} = ANY (tag_serials)`;
  return `SELECT serial FROM user_listing WHERE tag_serials @> ARRAY[${tag}] AND ${isNotFresh(fresh, 'user_listing', parameter)}
    UNION ALL SELECT serial FROM users WHERE serial = ANY (${serialList(fresh, parameter)}) AND ${tag} = ANY (tag_serials)`;
}
