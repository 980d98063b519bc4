import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { bulkCopy } from '../copy/bulk.js';
import { commonCopy } from '../copy/common.js';
import { useCurrentUser, usePermission, useSession } from '../session/session.js';
import { goOnChecking } from './check/check.js';
import { CheckStep } from './check/check-step.js';
import { ColumnsStep } from './columns/columns-step.js';
import { FileStep } from './file/file-step.js';
import { LeaveGuard } from './leave-guard.js';
import { ResultStep } from './result/result-step.js';
import { goOn } from './run/run.js';
import { RunStep } from './run/run-step.js';
import { tools } from './state/dependencies.js';
import { useNews } from './state/news.js';
import type { BulkKind } from './state/service-calls.js';
import { isRunning, type Step, stepOf, type Wizard } from './state/wizard.js';
import { wizardOf } from './state/wizards.js';
import { StepsBar } from './steps-bar.js';

/** Changes many people, or creates them, from a file. */
export function BulkPage({ kind }: { kind: BulkKind }) {
  const mayWrite = usePermission('users:write');
  const { serial } = useCurrentUser();
  return (
    <>
      <PageTitle title={bulkCopy.title[kind]} />
      {mayWrite ? <Steps wizard={wizardOf(kind, serial)} /> : <Problem title={commonCopy.notAllowed} />}
    </>
  );
}

export interface StepProps {
  readonly wizard: Wizard;
  readonly onGo: (step: Step) => void;
}

const views = { file: FileStep, columns: ColumnsStep, check: CheckStep, run: RunStep, result: ResultStep };

function Steps({ wizard }: { wizard: Wizard }) {
  useNews(wizard.news);
  const [search, setSearch] = useSearchParams();
  useGoOnWhenSignedIn(wizard);
  const step = stepOf(wizard, search.get('step'));
  const go = (next: Step) => setSearch({ step: next });
  const View = views[step];
  return (
    <>
      <StepsBar wizard={wizard} now={step} onGo={go} />
      <View wizard={wizard} onGo={go} />
      <LeaveGuard isOn={isRunning(wizard)} />
    </>
  );
}

/** What a session that ended has held up goes on by itself with the next one. */
function useGoOnWhenSignedIn(wizard: Wizard): void {
  const session = useSession();
  const token = session.kind === 'active' ? session.session.token : undefined;
  const isHeldUp = wizard.run?.pause?.why === 'session' || wizard.check?.state === 'session';
  useEffect(() => {
    if (token === undefined || !isHeldUp) return;
    if (wizard.run?.pause?.why === 'session') void goOn(wizard, tools);
    if (wizard.check?.state === 'session') void goOnChecking(wizard, tools);
  }, [token, isHeldUp, wizard]);
}
