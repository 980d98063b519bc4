import { Button, type ButtonProps } from '@mantine/core';
import { type Ref, useState } from 'react';
import { usersCopy } from '../../copy/copy.js';
import { FilterEditor } from './filter-editor.js';
import { FilterPopover } from './filter-popover.js';
import css from './filters.module.css';
import { addFilter, type FilterKind, filterKinds, initialFilter, type UserFilter } from './user-filters.js';

interface AddFilterProps extends Pick<ButtonProps, 'px'> {
  readonly filters: readonly UserFilter[];
  readonly onChange: (filters: readonly UserFilter[]) => void;
  readonly buttonRef: Ref<HTMLButtonElement>;
}

/** A list of filters to choose from, which makes room for the editor of the chosen one. */
export function AddFilter({ filters, onChange, buttonRef, ...layout }: AddFilterProps) {
  const [isOpen, setOpen] = useState(false);
  const [kind, setKind] = useState<FilterKind>();
  const toggle = () => {
    setKind(undefined);
    setOpen(!isOpen);
  };
  return (
    <FilterPopover
      isOpen={isOpen}
      onOpenChange={setOpen}
      padding={kind === undefined ? 4 : 'sm'}
      button={
        <Button ref={buttonRef} variant="default" onClick={toggle} {...layout}>
          {usersCopy.filter.add}
        </Button>
      }
    >
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
    </FilterPopover>
  );
}

function FilterMenu({ onChoose }: { onChoose: (kind: FilterKind) => void }) {
  return filterKinds.map((kind) => (
    <button key={kind} type="button" className={css.menuItem} onClick={() => onChoose(kind)}>
      {usersCopy.filter.kinds[kind]}
    </button>
  ));
}
