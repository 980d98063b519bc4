import { areaPath, linePath, stacked } from './scale.js';
import { cssColor, type Series } from './series.js';

interface LayersProps {
  readonly series: readonly Series[];
  readonly x: (day: number) => number;
  readonly y: (value: number) => number;
}

/** Each series as an area on top of the one before. */
export function Areas({ series, x, y }: LayersProps) {
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
export function Bars({ series, x, y, width }: LayersProps & { readonly width: number }) {
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
