import { Button, Code, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useRef, useState } from 'react';
import { renderSVG } from 'uqr';
import { CopyButton } from '../components/copy-button.js';
import { Problem } from '../components/problem.js';
import { factorsCopy as copy } from '../copy/account-copy.js';
import { commonCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';

/** Null unless it is the user's first factor. */
export type NewCodes = readonly string[] | null;

/** Shows the secret of a new app until its first code is entered. */
export function AddApp({ onAdded }: { onAdded: (codes: NewCodes) => void }) {
  const id = useId(); // each form starts with a secret of its own
  const started = useQuery({
    queryKey: ['new-app', id],
    queryFn: async () => (await rollcall.call('startTotp', { body: { name: copy.kinds.totp } })).body.data,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  if (started.error) return <Problem title={copy.appNotAdded} error={started.error} />;
  if (!started.data) return <Loader aria-label={commonCopy.loading} />;
  const { secret, uri } = started.data;
  return (
    <Stack>
      <Text size="sm">{copy.scan}</Text>
      <QrCode text={uri} />
      <Group gap="xs">
        <Text size="sm">{copy.manual}</Text>
        <Code style={{ overflowWrap: 'anywhere' }}>{secret.match(/.{1,4}/g)?.join(' ')}</Code>
        <CopyButton value={secret} label={copy.copyKey} />
      </Group>
      <FirstCode onAdded={onAdded} />
    </Stack>
  );
}

/** Dark on light in both color schemes: many apps can't read it otherwise. */
function QrCode({ text }: { text: string }) {
  const svg = renderSVG(text, { border: 2 });
  return (
    <img
      src={`data:image/svg+xml;utf8,${encodeURIComponent(svg)}`}
      alt={copy.qrCode}
      width={200}
      height={200}
      style={{ alignSelf: 'center' }}
    />
  );
}

function FirstCode({ onAdded }: { onAdded: (codes: NewCodes) => void }) {
  const [code, setCode] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const confirming = useMutation({
    mutationFn: async () => (await rollcall.call('confirmTotp', { body: { code } })).body.data,
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
    onError: () => field.current?.select(),
  });
  const isWrong = isRollcallError(confirming.error, 'ACCESS_FACTOR_CODE_WRONG');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirming.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          ref={field}
          label={copy.firstCode}
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          error={isWrong && copy.wrongCode}
          autoComplete="one-time-code"
          inputMode="numeric"
          data-autofocus
          required
          withAsterisk={false}
        />
        {confirming.error && !isWrong && <Problem title={copy.appNotAdded} error={confirming.error} />}
        <Button type="submit" loading={confirming.isPending}>
          {copy.confirm}
        </Button>
      </Stack>
    </form>
  );
}
