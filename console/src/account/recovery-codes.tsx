import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../components/copy-button.js';
import { downloadBlob } from '../components/download.js';
import { factorsCopy as copy } from '../copy/account-copy.js';

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onSaved: () => void;
}

/** Shown once. */
export function RecoveryCodes({ codes, onSaved }: RecoveryCodesProps) {
  const text = codes.join('\n');
  const download = () =>
    downloadBlob(
      copy.file,
      new Blob([`${copy.fileTitle}\n\n${text}\n`], { type: 'text/plain;charset=utf-8' }),
    );
  return (
    <Stack>
      <Text size="sm">{copy.codesLead}</Text>
      <Stack component="ul" gap={4} p={0} m={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <li key={code}>
            <Code style={{ whiteSpace: 'nowrap' }}>{code}</Code>
          </li>
        ))}
      </Stack>
      <Group>
        <CopyButton value={text} label={copy.copyCodes} />
        <Button size="compact-xs" variant="default" onClick={download}>
          {copy.download}
        </Button>
      </Group>
      <Button onClick={onSaved}>{copy.saved}</Button>
    </Stack>
  );
}
