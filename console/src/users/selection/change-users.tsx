import { NativeSelect, Radio, SimpleGrid, Text } from '@mantine/core';
import { limits, type Schemas } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { AttributeInput } from '../../components/attribute-input.js';
import {
  type AttributeValue,
  attributeLabel,
  attributeProblem,
  formatAttribute,
} from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { findEntry, useDisplayNames } from '../../components/directory.js';
import { SerialInput } from '../../components/entry-inputs.js';
import { fullEntryName } from '../../components/entry-name.js';
import {
  attributesCopy,
  changeUsersCopy as copy,
  usersListCopy as listCopy,
  matchingCopy,
  usersCopy,
} from '../../copy/copy.js';
import { type MatchingCall, type MatchingPlan, matchingResult } from '../../matching/matching-call.js';
import { MatchingDialog } from '../../matching/matching-dialog.js';
import { FilterList } from '../../matching/matching-tables.js';
import { PlanFields, PreviewForm } from '../../matching/preview-form.js';
import { rollcall } from '../../session/api.js';
import {
  attributesFor,
  type ChangeKind,
  changeKinds,
  patchFor,
  referencedEntry,
  referenceOf,
} from './user-change.js';

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
  const attributes = useAttributes();
  const [key, setKey] = useState('');
  const [value, setValue] = useState<AttributeValue>('');
  const [isIncomplete, setIsIncomplete] = useState(false);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const reference = referenceOf(kind);
  const names = useDisplayNames(
    reference ?? 'tags',
    reference && serial.trim() !== '' ? [serial.trim()] : [],
  );
  const offered = attributesFor(kind, attributes);
  const attribute = offered.find((each) => each.key === key) ?? offered[0];
  const patch = patchFor({ kind, serial, attribute, value });
  const referenced = referencedEntry({ kind, serial });
  const check = useMutation({
    mutationFn: async () => referenced && !(await findEntry(referenced.kind, referenced.serial)),
    onSettled: () => {
      setIsPreviewed(patch !== undefined);
      setIsIncomplete(patch === undefined);
    },
  });
  const entry = attribute
    ? attributeLabel(attribute)
    : fullEntryName({ serial: serial.trim(), displayName: names.get(serial.trim()) ?? null });
  const problem = attribute && isIncomplete ? attributeProblem(attribute, value) : undefined;
  const kinds = changeKinds.filter(
    (each) => !isAboutAttribute(each) || attributesFor(each, attributes).length > 0,
  );
  const isStatus = kind === 'activate' || kind === 'deactivate';
  const request = patch && {
    key: ['users', filter, patch],
    call: callFor(filter, patch),
    summary:
      isStatus && 'selected' in who
        ? listCopy.change.selected(who.selected)
        : copy.sentences[kind](entry, formatAttribute(attribute?.type, value)),
    ...('filters' in who
      ? { filters: who.filters }
      : !isStatus && { who: listCopy.change.selected(who.selected) }),
    warning: referenced && check.data ? copy.isNew[referenced.kind](referenced.serial) : undefined,
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
              if ((value === 'deactivate') !== (kind === 'deactivate')) setPlan(undefined);
              if (referenceOf(value as ChangeKind) !== reference) setSerial('');
            }}
          >
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs" mt="xs">
              {kinds.map((each, index) => (
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
        {reference && (
          <SerialInput
            key={reference}
            kind={reference}
            label={copy.directories[reference]}
            placeholder={reference === 'users' ? usersCopy.filter.managerPlaceholder : copy.serialHint}
            maxLength={limits.labelMaxLength}
            required
            maxDropdownHeight={suggestionsHeight}
            value={serial}
            onChange={setSerial}
            {...(only !== undefined && { 'data-autofocus': true })}
          />
        )}
        {attribute && (
          <NativeSelect
            label={attributesCopy.change.attribute}
            data={offered.map((each) => ({ value: each.key, label: attributeLabel(each) }))}
            value={attribute.key}
            onChange={(event) => {
              setKey(event.currentTarget.value);
              setValue('');
              setIsIncomplete(false);
            }}
            {...(only !== undefined && { 'data-autofocus': true })}
          />
        )}
        {attribute && kind === 'setAttribute' && (
          <AttributeInput
            key={attribute.key}
            attribute={attribute}
            label={attributesCopy.change.value}
            value={value}
            onChange={(next) => {
              setValue(next);
              setIsIncomplete(false);
            }}
            error={problem ?? (isIncomplete ? attributesCopy.change.valueRequired : undefined)}
          />
        )}
        {hint !== undefined && <Text size="sm">{hint}</Text>}
        <PlanFields
          key={String(kind === 'deactivate')}
          plan={plan}
          onChange={setPlan}
          isDeactivation={kind === 'deactivate'}
        />
      </PreviewForm>
    </MatchingDialog>
  );
}

function isAboutAttribute(kind: ChangeKind): boolean {
  return kind === 'setAttribute' || kind === 'clearAttribute';
}

function callFor(filter: UserFilter, patch: Schemas['UserPatch']): MatchingCall {
  return async ({ signal, ...query }) =>
    matchingResult(await rollcall.call('updateMatching', { query, body: { filter, patch }, signal }));
}
