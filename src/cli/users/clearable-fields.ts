/** The fields that a user can be without, as the command calls them. */
export const clearableFields = ['username', 'email', 'phone', 'tags', 'organization'] as const;

export type ClearableField = (typeof clearableFields)[number];
