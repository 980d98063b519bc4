import styles from './import.module.css';

export function RowBadge({ color, text }: { color: string; text: string }) {
  return (
    <span className={styles.rowBadge} style={{ color: `var(--import-${color})` }}>
      {text}
    </span>
  );
}
