import { Button, Group, NumberInput, Text } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { formatShare } from '../../copy/format.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import { dependencies } from '../state/dependencies.js';
import type { MissingOptions } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import { type MissingGuard, missingGuard } from './missing-users.js';
import { startCheck } from './run-check.js';

const copy = importCopy.check;

/** Who is missing from the file, and whether so many may be deactivated. */
export function MissingNotice() {
  const state = useImportState();
  const guard = missingGuard(state);
  const spared = state.missing.isOn ? (state.check?.active?.spared ?? 0) : 0;
  return (
    <>
      {guard.kind === 'unreadable' && (
        <Notice color="red" role="alert">
          {copy.unreadableIDs(guard.rows)}
        </Notice>
      )}
      {(guard.kind === 'allowed' || guard.kind === 'tooMany') && <Limit guard={guard} />}
      {state.missing.isOn && state.missing.kept.size > 0 && (
        <Stays text={copy.kept(state.missing.kept.size)} otherwise={{ kept: new Set() }} />
      )}
      {spared > 0 && <Stays text={copy.sparedRoles(spared)} otherwise={{ includesRoles: true }} />}
    </>
  );
}

type Limited = Extract<MissingGuard, { kind: 'allowed' | 'tooMany' }>;

/** The limit is visible and can be raised, but only deliberately. */
function Limit({ guard }: { guard: Limited }) {
  const store = useImportStore();
  const { missing, active, percentMax, percentNeeded } = guard;
  const isTooMany = guard.kind === 'tooMany';
  const share = formatShare(missing, active);
  const setPercent = (percent: number) =>
    store.dispatch({ type: 'missingChanged', missing: { percentMax: percent } });
  return (
    <Notice
      color={isTooMany ? 'red' : 'orange'}
      {...(isTooMany ? { title: copy.tooManyMissingTitle, role: 'alert' as const } : {})}
    >
      <Text size="sm">
        {isTooMany
          ? copy.tooManyMissing(missing, active, share, percentMax)
          : copy.missing(missing, active, share)}
      </Text>
      <Group mt="xs" gap="sm" align="flex-end">
        <NumberInput
          label={copy.percentLabel}
          value={percentMax}
          min={0}
          max={100}
          w={190}
          allowDecimal={false}
          onChange={(value) => typeof value === 'number' && setPercent(value)}
        />
        {isTooMany && (
          <Button variant="default" onClick={() => setPercent(percentNeeded)}>
            {copy.raise(percentNeeded)}
          </Button>
        )}
      </Group>
    </Notice>
  );
}

/** Missing users who stay active, with a way to deactivate them after all. */
function Stays({ text, otherwise }: { text: string; otherwise: Partial<MissingOptions> }) {
  const store = useImportStore();
  const deactivate = () => {
    store.dispatch({ type: 'missingChanged', missing: otherwise });
    void startCheck(store, dependencies);
  };
  return (
    <Group gap="sm">
      <Text size="sm">{text}</Text>
      <Button size="compact-sm" variant="subtle" onClick={deactivate}>
        {copy.keepNobody}
      </Button>
    </Group>
  );
}
