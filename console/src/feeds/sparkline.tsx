import { VisuallyHidden } from '@mantine/core';
import type { Feed } from '../components/feeds.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import styles from './feeds.module.css';

const width = 120;
const height = 28;
const runsMax = 30;
/** Their changes were not made, or not kept. */
const withoutEffect: ReadonlySet<string> = new Set(['cancelled', 'superseded', 'undone']);

/** The changes of each of the last runs as a bar, the newest on the right. */
export function Sparkline({ runs }: { runs: Feed['recentRuns'] }) {
  const shown = runs.filter(({ state }) => !withoutEffect.has(state)).slice(-runsMax);
  const most = Math.max(1, ...shown.map(({ changes }) => changes));
  const slot = width / runsMax;
  const last = shown.at(-1);
  if (!last) return null;
  return (
    <>
      <svg
        className={styles.sparkline}
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        aria-hidden
      >
        <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} />
        {shown.map(({ id, changes, state }, at) => {
          const length = changes === 0 ? 0 : Math.max((changes / most) * (height - 2), 2);
          return (
            <rect
              key={id}
              className={state === 'failed' || state === 'stopped' ? styles.failedBar : undefined}
              x={width - (shown.length - at) * slot + 0.5}
              y={height - 1 - length}
              width={slot - 1}
              height={length}
            />
          );
        })}
      </svg>
      <VisuallyHidden>{feedsCopy.changesTrend(shown.length, last.changes)}</VisuallyHidden>
    </>
  );
}
