import { Text } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { importReviewCopy } from '../../copy/copy.js';
import { formatList } from '../../copy/format.js';
import { useImportState } from '../state/store.js';

const namesShown = 10;

/** Organizations and tags that exist only in the file. */
export function NewEntriesNotice() {
  const { check } = useImportState();
  const { organizations = [], tags = [] } = check?.knowledge.newEntries ?? {};
  if (organizations.length + tags.length === 0) return null;
  return (
    <Notice color="yellow" role="status">
      {organizations.length > 0 && (
        <Text size="sm">
          {importReviewCopy.newOrganizations(organizations.length, listed(organizations))}
        </Text>
      )}
      {tags.length > 0 && <Text size="sm">{importReviewCopy.newTags(tags.length, listed(tags))}</Text>}
    </Notice>
  );
}

function listed(names: readonly string[]): string {
  const more = names.length - namesShown;
  return formatList(more > 0 ? [...names.slice(0, namesShown), importReviewCopy.andMore(more)] : names);
}
