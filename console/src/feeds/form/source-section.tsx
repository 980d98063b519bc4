import { NativeSelect, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { selectOptions } from '../../components/choices.js';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import type { Feed } from './feed.js';
import { isKept, type SecretName } from './feed-draft.js';
import { SecretInput } from './secret-input.js';
import { below, FormSection, type PartProps } from './section.js';
import {
  type HttpsAuth,
  requiredInputs,
  type SftpAuth,
  type SourceDraft,
  type SourceInput,
  type SourceType,
  secretKindOf,
} from './source-draft.js';

const copy = feedFormCopy.source;

interface SourceSectionProps extends PartProps {
  readonly feed: Feed | undefined;
}

export function SourceSection({ feed, ...props }: SourceSectionProps) {
  const { draft, onChange } = props;
  const { type } = draft.source;
  return (
    <FormSection title={copy.title} refused={props.refused === 'source' ? copy.refused[type] : undefined}>
      <NativeSelect
        label={copy.type}
        description={copy.typeHints[type]}
        inputWrapperOrder={below}
        data={selectOptions(copy.types)}
        value={type}
        onChange={(event) =>
          onChange({ source: { ...draft.source, type: event.currentTarget.value as SourceType } })
        }
      />
      <Inputs {...props} />
      <Secrets feed={feed} {...props} />
    </FormSection>
  );
}

function Inputs({ draft, onChange, problemOf }: PartProps) {
  const { source } = draft;
  const set = (part: Partial<SourceDraft>) => onChange({ source: { ...source, ...part } });
  const required = requiredInputs(source);
  const propsOf = (input: SourceInput) => ({
    ...{ inputWrapperOrder: below, autoComplete: 'off', spellCheck: false },
    error: problemOf(`source.${input}`, feedFormCopy.required),
    withAsterisk: required.includes(input),
    'aria-required': required.includes(input) || undefined,
    value: source[input],
  });
  const text = (
    input: Exclude<SourceInput, 'port'>,
    label: string,
    description?: string,
    placeholder = '',
  ) => (
    <TextInput
      {...propsOf(input)}
      label={label}
      description={description}
      placeholder={placeholder}
      onChange={(event) => set({ [input]: event.currentTarget.value })}
    />
  );
  switch (source.type) {
    case 'https':
      return (
        <>
          {text('url', copy.url, undefined, 'https://hr.example.com/export.csv')}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <NativeSelect
              label={copy.httpsAuth}
              data={selectOptions(copy.httpsAuths)}
              value={source.httpsAuth}
              onChange={(event) => set({ httpsAuth: event.currentTarget.value as HttpsAuth })}
            />
            {source.httpsAuth === 'basic' && text('username', copy.username)}
          </SimpleGrid>
        </>
      );
    case 'sftp':
      return (
        <>
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {text('host', copy.host, undefined, 'sftp.example.com')}
            <NumberInput
              {...propsOf('port')}
              label={copy.port}
              onChange={(port) => set({ port })}
              min={1}
              max={65_535}
              allowDecimal={false}
              allowNegative={false}
            />
          </SimpleGrid>
          {text('path', copy.path, copy.pathHint, '/out/staff-*.csv')}
          {text('hostKey', copy.hostKey, copy.hostKeyHint, 'SHA256:…')}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {text('username', copy.username)}
            <NativeSelect
              label={copy.sftpAuth}
              data={selectOptions(copy.sftpAuths)}
              value={source.sftpAuth}
              onChange={(event) => set({ sftpAuth: event.currentTarget.value as SftpAuth })}
            />
          </SimpleGrid>
        </>
      );
    case 's3':
      return (
        <>
          {text('endpoint', copy.endpoint, undefined, 'https://s3.eu-central-1.amazonaws.com')}
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            {text('region', copy.region, undefined, 'eu-central-1')}
            {text('bucket', copy.bucket)}
          </SimpleGrid>
          {text('objectKey', copy.objectKey, copy.objectKeyHint, 'staff/*.csv')}
          {text('accessKeyId', copy.accessKeyId)}
        </>
      );
    case 'folder':
      return text('path', copy.folderPath, copy.pathHint, 'workday/staff-*.csv');
    case 'upload':
      return null;
  }
}

const secretsCopy = feedFormCopy.secrets;

function Secrets({ feed, draft, onChange, problemOf, refused }: SourceSectionProps) {
  const kind = secretKindOf(draft.source);
  if (!kind) return null;
  const kept = isKept('secret', draft, feed);
  const propsOf = (name: SecretName) => ({
    value: draft.secrets[name],
    onChange: (value: string | undefined) => onChange({ secrets: { ...draft.secrets, [name]: value } }),
    error: refused === name ? secretsCopy.invalid : problemOf(name, feedFormCopy.required),
  });
  const isReplaced = draft.secrets.secret !== undefined || !kept;
  return (
    <>
      <SecretInput
        {...propsOf('secret')}
        label={secretsCopy.labels[kind]}
        isKept={kept}
        isLost={feed?.hasSecret === true && !kept}
        isLong={kind === 'privateKey'}
      />
      {kind === 'privateKey' && isReplaced && (
        <SecretInput
          {...propsOf('passphrase')}
          label={secretsCopy.passphrase}
          hint={secretsCopy.passphraseHint}
          isKept={false}
          isLost={false}
          isOptional
        />
      )}
    </>
  );
}
