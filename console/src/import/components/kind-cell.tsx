import styles from './import.module.css';
import { KindBadge } from './kind-badge.js';

interface KindCellProps {
  readonly kind: string;
  readonly text: string;
  /** Undefined if there are no details. */
  readonly details: { readonly label: string; readonly isOpen: boolean; onToggle(): void } | undefined;
}

/** What happens to a row, with a button for the details. */
export function KindCell({ kind, text, details }: KindCellProps) {
  return (
    <span className={styles.kind}>
      {details ? (
        <button
          type="button"
          className={styles.toggle}
          aria-label={details.label}
          aria-expanded={details.isOpen}
          onClick={details.onToggle}
        >
          <span aria-hidden className={styles.chevron} data-open={details.isOpen || undefined}>
            ›
          </span>
        </button>
      ) : (
        <span className={styles.noChevron} />
      )}
      <KindBadge kind={kind} text={text} />
    </span>
  );
}
