import { Button, Popover } from '@mantine/core';
import { type Ref, useState } from 'react';
import { usersCopy } from '../../copy/users.js';
import { FilterEditor } from './filter-editor.js';
import css from './filters.module.css';
import { addFilter, type FilterKind, filterKinds, initialFilter, type UserFilter } from './user-filters.js';

interface AddFilterProps {
  readonly filters: readonly UserFilter[];
  readonly onChange: (filters: readonly UserFilter[]) => void;
  readonly buttonRef: Ref<HTMLButtonElement>;
}

/** A list of filters to choose from, which makes room for the editor of the chosen one. */
export function AddFilter({ filters, onChange, buttonRef }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState<FilterKind>();
  const toggle = () => {
    setKind(undefined);
    setOpen(!isOpen);
  };
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={260}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button ref={buttonRef} variant="default" onClick={toggle}>
          {usersCopy.filter.add}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p={kind === undefined ? 4 : 'sm'}>
        {kind === undefined ? (
          <FilterMenu onChoose={setKind} />
        ) : (
          <FilterEditor
            initial={initialFilter(kind, filters)}
            onApply={(filter) => {
              setOpen(false);
              onChange(addFilter(filters, filter));
            }}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

function FilterMenu({ onChoose }: { onChoose: (kind: FilterKind) => void }) {
  return filterKinds.map((kind) => (
    <button key={kind} type="button" className={css.menuItem} onClick={() => onChoose(kind)}>
      {usersCopy.filter.kinds[kind]}
    </button>
  ));
}
