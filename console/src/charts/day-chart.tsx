import { useElementSize } from '@mantine/hooks';
import { useId } from 'react';
import { homeCopy as copy } from '../copy/copy.js';
import { formatCompactNumber, formatDay, formatNumber, formatShortDay } from '../copy/format.js';
import styles from './chart.module.css';
import {
  type Axis,
  areaPath,
  axisTicks,
  type ChartColor,
  cssColor,
  type LimitSeries,
  labelledDays,
  largestLimit,
  largestSum,
  linePath,
  type Mark,
  type Series,
  stacked,
} from './series.js';
import { useDayCursor } from './use-day-cursor.js';

interface DayChartProps {
  readonly shape: 'area' | 'bars';
  readonly days: readonly string[];
  readonly series: readonly Series[];
  /** What the sum of a day is compared with. */
  readonly limits?: readonly LimitSeries[] | undefined;
  /** What the chart shows, for those who can't see it. */
  readonly summary: string;
  /** What to do when a day is clicked, or chosen with Enter. */
  readonly onOpenDay?: ((day: string) => void) | undefined;
  /** What to call the days, if they are something else. */
  readonly axis?: Axis | undefined;
  readonly mark?: Mark | undefined;
}

export const dayAxis: Axis = {
  name: copy.chart.day,
  title: formatDay,
  label: formatShortDay,
  keysAndOpen: copy.chart.keysAndOpen,
};

const height = 220;
const margin = { top: 10, right: 10, bottom: 26, left: 44 };

/** Values per day, on top of each other. Arrow keys move from day to day. */
export function DayChart(props: DayChartProps) {
  const { shape, days, series, limits = [], summary, onOpenDay, axis = dayAxis, mark } = props;
  const { ref, width: measured } = useElementSize<HTMLDivElement>();
  const hintId = useId();
  const width = measured || 560;
  const plot = { width: width - margin.left - margin.right, height: height - margin.top - margin.bottom };
  const ticks = axisTicks(Math.max(largestSum(series), largestLimit(limits)));
  const slot = plot.width / Math.max(days.length, 1);
  const x = (day: number) =>
    margin.left +
    (shape === 'bars' || days.length < 2 ? (day + 0.5) * slot : (day * plot.width) / (days.length - 1));
  const y = (value: number) => margin.top + plot.height * (1 - value / (ticks.at(-1) ?? 1));
  const open = onOpenDay && ((day: number) => onOpenDay(days[day] ?? ''));
  const cursor = useDayCursor(days.length, open);
  const markWidth = Math.min(slot, 56);
  const marked = mark ? days.indexOf(mark.place) : -1;
  const barWidth = Math.max(Math.min(slot * 0.7, 36), 1);
  return (
    <div ref={ref} className={styles.chart}>
      <svg
        role="img"
        aria-label={summary}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys show the values of each day
        tabIndex={0}
        width={width}
        height={height}
        onKeyDown={cursor.onKeyDown}
        onFocus={() => cursor.day === undefined && cursor.point(days.length - 1)}
        onBlur={() => cursor.point(undefined)}
        onPointerLeave={() => cursor.point(undefined)}
        onPointerMove={({ clientX, currentTarget }) =>
          cursor.point(dayAt(clientX - currentTarget.getBoundingClientRect().left))
        }
        onClick={() => cursor.day !== undefined && open?.(cursor.day)}
        style={open ? { cursor: 'pointer' } : undefined}
      >
        <g aria-hidden>
          {ticks.map((tick) => (
            <g key={tick}>
              <line
                className={styles.grid}
                x1={margin.left}
                x2={width - margin.right}
                y1={y(tick)}
                y2={y(tick)}
              />
              <text
                className={styles.label}
                x={margin.left - 8}
                y={y(tick)}
                textAnchor="end"
                dominantBaseline="middle"
              >
                {formatCompactNumber(tick)}
              </text>
            </g>
          ))}
          {labelledDays(days.length, plot.width).map((day) => (
            <text
              key={days[day]}
              className={styles.label}
              x={day === days.length - 1 ? width - margin.right : x(day)}
              y={height - 6}
              textAnchor={day === days.length - 1 ? 'end' : 'middle'}
            >
              {axis.label(days[day] ?? '')}
            </text>
          ))}
          {marked >= 0 && (
            <rect
              className={styles.mark}
              x={x(marked) - markWidth / 2}
              y={margin.top}
              width={markWidth}
              height={plot.height}
            />
          )}
          {cursor.day !== undefined && (
            <rect
              className={styles.cursor}
              x={x(cursor.day) - (shape === 'bars' ? slot / 2 : 1)}
              y={margin.top}
              width={shape === 'bars' ? slot : 2}
              height={plot.height}
            />
          )}
          {shape === 'area' ? (
            <Areas series={series} x={x} y={y} />
          ) : (
            <Bars series={series} x={x} y={y} width={barWidth} />
          )}
          <Limits limits={limits} x={x} y={y} width={slot} />
        </g>
      </svg>
      <p id={hintId} hidden>
        {open ? axis.keysAndOpen : copy.chart.keys}
      </p>
      {cursor.day !== undefined && (
        <ChartTooltip
          title={axis.title(days[cursor.day] ?? '')}
          note={mark && mark.place === days[cursor.day] ? mark.label : undefined}
          values={[
            ...series.map(({ values, ...about }) => ({ ...about, value: values[cursor.day ?? 0] ?? 0 })),
            ...limits.flatMap(({ values, ...about }) => {
              const value = values[cursor.day ?? 0] ?? null;
              return value === null ? [] : [{ ...about, value }];
            }),
          ]}
          left={x(cursor.day)}
          width={width}
        />
      )}
    </div>
  );

  function dayAt(left: number): number {
    const place = (left - margin.left) / plot.width;
    const day = shape === 'bars' ? Math.floor(place * days.length) : Math.round(place * (days.length - 1));
    return Math.min(Math.max(day, 0), days.length - 1);
  }
}

