import { commonCopy } from '../copy/copy.js';
import css from './status-label.module.css';

/** Whether a user is active, in words and with a dot. */
export function StatusLabel({ isActive }: { isActive: boolean }) {
  return (
    <span className={css.status} data-active={isActive}>
      {isActive ? commonCopy.active : commonCopy.inactive}
    </span>
  );
}
