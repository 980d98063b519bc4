import { Button, CloseButton, Group, Menu, Text } from '@mantine/core';
import { useAttributes } from '../../components/attributes.js';
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

interface SelectionBarProps extends Omit<Circumstances, 'isEveryone' | 'attributes'> {
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
  const attributes = useAttributes();
  if (isEmptySelection(current) && !isTooMany) return null;
  const isEveryone = current.kind === 'all';
  // They no longer match after they were changed.
  if (isEveryone && total === 0) return null;
  const stateOf = (action: SelectionAction) =>
    availabilityOf(action, { ...circumstances, isEveryone, attributes });
  const offered = allActions.filter((action) => stateOf(action) !== 'hidden');
  const fitting = isNarrow && offered.length > 1 ? [] : barActions;
  const shown = fitting.filter((action) => offered.includes(action));
  const others = offered.filter((action) => !shown.includes(action));
  return (
    <section className={css.bar} aria-label={copy.bar} data-selection-bar>
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
        {others.length > 0 && (
          <ActionMenu
            label={shown.length > 0 ? '⋯' : copy.actions}
            {...(shown.length > 0 && { 'aria-label': copy.more })}
            actions={others}
            stateOf={stateOf}
            onAction={onAction}
          />
        )}
      </Group>
      <Explanation isTooMany={isTooMany} states={offered.map(stateOf)} />
    </section>
  );
}

interface ActionMenuProps {
  readonly label: string;
  readonly 'aria-label'?: string;
  readonly actions: readonly SelectionAction[];
  readonly stateOf: (action: SelectionAction) => Availability;
  readonly onAction: (action: SelectionAction) => void;
}

function ActionMenu({ label, actions, stateOf, onAction, ...names }: ActionMenuProps) {
  return (
    <Menu position="top-end" shadow="md" width={240} withinPortal={false} returnFocus>
      <Menu.Target>
        <Button variant="default" size="compact-sm" {...names}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action} disabled={stateOf(action) !== 'available'} onClick={() => onAction(action)}>
            {usersListCopy.actions[action]}
            {stateOf(action) === 'oneByOneOnly' && <Text size="xs">{copy.oneByOneOnly(selectedMax)}</Text>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
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
