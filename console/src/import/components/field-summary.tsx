import { List, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { attributeField, type FieldName, fieldsOf, type MappedField, typeOf } from '@rollcall/sheets';
import { useFieldTexts } from '../../components/attributes.js';
import { formatList } from '../../copy/format.js';
import { importReviewCopy } from '../../copy/on-demand-copy.js';
import type { UserCounts } from '../state/affected-users.js';
import { useImportState } from '../state/store.js';

const copy = importReviewCopy.fields;
const namesShown = 10;
/** Elsewhere, the rows would begin a screen further down. */
const roomy = '(min-width: 48em) and (min-height: 36em)';
const isList = (field: FieldName) => Number(typeOf(field) === 'list');
const ownFields = fieldsOf('sync').toSorted((one, other) => isList(one) - isList(other));

/** What an import changes, field by field. */
export function FieldSummary({ users }: { users: UserCounts }) {
  const { nameOf } = useFieldTexts();
  const { attributes } = useImportState();
  const isRoomy = useMediaQuery(roomy, true, { getInitialValueInEffect: false });
  const lines = [...ownFields, ...attributes.map(({ key }) => attributeField(key))].flatMap((field) => {
    const text = fieldText(field, users);
    return text === '' ? [] : [{ field, text }];
  });
  if (lines.length === 0) return null;
  return (
    <details key={String(isRoomy)} open={isRoomy}>
      <Text component="summary" size="sm" fw={600} style={{ cursor: 'pointer' }}>
        {copy.title}
      </Text>
      <List size="sm" spacing={2} aria-label={copy.title}>
        {lines.map(({ field, text }) => (
          <List.Item key={field}>{copy.line(nameOf(field), text)}</List.Item>
        ))}
      </List>
    </details>
  );
}

function fieldText(field: MappedField, { fields, newEntries }: UserCounts): string {
  const count = fields.get(field) ?? 0;
  const changed = count > 0 ? [copy.users(count)] : [];
  const added = field === 'organizationSerial' || field === 'tagSerials' ? newEntries[field] : [];
  const text = field === 'tagSerials' ? copy.newTags : copy.newOrganizations;
  return [...changed, ...(added.length > 0 ? [text(added.length, listed(added))] : [])].join(', ');
}

function listed(names: readonly string[]): string {
  const more = names.length - namesShown;
  return formatList(more > 0 ? [...names.slice(0, namesShown), importReviewCopy.andMore(more)] : names);
}
