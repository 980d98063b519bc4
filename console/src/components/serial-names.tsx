import { Text } from '@mantine/core';
import { commonCopy } from '../copy/copy.js';
import { type DirectoryKind, useDisplayNames } from './directory.js';

interface SerialNamesProps {
  readonly kind: DirectoryKind;
  readonly serials: readonly string[];
}

/** The names of organizations or tags, each with its serial. */
export function SerialNames({ kind, serials }: SerialNamesProps) {
  const names = useDisplayNames(kind, serials);
  if (serials.length === 0) return commonCopy.empty;
  return serials.map((serial, index) => {
    const name = names.get(serial);
    return (
      <span key={serial}>
        {index > 0 && ', '}
        {name ?? serial}
        {name !== undefined && (
          <Text span inherit c="dimmed">
            {` (${serial})`}
          </Text>
        )}
      </span>
    );
  });
}
