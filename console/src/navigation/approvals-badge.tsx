import { VisuallyHidden } from '@mantine/core';
import { homeCopy, plannedCopy } from '../copy/copy.js';
import styles from './navigation.module.css';

interface ApprovalsBadgeProps {
  readonly count: number;
  readonly isMore: boolean;
}

/** How many calls await the approval of the user. */
export function ApprovalsBadge({ count, isMore }: ApprovalsBadgeProps) {
  return (
    <span className={styles.badge}>
      <span aria-hidden>{homeCopy.attention.count(count, isMore)}</span>
      <VisuallyHidden>{plannedCopy.toDecide(count)}</VisuallyHidden>
    </span>
  );
}
