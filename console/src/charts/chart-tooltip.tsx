import { formatDay, formatNumber } from '../copy/format.js';
import styles from './chart.module.css';
import { type ChartColor, cssColor } from './series.js';

interface ChartTooltipProps {
  readonly day: string;
  readonly values: readonly { readonly label: string; readonly color: ChartColor; readonly value: number }[];
  readonly left: number;
  /** Of the chart, which the tooltip stays within. */
  readonly width: number;
}

/** The values of one day. Read aloud as the keyboard moves from day to day. */
export function ChartTooltip({ day, values, left, width }: ChartTooltipProps) {
  const isLeft = left > width / 2;
  return (
    <div
      role="status"
      className={styles.tooltip}
      style={isLeft ? { right: width - left + 12 } : { left: left + 12 }}
    >
      <strong>{formatDay(day)}</strong>
      {values.map(({ label, color, value }) => (
        <div key={label} className={styles.tooltipRow}>
          <span className={styles.swatch} style={{ background: cssColor(color) }} aria-hidden />
          <span>{label}</span>
          <span className={styles.tooltipValue}>{formatNumber(value)}</span>
        </div>
      ))}
    </div>
  );
}
