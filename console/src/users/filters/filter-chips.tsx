import { Button, type ButtonProps, CloseButton, Divider, Popover } from '@mantine/core';
import {
  lazy,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { AttributeName } from '../../components/attribute-name.js';
import { useAttributes } from '../../components/attributes.js';
import { usersCopy } from '../../copy/copy.js';
import { filterText } from './filter-text.js';
import css from './filters.module.css';
import { type FilterNames, useFilterNames } from './use-filter-names.js';
import {
  addFilter,
  filterId,
  filterKinds,
  initialAttributeFilter,
  initialFilter,
  isSameFilter,
  removeFilter,
  replaceFilter,
  type UserFilter,
} from './user-filters.js';

const loadEditor = () => import('./filter-editor.js');
const FilterEditor = lazy(async () => ({ default: (await loadEditor()).FilterEditor }));

/** Loaded before it is opened, so that nothing typed into it is lost. */
function useFilterEditor(isNear: boolean): void {
  useEffect(() => {
    if (isNear) void loadEditor().catch(() => {});
  }, [isNear]);
}

interface FilterChipsProps {
  readonly filters: readonly UserFilter[];
  readonly onChange: (filters: readonly UserFilter[]) => void;
  readonly onClear: () => void;
  /** Gets the focus when the last chip is removed. */
  readonly fallbackFocus: RefObject<HTMLElement | null>;
}

export function FilterChips({ filters, onChange, onClear, fallbackFocus }: FilterChipsProps) {
  const names = useFilterNames(filters);
  const list = useRef<HTMLUListElement>(null);
  useFilterEditor(filters.length > 0);
  // A chip that is removed or replaced would take the focus with it.
  const focusNext = useRef<(() => HTMLElement | null | undefined) | undefined>(undefined);
  useEffect(() => {
    const target = focusNext.current;
    focusNext.current = undefined;
    if (target) (target() ?? fallbackFocus.current)?.focus();
  });
  const remove = (index: number, filter: UserFilter) => {
    focusNext.current = () => {
      const buttons = list.current?.querySelectorAll<HTMLElement>('[data-remove]') ?? [];
      return buttons[Math.min(index, buttons.length - 1)];
    };
    onChange(removeFilter(filters, filter));
  };
  const replace = (before: UserFilter, after: UserFilter) => {
    if (isSameFilter(before, after)) return;
    focusNext.current = () => list.current?.querySelector<HTMLElement>(`[data-edit="${filterId(after)}"]`);
    onChange(replaceFilter(filters, before, after));
  };
  if (filters.length === 0) return null;
  return (
    <ul ref={list} className={css.chips} aria-label={usersCopy.filter.active}>
      {filters.map((filter, index) => (
        <FilterChip
          key={filterId(filter)}
          filter={filter}
          names={names}
          onRemove={() => remove(index, filter)}
          onReplace={(after) => replace(filter, after)}
        />
      ))}
      <li>
        <Button variant="subtle" size="compact-sm" onClick={onClear}>
          {usersCopy.filter.clearAll}
        </Button>
      </li>
    </ul>
  );
}

interface FilterChipProps {
  readonly filter: UserFilter;
  readonly names: FilterNames;
  readonly onRemove: () => void;
  readonly onReplace: (filter: UserFilter) => void;
}

function FilterChip({ filter, names, onRemove, onReplace }: FilterChipProps) {
  const [isOpen, setOpen] = useState(false);
  const text = filterText(filter, { names });
  return (
    <li className={css.chip}>
      <FilterPopover
        isOpen={isOpen}
        onOpenChange={setOpen}
        button={
          <button
            type="button"
            className={css.edit}
            title={text}
            data-edit={filterId(filter)}
            onClick={() => setOpen(!isOpen)}
          >
            {text}
          </button>
        }
      >
        <FilterEditor
          initial={filter}
          onApply={(after) => {
            setOpen(false);
            onReplace(after);
          }}
        />
      </FilterPopover>
      <CloseButton size={24} data-remove aria-label={usersCopy.filter.remove(text)} onClick={onRemove} />
    </li>
  );
}

interface AddFilterProps extends Pick<ButtonProps, 'px'> {
  readonly filters: readonly UserFilter[];
  readonly onChange: (filters: readonly UserFilter[]) => void;
  readonly buttonRef: Ref<HTMLButtonElement>;
}

/** A list of filters to choose from, which makes room for the editor of the chosen one. */
export function AddFilter({ filters, onChange, buttonRef, ...layout }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [chosen, setChosen] = useState<UserFilter>();
  useFilterEditor(isOpen);
  const toggle = () => {
    setChosen(undefined);
    setOpen(!isOpen);
  };
  return (
    <FilterPopover
      isOpen={isOpen}
      onOpenChange={setOpen}
      padding={chosen === undefined ? 4 : 'sm'}
      button={
        <Button ref={buttonRef} variant="default" onClick={toggle} {...layout}>
          {usersCopy.filter.add}
        </Button>
      }
    >
      {chosen === undefined ? (
        <FilterMenu filters={filters} onChoose={setChosen} />
      ) : (
        <FilterEditor
          initial={chosen}
          onApply={(filter) => {
            setOpen(false);
            onChange(addFilter(filters, filter));
          }}
        />
      )}
    </FilterPopover>
  );
}

interface FilterMenuProps {
  readonly filters: readonly UserFilter[];
  readonly onChoose: (initial: UserFilter) => void;
}

function FilterMenu({ filters, onChoose }: FilterMenuProps) {
  const attributes = useAttributes().filter(({ isFilterable }) => isFilterable);
  return (
    <div className={css.menu}>
      {filterKinds.map((kind) => (
        <MenuItem key={kind} onClick={() => onChoose(initialFilter(kind, filters))}>
          {usersCopy.filter.kinds[kind]}
        </MenuItem>
      ))}
      {attributes.length > 0 && <Divider my={4} />}
      {attributes.map((attribute) => (
        <MenuItem key={attribute.key} onClick={() => onChoose(initialAttributeFilter(attribute, filters))}>
          <AttributeName attribute={attribute} />
        </MenuItem>
      ))}
    </div>
  );
}

function MenuItem({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={css.menuItem} onClick={onClick}>
      {children}
    </button>
  );
}

interface FilterPopoverProps {
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  /** Opens and closes the popover. */
  readonly button: ReactElement;
  readonly padding?: number | string;
  readonly children: ReactNode;
}

const width = 260;

function FilterPopover({ isOpen, onOpenChange, button, padding = 'sm', children }: FilterPopoverProps) {
  return (
    <Popover
      opened={isOpen}
      onChange={onOpenChange}
      position="bottom-start"
      width={width}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown p={padding}>
        <Suspense>{children}</Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
