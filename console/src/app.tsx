import { Center, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { SessionGate } from './account/session-gate.js';
import { Problem } from './components/problem.js';
import { commonCopy } from './copy/common.js';
import { Shell } from './shell.js';

// Each page is loaded when it is opened, so that the first one is there sooner.
const PeoplePage = lazy(async () => ({ default: (await import('./users/list/users-page.js')).UsersPage }));
const PersonPage = lazy(async () => ({ default: (await import('./users/detail/user-page.js')).UserPage }));
const CreatePage = lazy(async () => ({
  default: (await import('./users/create/create-page.js')).CreatePage,
}));
const BulkPage = lazy(async () => ({ default: (await import('./bulk/bulk-page.js')).BulkPage }));
const ActivityPage = lazy(async () => ({
  default: (await import('./activity/activity-page.js')).ActivityPage,
}));
const AccountPage = lazy(async () => ({ default: (await import('./account/account-page.js')).AccountPage }));

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
              <Problem title={commonCopy.noSuchPage} />
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
      <Loader aria-label={commonCopy.loading} />
    </Center>
  );
}
