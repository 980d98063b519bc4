import { useEffect } from 'react';
import { useSearchParams } from 'wouter';
import { PageTitle } from '../parts/page-title.js';
import { Problem } from '../parts/problem.js';
import { useMay, useMe, useSession } from '../session/session.js';
import { texts } from '../texts/index.js';
import { goOnChecking } from './check.js';
import { CheckStep } from './check-step.js';
import { ColumnsStep } from './columns-step.js';
import { FileStep } from './file-step.js';
import { LeaveGuard } from './leave-guard.js';
import { useNews } from './news.js';
import { ResultStep } from './result-step.js';
import { goOn } from './run.js';
import { RunStep } from './run-step.js';
import type { BulkKind } from './service-calls.js';
import { StepsBar } from './steps-bar.js';
import { tools } from './tools.js';
import { isRunning, type Step, stepOf, type Wizard } from './wizard.js';
import { wizardOf } from './wizards.js';

/** Changes many people, or creates them, from a file. */
export function BulkPage({ kind }: { kind: BulkKind }) {
  const mayWrite = useMay('users:write');
  const { serial } = useMe();
  return (
    <>
      <PageTitle title={texts.bulk.title[kind]} />
      {mayWrite ? <Steps wizard={wizardOf(kind, serial)} /> : <Problem title={texts.common.notAllowed} />}
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
