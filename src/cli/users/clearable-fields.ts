/** Optional fields, by their names on the command line. */
export const clearableFields = ['username', 'email', 'phone', 'tags', 'organization'] as const;

export type ClearableField = (typeof clearableFields)[number];
