import { Badge, Button, Group, List, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flags } from '../components/attribute-draft.js';
import { type Attribute, attributeLabel } from '../components/attribute-value.js';
import { attributesQuery } from '../components/attributes.js';
import { EmptyState } from '../components/empty-state.js';
import { Icon } from '../components/icon.js';
import { PageTitle } from '../components/page-title.js';
import { type Column, ListTable } from '../components/paged-list.js';
import { RowMenu } from '../components/row-menu.js';
import { StateBadge } from '../components/state-badge.js';
import { attributesCopy as copy, settingsCopy } from '../copy/copy.js';
import { type AttributeAction, AttributeDialog } from './attribute-dialog.js';

/** Below this width, the table has fewer columns. */
const narrowWidth = '(max-width: 48em)';

/** The fields that the company has defined. */
export function AttributesPage() {
  const [action, setAction] = useState<AttributeAction>();
  const isNarrow = useMediaQuery(narrowWidth, undefined, { getInitialValueInEffect: false });
  const { data = [], isPending, error, refetch } = useQuery(attributesQuery);
  const add = <Button onClick={() => setAction({ verb: 'create' })}>{copy.create.action}</Button>;
  const isEmpty = data.length === 0 && !isPending && error === null;
  const list = {
    items: data,
    isLoading: isPending,
    error: error ?? undefined,
    ...{ hasMore: false, isLoadingMore: false, loadMore: () => {} },
    reload: () => void refetch(),
  };
  return (
    <>
      <PageTitle title={settingsCopy.tabs.attributes} section={settingsCopy.title}>
        {!isEmpty && add}
      </PageTitle>
      {!isEmpty && (
        <Text c="dimmed" mb="md">
          {copy.lead}
        </Text>
      )}
      <ListTable
        label={settingsCopy.tabs.attributes}
        columns={columnsFor(isNarrow, setAction)}
        list={list}
        keyOf={({ key }) => key}
        minWidth={isNarrow ? 0 : 720}
        empty={
          <EmptyState title={copy.empty} hint={copy.emptyHint}>
            <List size="sm" mb="xs">
              {copy.examples.map(({ name, text }) => (
                <List.Item key={name}>
                  <b>{name}</b>: {text}
                </List.Item>
              ))}
            </List>
            {add}
          </EmptyState>
        }
      />
      {action && (
        <AttributeDialog action={action} onAction={setAction} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}

type Act = (action: AttributeAction) => void;

function columnsFor(isNarrow: boolean, act: Act): Column<Attribute>[] {
  const columns: (Column<Attribute> | false)[] = [
    {
      header: copy.columns.label,
      cell: (attribute) => <Label attribute={attribute} isNarrow={isNarrow} />,
    },
    !isNarrow && { header: copy.columns.key, cell: ({ key }) => <code>{key}</code> },
    !isNarrow && { header: copy.columns.type, isShort: true, cell: ({ type }) => copy.types[type] },
    !isNarrow && { header: copy.columns.flags, cell: (attribute) => <Flags attribute={attribute} /> },
    {
      header: copy.columns.actions,
      isNumber: true,
      cell: (attribute) => (
        <RowMenu
          label={copy.actionsFor(attributeLabel(attribute))}
          verbs={['edit', attribute.isRetired ? 'restore' : 'retire', 'remove'] as const}
          textOf={(verb) => copy[verb].action}
          onChoose={(verb) => act({ verb, attribute })}
        />
      ),
    },
  ];
  return columns.filter((column) => column !== false);
}

function Label({ attribute, isNarrow }: { attribute: Attribute; isNarrow: boolean }) {
  const { key, type, isRetired } = attribute;
  return (
    <>
      <Group gap="xs">
        <Text size="sm" fw={600} {...(isRetired && { c: 'dimmed' })} style={{ overflowWrap: 'anywhere' }}>
          {attributeLabel(attribute)}
        </Text>
        {isRetired && <StateBadge color="gray">{copy.retired}</StateBadge>}
      </Group>
      {isNarrow && (
        <>
          <Text size="xs" c="dimmed" mb={4} style={{ overflowWrap: 'anywhere' }}>
            {copy.types[type]} · <code>{key}</code>
          </Text>
          <Flags attribute={attribute} />
        </>
      )}
    </>
  );
}

function Flags({ attribute }: { attribute: Attribute }) {
  return (
    <Group gap={4}>
      {flags
        .filter((flag) => attribute[flag])
        .map((flag) => (
          <Badge
            key={flag}
            variant="default"
            tt="none"
            fw={400}
            size="md"
            title={copy.flagHints[flag]}
            {...(flag === 'isSensitive' && { leftSection: <Icon name="lock" size={12} /> })}
          >
            {copy.flags[flag]}
          </Badge>
        ))}
    </Group>
  );
}
