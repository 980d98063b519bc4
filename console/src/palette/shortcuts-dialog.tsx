import { Kbd, Modal, Table } from '@mantine/core';
import { Fragment } from 'react';
import { navigationCopy } from '../copy/copy.js';
import { isApple } from '../navigation/keys.js';
import { nameOf, placesFor } from '../navigation/places.js';
import { useCurrentUser } from '../session/session.js';

const copy = navigationCopy.shortcuts;

/** All keyboard shortcuts that the user can use. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { scopes } = useCurrentUser();
  const control = isApple ? '⌘' : copy.control;
  const rows: readonly (readonly [text: string, keys: readonly string[], joiner?: string])[] = [
    [copy.palette, [control, 'K'], '+'],
    [copy.search, ['/']],
    [copy.help, ['?']],
    ...(scopes.includes('users:write') ? [[copy.create, ['c']] as const] : []),
    ...placesFor(scopes).map(
      (place) => [copy.goTo(nameOf(place)), ['g', place.letter], copy.followedBy] as const,
    ),
  ];
  return (
    <Modal opened onClose={onClose} title={copy.title}>
      <Table aria-label={copy.title} verticalSpacing={6}>
        <Table.Tbody>
          {rows.map(([text, keys, joiner]) => (
            <Table.Tr key={text}>
              <Table.Th scope="row" fw={400}>
                {text}
              </Table.Th>
              <Table.Td ta="right" style={{ whiteSpace: 'nowrap' }}>
                {keys.map((key, index) => (
                  <Fragment key={key}>
                    {index > 0 && ` ${joiner} `}
                    <Kbd>{key}</Kbd>
                  </Fragment>
                ))}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
