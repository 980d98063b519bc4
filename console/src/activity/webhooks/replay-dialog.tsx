import { NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../components/form-dialog.js';
import { number } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import type { Webhook } from './webhook.js';
import { replay } from './webhook-calls.js';

interface ReplayDialogProps {
  readonly webhook: Webhook;
  readonly onReplayed: () => void;
  readonly onClose: () => void;
}

const words = texts.activity.webhooks;

export function ReplayDialog({ webhook, onReplayed, onClose }: ReplayDialogProps) {
  const [from, setFrom] = useState<number | string>('');
  const act = async () => {
    await replay(webhook, Number(from));
    onReplayed();
  };
  return (
    <FormDialog
      title={words.replayTitle}
      save={words.replayConfirm}
      failed={words.replayFailed}
      action={act}
      onClose={onClose}
    >
      <Text size="sm">{words.replayText}</Text>
      <NumberInput
        label={words.replayFrom}
        description={words.replayHint(number(webhook.deliveredUpTo))}
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
