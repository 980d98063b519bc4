import {
  Checkbox,
  Fieldset,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { isRollcallError, limits } from '@rollcall/client';
import { useState } from 'react';
import { commonCopy, attributesCopy as copy } from '../copy/copy.js';
import { formatDecimal } from '../copy/format.js';
import { language, languageChoices } from '../copy/language.js';
import { rollcall } from '../session/api.js';
import {
  type AttributeDraft,
  canHave,
  type DraftProblem,
  draftOf,
  type Flag,
  flags,
  hasLimit,
  keyFromLabel,
  newAttribute,
  problemsOf,
  settingsOf,
} from './attribute-draft.js';
import { DateInput, DecimalInput } from './attribute-input.js';
import { type Attribute, type AttributeType, attributeLabel } from './attribute-value.js';
import { refreshAttributes } from './attributes.js';
import { selectOptions } from './choices.js';
import { FormDialog } from './dialog.js';
import { notify } from './notify.js';

interface AttributeFormProps {
  /** The one that is changed; a new one without. */
  readonly attribute?: Attribute | undefined;
  /** What a new one begins with. The form then leaves out what can wait. */
  readonly proposal?: AttributeDraft | undefined;
  readonly onCreated?: (attribute: Attribute) => void;
  readonly onClose: () => void;
}

const formCopy = copy.form;
/** The user's own language first. */
const labelLanguages = languageChoices.toSorted(([one], [other]) =>
  one === language ? -1 : other === language ? 1 : 0,
);
/** Who sees the values has to be decided before there are any. */
const firstFlags: readonly Flag[] = ['isFilterable', 'isSensitive'];
const below = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];

/** Defines an attribute, or changes its definition. */
export function AttributeForm({ attribute, proposal, onCreated, onClose }: AttributeFormProps) {
  const [draft, setDraft] = useState(() => (attribute ? draftOf(attribute) : (proposal ?? newAttribute)));
  const isShort = proposal !== undefined;
  const [isTouched, setIsTouched] = useState(false);
  const [isPatternRefused, setIsPatternRefused] = useState(false);
  const set = (part: Partial<AttributeDraft>) => setDraft({ ...draft, ...part });
  const problems = problemsOf(draft);
  const shown = (problem: DraftProblem, text: string) =>
    isTouched && problems.includes(problem) ? text : undefined;
  const save = async () => {
    const settings = settingsOf(draft);
    try {
      if (attribute) await rollcall.call('updateAttribute', { path: { key: attribute.key }, body: settings });
      else {
        const { body } = await rollcall.call('createAttribute', { body: { ...settings, type: draft.type } });
        onCreated?.(body.data);
      }
    } catch (error) {
      setIsPatternRefused(isRollcallError(error, 'REQUEST_BODY_INVALID') && error.data.field === 'pattern');
      throw error;
    }
    notify((attribute ? copy.edit.done : copy.create.done)(attributeLabel(settings)));
    await refreshAttributes();
  };
  return (
    <FormDialog
      title={attribute ? copy.edit.title(attributeLabel(attribute)) : copy.create.action}
      save={attribute ? commonCopy.save : copy.create.action}
      failed={attribute ? copy.edit.failed : copy.create.failed}
      isComplete={problems.length === 0}
      action={save}
      onIncomplete={() => setIsTouched(true)}
      onClose={onClose}
    >
      <Labels draft={draft} isNew={!attribute} isShort={isShort} onChange={set} />
      <TextInput
        label={formCopy.key}
        description={attribute && draft.key !== attribute.key ? formCopy.renameHint : formCopy.keyHint}
        inputWrapperOrder={below}
        value={draft.key}
        onChange={(event) => set({ key: event.currentTarget.value })}
        error={shown('key', formCopy.keyInvalid(limits.attributeKeyMaxLength))}
        required
      />
      <NativeSelect
        label={formCopy.type}
        description={`${copy.typeHints[draft.type]}${attribute ? '' : ` ${formCopy.typeFixed}`}`}
        inputWrapperOrder={below}
        data={selectOptions(copy.types)}
        value={draft.type}
        onChange={(event) =>
          set({ type: event.currentTarget.value as AttributeType, minimum: '', maximum: '' })
        }
        disabled={attribute !== undefined}
      />
      {(!isShort || draft.type === 'choice') && (
        <Limits
          draft={draft}
          onChange={(part) => {
            set(part);
            setIsPatternRefused(false);
          }}
          problemOf={shown}
          isPatternRefused={isPatternRefused}
        />
      )}
      {attribute && draft.type !== 'boolean' && (
        <Text size="xs" c="dimmed">
          {formCopy.limitsHint}
        </Text>
      )}
      <Flags draft={draft} shown={isShort ? firstFlags : flags} onChange={set} />
      {isShort ? (
        <Text size="xs" c="dimmed">
          {formCopy.laterHint}
        </Text>
      ) : (
        <TagsInput
          label={formCopy.synonyms}
          description={formCopy.synonymsHint}
          inputWrapperOrder={below}
          value={[...draft.synonyms]}
          onChange={(synonyms) => set({ synonyms })}
          maxTags={limits.attributeSynonymsMax}
          maxLength={limits.labelMaxLength}
          acceptValueOnBlur
        />
      )}
    </FormDialog>
  );
}

