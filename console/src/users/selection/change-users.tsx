import { Radio, SimpleGrid, Text } from '@mantine/core';
import { limits, type Schemas } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { findEntry, useDisplayNames } from '../../components/directory.js';
import { SerialInput } from '../../components/entry-inputs.js';
import { fullEntryName } from '../../components/entry-name.js';
import { changeUsersCopy as copy, usersListCopy as listCopy, matchingCopy } from '../../copy/copy.js';
import { type MatchingCall, type MatchingPlan, matchingResult } from '../../matching/matching-call.js';
import { MatchingDialog } from '../../matching/matching-dialog.js';
import { FilterList } from '../../matching/matching-tables.js';
import { PlanFields, PreviewForm } from '../../matching/preview-form.js';
import { rollcall } from '../../session/api.js';
import { type ChangeKind, changeKinds, directoryOf, patchFor, referencedEntry } from './user-change.js';

type UserFilter = Schemas['UserFilter'];

interface ChangeUsersProps {
  readonly filter: UserFilter;
  /** Which users it is about, in words: their filters, or how many are selected. */
  readonly who: { readonly filters: readonly string[] } | { readonly selected: number };
  /** Undefined to ask what to change. */
  readonly kind?: ChangeKind | undefined;
  readonly onClose: () => void;
}

/** Fewer selected users can be checked at a glance. */
const typedAbove = 100;

/** Fits below the input, even on a small screen. */
const suggestionsHeight = 160;

/** Makes the same change to all users who match, or who are selected. */
export function ChangeUsers({ filter, who, kind: only, onClose }: ChangeUsersProps) {
  const [kind, setKind] = useState<ChangeKind>(only ?? 'addTag');
  const [plan, setPlan] = useState<MatchingPlan>();
  const [serial, setSerial] = useState('');
  const [isPreviewed, setIsPreviewed] = useState(false);
  const directory = directoryOf(kind);
  const names = useDisplayNames(
    directory ?? 'tags',
    directory && serial.trim() !== '' ? [serial.trim()] : [],
  );
  const patch = patchFor({ kind, serial });
  const referenced = referencedEntry({ kind, serial });
  const check = useMutation({
    mutationFn: async () => referenced && !(await findEntry(referenced.kind, referenced.serial)),
    onSettled: () => setIsPreviewed(patch !== undefined),
  });
  const entry = fullEntryName({ serial: serial.trim(), displayName: names.get(serial.trim()) ?? null });
  const isStatus = kind === 'activate' || kind === 'deactivate';
  const request = patch && {
    key: ['users', filter, patch],
    call: callFor(filter, patch),
    summary: copy.sentences[kind](entry),
    ...('filters' in who ? { filters: who.filters } : { who: listCopy.change.selected(who.selected) }),
    warning: referenced && check.data ? copy.isNew[referenced.kind](referenced.serial) : undefined,
    isNoted: true,
    confirm: isStatus ? copy.confirm[kind] : matchingCopy.confirm,
    ...(isStatus && { willChange: copy.willChange[kind], changed: copy.changed[kind] }),
    isTyped: !('selected' in who) || who.selected > typedAbove,
    plan,
  };
  const hint = isStatus ? copy.hints[kind] : undefined;
  return (
    <MatchingDialog
      title={only ? listCopy.change.titles[only] : copy.title}
      request={isPreviewed ? request : undefined}
      onBack={() => setIsPreviewed(false)}
      onClose={onClose}
    >
      <PreviewForm onPreview={() => check.mutate()} isChecking={check.isPending} onCancel={onClose}>
        {'filters' in who ? (
          <FilterList filters={who.filters} />
        ) : (
          <Text size="sm">{listCopy.change.selected(who.selected)}</Text>
        )}
        {only === undefined && (
          <Radio.Group
            label={copy.change}
            value={kind}
            onChange={(value) => {
              setKind(value as ChangeKind);
              if (directoryOf(value as ChangeKind) !== directory) setSerial('');
            }}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" mt="xs">
              {changeKinds.map((each, index) => (
                <Radio
                  key={each}
                  value={each}
                  label={copy.kinds[each]}
                  data-autofocus={index === 0 || undefined}
                />
              ))}
            </SimpleGrid>
          </Radio.Group>
        )}
        {directory && (
          <SerialInput
            key={directory}
            kind={directory}
            label={copy.directories[directory]}
            placeholder={copy.serialHint}
            maxLength={limits.labelMaxLength}
            required
            maxDropdownHeight={suggestionsHeight}
            value={serial}
            onChange={setSerial}
            {...(only !== undefined && { 'data-autofocus': true })}
          />
        )}
        {hint !== undefined && <Text size="sm">{hint}</Text>}
        <PlanFields plan={plan} onChange={setPlan} />
      </PreviewForm>
    </MatchingDialog>
  );
}

function callFor(filter: UserFilter, patch: Schemas['UserPatch']): MatchingCall {
  return async ({ signal, ...query }) =>
    matchingResult(await rollcall.call('updateMatching', { query, body: { filter, patch }, signal }));
}