interface ChartTooltipProps {
  readonly title: string;
  readonly note: string | undefined;
  readonly values: readonly { readonly label: string; readonly color: ChartColor; readonly value: number }[];
  readonly left: number;
  /** Of the chart, which the tooltip stays within. */
  readonly width: number;
}

/** The values of one day. Read aloud as the keyboard moves from day to day. */
function ChartTooltip({ title, note, values, left, width }: ChartTooltipProps) {
  const isLeft = left > width / 2;
  return (
    <div
      role="status"
      className={styles.tooltip}
      style={isLeft ? { right: width - left + 12 } : { left: left + 12 }}
    >
      <strong>{title}</strong>
      {note !== undefined && <div>{note}</div>}
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

interface LayersProps {
  readonly series: readonly Series[];
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
}

/** Each series as an area on top of the one before. */
function Areas({ series, x, y }: LayersProps) {
  const layers = stacked(series);
  return series.map(({ key, color }, index) => {
    const layer = layers[index];
    return (
      layer && (
        <g key={key}>
          <path d={areaPath(layer, x, y)} fill={cssColor(color)} opacity={0.18} />
          <path d={linePath(layer, x, y)} fill="none" stroke={cssColor(color)} strokeWidth={2} />
        </g>
      )
    );
  });
}

/** The same as bars, with a gap of one pixel between series. */
function Bars({ series, x, y, width }: LayersProps & { readonly width: number }) {
  const layers = stacked(series);
  return series.map(({ key, color }, index) => (
    <g key={key} fill={cssColor(color)}>
      {layers[index]?.spans.map(([from, to], day) =>
        to === from ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: bars are where their days are
            key={day}
            x={x(day) - width / 2}
            y={y(to)}
            width={width}
            height={Math.max(y(from) - y(to) - 1, 1)}
            rx={Math.min(width / 4, 2)}
          />
        ),
      )}
    </g>
  ));
}

interface LimitsProps extends Omit<LayersProps, 'series'> {
  readonly limits: readonly LimitSeries[];
  /** Of a day. */
  readonly width: number;
}

/** Each limit as dashes, as wide as its day. */
function Limits({ limits, x, y, width }: LimitsProps) {
  return limits.map(({ key, color, values }) => (
    <g key={key} stroke={cssColor(color)} className={styles.limit}>
      {values.map((value, day) =>
        value === null ? null : (
          <line
            // biome-ignore lint/suspicious/noArrayIndexKey: limits are where their days are
            key={day}
            x1={x(day) - width / 2}
            x2={x(day) + width / 2}
            y1={y(value)}
            y2={y(value)}
          />
        ),
      )}
    </g>
  ));
}
