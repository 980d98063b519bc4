import { List, Text } from '@mantine/core';
import { commonCopy, importReviewCopy } from '../../copy/copy.js';
import { formatList } from '../../copy/format.js';
import { type CountedField, countedFields, type UserCounts } from '../state/affected-users.js';

const copy = importReviewCopy.fields;
const namesShown = 10;

/** What an import changes, field by field. */
export function FieldSummary({ users }: { users: UserCounts }) {
  const lines = countedFields.flatMap((field) => {
    const text = fieldText(field, users);
    return text === '' ? [] : [{ field, text }];
  });
  if (lines.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {copy.title}
      </Text>
      <List size="sm" spacing={2} aria-label={copy.title}>
        {lines.map(({ field, text }) => (
          <List.Item key={field}>{copy.line(commonCopy.fields[field], text)}</List.Item>
        ))}
      </List>
    </div>
  );
}

function fieldText(field: CountedField, { fields, newEntries }: UserCounts): string {
  const changed = fields[field] > 0 ? [copy.users(fields[field])] : [];
  const added = field === 'organizationSerial' || field === 'tagSerials' ? newEntries[field] : [];
  const text = field === 'tagSerials' ? copy.newTags : copy.newOrganizations;
  return [...changed, ...(added.length > 0 ? [text(added.length, listed(added))] : [])].join(', ');
}

function listed(names: readonly string[]): string {
  const more = names.length - namesShown;
  return formatList(more > 0 ? [...names.slice(0, namesShown), importReviewCopy.andMore(more)] : names);
}
