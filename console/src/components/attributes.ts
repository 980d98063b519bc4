import { isAttributeField } from '@rollcall/sheets';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { queryClient, rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import {
  type Attribute,
  attributeName,
  attributeOf,
  formatAttribute,
  rememberAttributes,
} from './attribute-value.js';
import { fieldLabel } from './error-message.js';
import { formatField } from './field-value.js';

export const attributesKey = ['attributes'] as const;

/** They rarely change, and every page needs them. */
const staleMs = 5 * 60_000;

export const attributesQuery = queryOptions({
  queryKey: attributesKey,
  queryFn: async ({ signal }): Promise<readonly Attribute[]> => {
    const { items } = (await rollcall.call('listAttributes', { signal })).body.data;
    rememberAttributes(items);
    return items;
  },
  staleTime: staleMs,
});

const none: readonly Attribute[] = [];

/** The attributes that the user may see, in the order in which they were defined. None until they are known. */
export function useAttributes(): readonly Attribute[] {
  const mayRead = usePermission('users:read');
  const maySeeSensitive = usePermission('attributes:sensitive');
  const { data = none } = useQuery({ ...attributesQuery, enabled: mayRead });
  return useMemo(
    () => (maySeeSensitive ? data : data.filter(({ isSensitive }) => !isSensitive)),
    [data, maySeeSensitive],
  );
}

/** After a definition has changed, and with it what is shown of users. */
export async function refreshAttributes(): Promise<void> {
  const subjects = [attributesKey[0], 'users', 'user', 'changes'];
  await queryClient.invalidateQueries({
    predicate: ({ queryKey }) => subjects.includes(String(queryKey[0])),
  });
}

interface FieldTexts {
  readonly nameOf: (field: string) => string;
  readonly textOf: (field: string, value: unknown) => string;
}

/** Names and values of fields, including attributes. */
export function useFieldTexts(): FieldTexts {
  const attributes = useAttributes();
  return {
    nameOf: (field) => (isAttributeField(field) ? attributeName(field, attributes) : fieldLabel(field)),
    textOf: (field, value) =>
      isAttributeField(field)
        ? formatAttribute(attributeOf(field, attributes)?.type, value)
        : formatField(field, value),
  };
}
