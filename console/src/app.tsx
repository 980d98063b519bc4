import { Center, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { Problem } from './parts/problem.js';
import { SessionGate } from './session/session-gate.js';
import { Shell } from './shell.js';
import { texts } from './texts/index.js';

// Each page is loaded when it is opened, so that the first one is there sooner.
const PeoplePage = lazy(async () => ({ default: (await import('./people/people-page.js')).PeoplePage }));
const PersonPage = lazy(async () => ({ default: (await import('./person/person-page.js')).PersonPage }));
const CreatePage = lazy(async () => ({ default: (await import('./create/create-page.js')).CreatePage }));
const BulkPage = lazy(async () => ({ default: (await import('./bulk/bulk-page.js')).BulkPage }));
const ActivityPage = lazy(async () => ({
  default: (await import('./activity/activity-page.js')).ActivityPage,
}));
const AccountPage = lazy(async () => ({ default: (await import('./session/account-page.js')).AccountPage }));

export function App() {
  return (
    <SessionGate>
      <Shell>
        <Suspense fallback={<PageLoading />}>
          <Switch>
            <Route path="/">
              <Redirect to="/people" replace />
            </Route>
            <Route path="/people" component={PeoplePage} />
            <Route path="/people/new" component={CreatePage} />
            <Route path="/people/:serial">
              {({ serial }) => <PersonPage key={serial} serial={serial} />}
            </Route>
            <Route path="/bulk/:kind">
              {({ kind }) => <BulkPage key={kind} kind={kind === 'create' ? 'create' : 'update'} />}
            </Route>
            <Route path="/activity/*?" component={ActivityPage} />
            <Route path="/account" component={AccountPage} />
            <Route>
              <Problem title={texts.common.noSuchPage} />
            </Route>
          </Switch>
        </Suspense>
      </Shell>
    </SessionGate>
  );
}

function PageLoading() {
  return (
    <Center mih={200}>
      <Loader aria-label={texts.common.loading} />
    </Center>
  );
}
