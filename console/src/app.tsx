import { Center, Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Route, Switch } from 'wouter';
import { SessionGate } from './account/session-gate.js';
import { PageNotFound } from './components/empty-state.js';
import { PageBoundary } from './components/page-boundary.js';
import { commonCopy } from './copy/copy.js';
import { loadAccountCopy, loadOnDemandCopy } from './copy/load-copy.js';
import { getSession, useCurrentUser } from './session/session.js';

// Loaded on demand, to keep the first page small.
const loadShell = () => import('./shell.js');
const loadHome = () => import('./home/home-page.js');
const loadUsers = () => import('./users/list/users-page.js');

// The page at the same time as the shell that shows it.
if (getSession().kind === 'active') {
  const loadPage = { '/': loadHome, '/users': loadUsers }[location.pathname];
  void Promise.all([loadShell(), loadPage?.()]).catch(() => {});
}

const Shell = lazy(async () => ({ default: (await loadShell()).Shell }));
const AccountShell = lazy(async () => ({ default: (await loadShell()).AccountShell }));
const HomePage = lazy(async () => ({ default: (await loadHome()).HomePage }));
const UsersPage = lazy(async () => ({ default: (await loadUsers()).UsersPage }));
const UserPage = lazy(async () => ({ default: (await import('./users/detail/user-page.js')).UserPage }));
const CreatePage = lazy(async () => ({
  default: (await import('./users/create-page.js')).CreatePage,
}));
const ImportPage = lazy(async () => {
  await loadOnDemandCopy(); // an import can become a feed
  return { default: (await import('./import/import-page.js')).ImportPage };
});
const FeedsPage = lazy(async () => {
  await loadOnDemandCopy();
  return { default: (await import('./feeds/feeds-page.js')).FeedsPage };
});
const FeedPage = lazy(async () => {
  await loadOnDemandCopy();
  return { default: (await import('./feeds/feed-page.js')).FeedPage };
});
const RunPage = lazy(async () => {
  await loadOnDemandCopy();
  return { default: (await import('./feeds/run-page.js')).RunPage };
});
const NewFeedPage = lazy(async () => {
  await loadOnDemandCopy();
  return { default: (await import('./feeds/form/feed-form-page.js')).NewFeedPage };
});
const EditFeedPage = lazy(async () => {
  await loadOnDemandCopy();
  return { default: (await import('./feeds/form/feed-form-page.js')).EditFeedPage };
});
const ActivityPage = lazy(async () => ({
  default: (await import('./activity/activity-page.js')).ActivityPage,
}));
const FormerChangesPage = lazy(async () => ({
  default: (await import('./activity/former-changes-page.js')).FormerChangesPage,
}));
const SettingsPage = lazy(async () => {
  await loadOnDemandCopy();
  return { default: (await import('./settings/settings-page.js')).SettingsPage };
});
const SystemPage = lazy(async () => {
  await loadOnDemandCopy();
  return { default: (await import('./system/system-page.js')).SystemPage };
});
const DirectoryPage = lazy(async () => {
  await loadOnDemandCopy();
  return { default: (await import('./directories/directory-page.js')).DirectoryPage };
});
const ContinuePage = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./account/continue-page.js')).ContinuePage };
});
const AccountPage = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./account/account-page.js')).AccountPage };
});

const SignedInPage = lazy(async () => ({
  default: (await import('./account/signed-in-page.js')).SignedInPage,
}));
const NewPasswordPage = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./account/new-password-page.js')).NewPasswordPage };
});

/** Until the first page is there, the outline in index.html is seen. */
export function App() {
  return (
    <Suspense>
      <Switch>
        <Route path="/signed-in" component={SignedInPage} />
        <Route path="/new-password" component={NewPasswordPage} />
        <Route>
          <SessionGate>
            <Switch>
              <Route path="/sign-in/:id">{({ id }) => <ContinuePage key={id} id={id} />}</Route>
              <Route>
                <Pages />
              </Route>
            </Switch>
          </SessionGate>
        </Route>
      </Switch>
    </Suspense>
  );
}

function Pages() {
  const hasRole = useCurrentUser().scopes.length > 0;
  if (!hasRole) {
    return (
      <AccountShell>
        <PageBoundary>
          <Suspense fallback={<PageLoading />}>
            <AccountPage />
          </Suspense>
        </PageBoundary>
      </AccountShell>
    );
  }
  return (
    <Shell>
      <PageBoundary>
        <Suspense fallback={<PageLoading />}>
          <Switch>
            <Route path="/" component={HomePage} />
            <Route path="/users" component={UsersPage} />
            <Route path="/users/new" component={CreatePage} />
            <Route path="/users/:serial">{({ serial }) => <UserPage key={serial} serial={serial} />}</Route>
            <Route path="/import" component={ImportPage} />
            <Route path="/organizations">
              <DirectoryPage key="organizations" kind="organizations" />
            </Route>
            <Route path="/tags">
              <DirectoryPage key="tags" kind="tags" />
            </Route>
            <Route path="/feeds" component={FeedsPage} />
            <Route path="/feeds/new" component={NewFeedPage} />
            <Route path="/feeds/:key/edit">{({ key }) => <EditFeedPage key={key} feedKey={key} />}</Route>
            <Route path="/feeds/:key/runs/:id">
              {({ key, id }) => <RunPage key={id} feed={key} id={id} />}
            </Route>
            <Route path="/feeds/:key/:tab?">
              {({ key, tab }) => <FeedPage key={key} feed={key} tab={tab ?? 'overview'} />}
            </Route>
            <Route path="/changes" component={FormerChangesPage} />
            <Route path="/settings/*?" component={SettingsPage} />
            <Route path="/system/*?" component={SystemPage} />
            <Route path="/activity/*?" component={ActivityPage} />
            <Route path="/account" component={AccountPage} />
            <Route component={PageNotFound} />
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}

function PageLoading() {
  return (
    <Center mih={200}>
      <Loader aria-label={commonCopy.loading} />
    </Center>
  );
}
