import { UnstyledButton } from '@mantine/core';
import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { NotAllowed } from '../components/empty-state.js';
import { LeaveGuard } from '../components/leave-guard.js';
import { PageTitle } from '../components/page-title.js';
import { importCopy } from '../copy/on-demand-copy.js';
import { useCurrentUser, usePermission, useSession } from '../session/session.js';
import { CheckStep } from './check/check-step.js';
import { resumeCheck } from './check/run-check.js';
import { ColumnsStep } from './columns/columns-step.js';
import styles from './components/import.module.css';
import type { StepProps } from './components/step-heading.js';
import { FileStep } from './file/file-step.js';
import { NamesStep } from './names-step.js';
import { ResultStep } from './result/result-step.js';
import { RunStep } from './run/run-step.js';
import { resumeRun } from './run/send-calls.js';
import { keepImport } from './saved/keep-import.js';
import { RestoredNotice } from './saved/restored-notice.js';
import { dependencies } from './state/dependencies.js';
import { currentStep, isRunning, type Run, type Step, steps } from './state/state.js';
import {
  ImportStoreProvider,
  importStoreOf,
  isReloadLossy,
  useImportState,
  useImportStore,
} from './state/store.js';

export function ImportPage() {
  const mayWrite = usePermission('users:write');
  const { serial } = useCurrentUser();
  if (!mayWrite) {
    return (
      <>
        <PageTitle title={importCopy.title} />
        <NotAllowed />
      </>
    );
  }
  return (
    <ImportStoreProvider value={importStoreOf(serial)}>
      <Steps />
    </ImportStoreProvider>
  );
}

const views = {
  ...{ file: FileStep, columns: ColumnsStep, names: NamesStep },
  ...{ check: CheckStep, run: RunStep, result: ResultStep },
};

function Steps() {
  const store = useImportStore();
  const { serial } = useCurrentUser();
  const state = useImportState();
  const [search, setSearch] = useSearchParams();
  useResumeAfterSignIn();
  useAskBeforeReload();
  useEffect(() => void keepImport(store, serial, dependencies), [store, serial]);
  const step = currentStep(state, search.get('step'));
  const goTo = (next: Step) => setSearch({ step: next });
  const View = views[step];
  const section = sectionOf(state.run, step);
  return (
    <>
      <PageTitle title={importCopy.title} part={section} />
      <StepsBar current={step} goTo={goTo} />
      {step !== 'file' && <RestoredNotice onDiscarded={() => goTo('file')} />}
      <View goTo={goTo} />
      <LeaveGuard isOn={isRunning(state)} {...importCopy.run.leaving} />
    </>
  );
}

/** Says in the title of the tab how far a run is, for users who look at another tab meanwhile. */
function sectionOf(run: Run | undefined, step: Step): string | undefined {
  const copy = importCopy.section;
  if (!run || (step !== 'run' && step !== 'result')) return undefined;
  if (run.state === 'ended') return copy.done;
  if (run.state === 'paused') return copy.paused;
  const sent = run.succeeded + run.failed + run.planned;
  return copy.running(run.all === 0 ? 100 : Math.floor((sent / run.all) * 100));
}

/** A new session resumes what the expired one interrupted. */
function useResumeAfterSignIn(): void {
  const store = useImportStore();
  const { run, check } = useImportState();
  const session = useSession();
  const current = session.kind === 'active' ? session.session.id : undefined;
  const isRunInterrupted = run?.pause?.why === 'session';
  const isCheckInterrupted = check?.state === 'session';
  useEffect(() => {
    if (current === undefined) return;
    if (isRunInterrupted) void resumeRun(store, dependencies);
    if (isCheckInterrupted) void resumeCheck(store, dependencies);
  }, [current, isRunInterrupted, isCheckInterrupted, store]);
}

/** Earlier steps are links, unless a run is in progress. */
function StepsBar({ current, goTo }: StepProps & { readonly current: Step }) {
  const state = useImportState();
  const isReachable = (step: Step) =>
    step !== current && step !== 'run' && !isRunning(state) && currentStep(state, step) === step;
  return (
    <nav aria-label={importCopy.stepsLabel}>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <li key={step} aria-current={step === current ? 'step' : undefined}>
            {isReachable(step) ? (
              <UnstyledButton className={styles.step} onClick={() => goTo(step)}>
                <Label step={step} number={index + 1} />
              </UnstyledButton>
            ) : (
              <span className={styles.step} data-now={step === current || undefined}>
                <Label step={step} number={index + 1} />
              </span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Label({ step, number }: { step: Step; number: number }) {
  return (
    <>
      <span className={styles.badge} aria-hidden>
        {number}
      </span>
      {importCopy.steps[step]}
    </>
  );
}

/** The browser asks before it reloads or closes a page that runs an import, or whose edits it can't keep. */
function useAskBeforeReload(): void {
  const state = useImportState();
  const store = useImportStore();
  const mayBeLossy = isRunning(state) || state.unsentEdits.size > 0;
  useEffect(() => {
    if (!mayBeLossy) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (isReloadLossy(store.getState())) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [mayBeLossy, store]);
}
