import { Kbd, UnstyledButton } from '@mantine/core';
import { Icon } from '../components/icon.js';
import { navigationCopy } from '../copy/copy.js';
import { isApple } from './apple.js';
import styles from './navigation.module.css';

const copy = navigationCopy.search;

/** Opens the command palette. */
export function HeaderSearch({ onOpen }: { onOpen: () => void }) {
  return (
    <UnstyledButton className={styles.search} onClick={onOpen} aria-keyshortcuts="Control+K Meta+K">
      <Icon name="search" size={16} />
      <span className={styles.searchText}>{copy.open}</span>
      <Kbd className={styles.searchKeys} size="xs" aria-hidden>
        {copy.keys(isApple)}
      </Kbd>
    </UnstyledButton>
  );
}
