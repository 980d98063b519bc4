import { Button, CloseButton, Group, Menu, Text } from '@mantine/core';
import { usersListCopy } from '../../copy/copy.js';
import { isEmptySelection, selectedMax, type UserSelection } from './selection.js';
import css from './selection.module.css';
import {
  type Availability,
  allActions,
  availabilityOf,
  barActions,
  type Circumstances,
  type SelectionAction,
} from './selection-actions.js';

const copy = usersListCopy.select;

interface SelectionBarProps extends Omit<Circumstances, 'isEveryone'> {
  readonly selection: UserSelection;
  /** Of the list. Undefined unless it is exact. */
  readonly total: number | undefined;
  readonly isNarrow: boolean;
  readonly onAction: (action: SelectionAction) => void;
  readonly onClear: () => void;
}

/** What can be done with the selected users. */
export function SelectionBar(props: SelectionBarProps) {
  const { selection, total, isNarrow, onAction, onClear, ...circumstances } = props;
  const { current, isTooMany } = selection;
  if (isEmptySelection(current) && !isTooMany) return null;
  const isEveryone = current.kind === 'all';
  const stateOf = (action: SelectionAction) => availabilityOf(action, { ...circumstances, isEveryone });
  const offered = allActions.filter((action) => stateOf(action) !== 'hidden');
  const shown = isNarrow ? [] : barActions.filter((action) => offered.includes(action));
  return (
    <section className={css.bar} aria-label={copy.bar}>
      <Group gap="xs" wrap="nowrap" className={css.count}>
        <CloseButton size={28} aria-label={copy.clear} title={copy.clear} onClick={onClear} />
        <Text size="sm" fw={600} role="status">
          {isEveryone ? copy.allMatching(total) : copy.count(current.users.size)}
        </Text>
        {!selection.isWholeList && (
          <Button variant="subtle" size="compact-sm" onClick={() => selection.selectAll(total)}>
            {copy.selectAll(total)}
          </Button>
        )}
      </Group>
      <Group gap="xs" wrap="nowrap">
        {shown.map((action) => (
          <Button
            key={action}
            variant="default"
            size="compact-sm"
            disabled={stateOf(action) !== 'available'}
            onClick={() => onAction(action)}
          >
            {usersListCopy.actions[action]}
          </Button>
        ))}
        <Menu position="top-end" shadow="md" width={240} withinPortal={false} returnFocus>
          <Menu.Target>
            <Button variant="default" size="compact-sm" {...(!isNarrow && { 'aria-label': copy.more })}>
              {isNarrow ? copy.actions : '⋯'}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {offered
              .filter((action) => !shown.includes(action))
              .map((action) => (
                <Menu.Item
                  key={action}
                  disabled={stateOf(action) !== 'available'}
                  onClick={() => onAction(action)}
                >
                  {usersListCopy.actions[action]}
                </Menu.Item>
              ))}
          </Menu.Dropdown>
        </Menu>
      </Group>
      <Explanation isTooMany={isTooMany} states={offered.map(stateOf)} />
    </section>
  );
}

/** Why something can't be done. */
function Explanation({ isTooMany, states }: { isTooMany: boolean; states: readonly Availability[] }) {
  const text = isTooMany
    ? copy.tooMany(selectedMax)
    : states.includes('needsFilter')
      ? copy.needsFilter
      : undefined;
  if (text === undefined) return null;
  return (
    <Text size="xs" className={css.explanation} role="status">
      {text}
    </Text>
  );
}