interface PartProps {
  readonly draft: AttributeDraft;
  readonly onChange: (part: Partial<AttributeDraft>) => void;
}

interface LabelsProps extends PartProps {
  readonly isNew: boolean;
  readonly isShort: boolean;
}

/** The key follows the first label until it is edited. */
function Labels({ draft, isNew, isShort, onChange }: LabelsProps) {
  const isDerived = isNew && draft.key === keyFromLabel(draft.labels[language] ?? '');
  const inputs = labelLanguages.slice(0, isShort ? 1 : undefined).map(([each, name], index) => (
    <TextInput
      key={each}
      label={isShort ? copy.columns.label : name}
      lang={each}
      maxLength={limits.labelMaxLength}
      value={draft.labels[each] ?? ''}
      onChange={(event) => {
        const label = event.currentTarget.value;
        const labels = { ...draft.labels, [each]: label };
        onChange({ labels, ...(each === language && isDerived && { key: keyFromLabel(label) }) });
      }}
      required={isNew && index === 0}
      data-autofocus={index === 0 || undefined}
    />
  ));
  if (isShort) return inputs;
  return (
    <Fieldset legend={formCopy.labels} p="sm">
      <Text size="xs" c="dimmed" mb="xs">
        {formCopy.labelsHint}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" verticalSpacing="xs">
        {inputs}
      </SimpleGrid>
    </Fieldset>
  );
}

interface LimitsProps extends PartProps {
  readonly problemOf: (problem: DraftProblem, text: string) => string | undefined;
  readonly isPatternRefused: boolean;
}

const exampleNumber = 1234.5;

/** What belongs to the type. */
function Limits({ draft, onChange, problemOf, isPatternRefused }: LimitsProps) {
  const { type } = draft;
  if (type === 'choice') {
    return (
      <TagsInput
        label={formCopy.choices}
        description={formCopy.choicesHint}
        inputWrapperOrder={below}
        value={[...draft.choices]}
        onChange={(choices) => onChange({ choices })}
        splitChars={[';', '\n']}
        maxTags={limits.attributeChoicesMax}
        maxLength={limits.labelMaxLength}
        acceptValueOnBlur
        error={problemOf('choices', formCopy.choicesRequired)}
        withAsterisk
      />
    );
  }
  if (type === 'number' || type === 'date') {
    const { minimum, maximum } = draft;
    const reversed = problemOf('reversed', formCopy.boundsReversed);
    const invalid = type === 'number' ? copy.rules.number(formatDecimal(exampleNumber)) : copy.rules.date;
    const Bound = type === 'number' ? DecimalInput : DateInput;
    return (
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <Bound
          key={`${type} minimum`}
          label={formCopy.minimum[type]}
          value={minimum}
          onChange={(value) => onChange({ minimum: value })}
          error={problemOf('minimum', invalid)}
        />
        <Bound
          key={`${type} maximum`}
          label={formCopy.maximum[type]}
          value={maximum}
          onChange={(value) => onChange({ maximum: value })}
          error={problemOf('maximum', invalid) ?? reversed}
        />
      </SimpleGrid>
    );
  }
  const isUnique = type === 'text' && draft.flags.includes('isUnique');
  return (
    <>
      {hasLimit(type, 'maxLength') && (
        <NumberInput
          label={formCopy.maxLength}
          description={formCopy.maxLengthHint(limits.attributeTextDefaultLength)}
          inputWrapperOrder={below}
          value={draft.maxLength}
          onChange={(maxLength) => onChange({ maxLength })}
          min={1}
          max={isUnique ? limits.attributeUniqueMaxLength : limits.attributeTextMaxLength}
          allowDecimal={false}
          allowNegative={false}
          maw={260}
        />
      )}
      {hasLimit(type, 'pattern') && (
        <TextInput
          label={formCopy.pattern}
          description={formCopy.patternHint}
          inputWrapperOrder={below}
          placeholder="[A-Z]{2}-[0-9]{4}"
          value={draft.pattern}
          onChange={(event) => onChange({ pattern: event.currentTarget.value })}
          maxLength={limits.attributePatternMaxLength}
          error={isPatternRefused ? formCopy.patternInvalid : undefined}
          spellCheck={false}
          autoComplete="off"
        />
      )}
    </>
  );
}

/** Each with the sentence that says what it means. */
function Flags({ draft, shown, onChange }: PartProps & { readonly shown: readonly Flag[] }) {
  return (
    <Checkbox.Group
      label={formCopy.flags}
      value={draft.flags.filter((flag) => canHave(draft, flag))}
      onChange={(chosen) => onChange({ flags: chosen as Flag[] })}
    >
      <Stack gap="xs" mt="xs">
        {shown
          .filter((flag) => flag !== 'isUnique' || canHave(draft, flag))
          .map((flag) => (
            <Checkbox
              key={flag}
              value={flag}
              label={copy.flags[flag]}
              description={copy.flagHints[flag]}
              disabled={!canHave(draft, flag)}
            />
          ))}
      </Stack>
    </Checkbox.Group>
  );
}
