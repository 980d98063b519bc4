import { Stack, Text, VisuallyHidden } from '@mantine/core';
import { activityCopy } from '../copy/activity.js';
import { commonCopy } from '../copy/common.js';
import { formatRole } from './field-value.js';
import { shownValue } from './shown-value.js';

type Changes = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown } | undefined>>;

const copy = { ...activityCopy.call, none: commonCopy.none };
const fieldNames: Readonly<Record<string, string>> = commonCopy.fields;

const shown = (field: string, value: unknown) =>
  field === 'role' ? formatRole(value) : shownValue(value, copy);

/** What each field was and is. */
export function FieldChanges({ fields, kind }: { fields: Changes; kind: string }) {
  return (
    <Stack gap={2}>
      {Object.entries(fields).map(([field, change]) => (
        <Text key={field} size="sm" style={{ overflowWrap: 'anywhere' }}>
          <Text span size="sm" c="dimmed">
            {fieldNames[field] ?? field}:{' '}
          </Text>
          {kind !== 'created' && (
            <Text span size="sm" td={kind === 'deleted' ? 'line-through' : undefined}>
              {shown(field, change?.before)}
            </Text>
          )}
          {kind === 'updated' && (
            <>
              <span aria-hidden> → </span>
              <VisuallyHidden> {copy.became} </VisuallyHidden>
            </>
          )}
          {kind !== 'deleted' && (
            <Text span size="sm" fw={600}>
              {shown(field, change?.after)}
            </Text>
          )}
        </Text>
      ))}
    </Stack>
  );
}
