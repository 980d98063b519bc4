import { NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../components/dialog.js';
import { activityCopy } from '../../copy/copy.js';
import type { Webhook } from './webhook.js';
import { replay } from './webhook-calls.js';

interface ReplayDialogProps {
  readonly webhook: Webhook;
  readonly onReplayed: () => void;
  readonly onClose: () => void;
}

const copy = activityCopy.webhooks;

export function ReplayDialog({ webhook, onReplayed, onClose }: ReplayDialogProps) {
  const [from, setFrom] = useState<number | string>('');
  const act = async () => {
    await replay(webhook, Number(from));
    onReplayed();
  };
  return (
    <FormDialog
      title={copy.replayTitle}
      save={copy.replayConfirm}
      failed={copy.replayFailed}
      action={act}
      onClose={onClose}
    >
      <Text size="sm">{copy.replayText}</Text>
      <NumberInput
        label={copy.replayFrom}
        description={copy.replayHint(webhook.deliveredUpTo)}
        value={from}
        onChange={setFrom}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        required
        data-autofocus
        maw={260}
      />
    </FormDialog>
  );
}
