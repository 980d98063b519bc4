import styles from './import.module.css';

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
          tabIndex={-1}
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

const kindColors = {
  created: 'green',
  updated: 'blue',
  renamed: 'grape',
  deactivated: 'orange',
  reactivated: 'green',
  planned: 'blue',
  invalid: 'red',
  undone: 'grape',
  unknown: 'orange',
  notSent: 'orange',
} as const;

/** Kinds without a color are shown as plain text: nothing is to be done about them. */
function KindBadge({ kind, text }: { kind: string; text: string }) {
  const color = (kindColors as Readonly<Record<string, string>>)[kind];
  return color === undefined ? text : <RowBadge color={color} text={text} />;
}

function RowBadge({ color, text }: { color: string; text: string }) {
  return (
    <span className={styles.rowBadge} style={{ color: `var(--import-${color})` }}>
      {text}
    </span>
  );
}
