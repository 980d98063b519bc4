import { Box, Burger } from '@mantine/core';
import { useApprovals } from '../components/use-approvals.js';
import { commonCopy, plannedCopy } from '../copy/copy.js';
import styles from './navigation.module.css';

/** Opens the navigation on small screens. A dot says that something in it awaits approval. */
export function MenuButton({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) {
  const { toDecide = 0 } = useApprovals() ?? {};
  const label = toDecide === 0 ? commonCopy.menu : `${commonCopy.menu}. ${plannedCopy.toDecide(toDecide)}`;
  return (
    <Box className={styles.burger ?? ''} hiddenFrom="sm">
      <Burger opened={isOpen} onClick={onToggle} size="sm" aria-label={label} />
      {toDecide > 0 && !isOpen && <span className={styles.dot} />}
    </Box>
  );
}
