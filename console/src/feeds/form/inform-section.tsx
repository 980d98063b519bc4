import { MultiSelect, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { selectOptions } from '../../components/choices.js';
import { fullEntryName } from '../../components/entry-name.js';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import { rollcall } from '../../session/api.js';
import type { Feed } from './feed.js';
import { isKept } from './feed-draft.js';
import type { InformDraft } from './inform-draft.js';
import { SecretInput } from './secret-input.js';
import { below, FormSection, type PartProps } from './section.js';

const copy = feedFormCopy.inform;

interface InformSectionProps extends PartProps {
  readonly feed: Feed | undefined;
}

export function InformSection({ feed, draft, onChange, problemOf, refused }: InformSectionProps) {
  const { inform, secrets } = draft;
  const set = (part: Partial<InformDraft>) => onChange({ inform: { ...inform, ...part } });
  return (
    <FormSection
      title={copy.title}
      hint={copy.hint}
      refused={refused === 'inform' ? copy.refused : undefined}
    >
      <MultiSelect
        label={copy.users}
        description={copy.usersHint}
        inputWrapperOrder={below}
        data={usePeople(inform.users)}
        value={[...inform.users]}
        onChange={(users) => set({ users })}
        placeholder={inform.users.length === 0 ? copy.usersChoose : ''}
        searchable
        comboboxProps={{ shadow: 'md' }}
      />
      <NativeSelect
        label={copy.chat}
        data={selectOptions(copy.chats)}
        value={inform.chat}
        onChange={(event) => set({ chat: event.currentTarget.value as InformDraft['chat'] })}
      />
      {inform.chat !== '' && (
        <SecretInput
          label={feedFormCopy.secrets.chatUrl}
          hint={copy.chatUrlHint}
          value={secrets.chatUrl}
          onChange={(chatUrl) => onChange({ secrets: { ...secrets, chatUrl } })}
          isKept={isKept('chatUrl', draft, feed)}
          isLost={false}
          error={refused === 'chatUrl' ? copy.chatRefused : problemOf('chatUrl', feedFormCopy.required)}
        />
      )}
    </FormSection>
  );
}

const peopleMax = 200;

/** Users with a role, by name. Who was chosen and has none any more stays in the list. */
function usePeople(chosen: readonly string[]): { readonly value: string; readonly label: string }[] {
  const { data = [] } = useQuery({
    queryKey: ['users', 'with-role'],
    queryFn: async ({ signal }) => {
      const query = { isActive: true, notRole: 'none', sort: 'name', limit: peopleMax } as const;
      return (await rollcall.call('listUsers', { query, signal })).body.data.items;
    },
  });
  const people = data.map(({ serial, name, employeeID }) => ({
    value: serial,
    label: fullEntryName({ serial: employeeID, displayName: name }),
  }));
  const listed = new Set(people.map(({ value }) => value));
  return [
    ...people,
    ...chosen.filter((serial) => !listed.has(serial)).map((serial) => ({ value: serial, label: serial })),
  ];
}
