import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { LeaveGuard } from '../components/leave-guard.js';
import { NotAllowed } from '../components/not-allowed.js';
import { PageTitle } from '../components/page-title.js';
import { bulkCopy } from '../copy/copy.js';
import { useCurrentUser, usePermission, useSession } from '../session/session.js';
import { CheckStep } from './check/check-step.js';
import { resumeCheck } from './check/run-check.js';
import { ColumnsStep } from './columns/columns-step.js';
import { FileStep } from './file/file-step.js';
import { ResultStep } from './result/result-step.js';
import { RunStep } from './run/run-step.js';
import { resumeRun } from './run/send-calls.js';
import { dependencies } from './state/dependencies.js';
import type { BulkKind } from './state/service-calls.js';
import { currentStep, isRunning, type Step } from './state/state.js';
import { BulkStoreProvider, bulkStoreFor, useBulkState, useBulkStore } from './state/store.js';
import { StepsBar } from './steps-bar.js';

export function BulkPage({ kind }: { kind: BulkKind }) {
  const mayWrite = usePermission('users:write');
  const { serial } = useCurrentUser();
  return (
    <>
      <PageTitle title={bulkCopy.title[kind]} />
      {mayWrite ? (
        <BulkStoreProvider value={bulkStoreFor(kind, serial)}>
          <Steps />
        </BulkStoreProvider>
      ) : (
        <NotAllowed />
      )}
    </>
  );
}

const views = { file: FileStep, columns: ColumnsStep, check: CheckStep, run: RunStep, result: ResultStep };

function Steps() {
  const state = useBulkState();
  const [search, setSearch] = useSearchParams();
  useResumeAfterSignIn();
  const step = currentStep(state, search.get('step'));
  const goTo = (next: Step) => setSearch({ step: next });
  const View = views[step];
  return (
    <>
      <StepsBar current={step} goTo={goTo} />
      <View goTo={goTo} />
      <LeaveGuard isOn={isRunning(state)} {...bulkCopy.run.leaving} />
    </>
  );
}

/** A new session resumes what the expired one interrupted. */
function useResumeAfterSignIn(): void {
  const store = useBulkStore();
  const { run, check } = useBulkState();
  const session = useSession();
  const token = session.kind === 'active' ? session.session.token : undefined;
  const isRunInterrupted = run?.pause?.why === 'session';
  const isCheckInterrupted = check?.state === 'session';
  useEffect(() => {
    if (token === undefined) return;
    if (isRunInterrupted) void resumeRun(store, dependencies);
    if (isCheckInterrupted) void resumeCheck(store, dependencies);
  }, [token, isRunInterrupted, isCheckInterrupted, store]);
}
