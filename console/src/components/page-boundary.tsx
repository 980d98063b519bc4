import { Button, Center, Loader } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { Component, type ReactNode, useEffect, useState } from 'react';
import { commonCopy, outageCopy } from '../copy/copy.js';
import { reportOutage } from '../session/outage.js';
import { EmptyState } from './empty-state.js';

/** Shows a message instead of an empty window if a page fails. */
export class PageBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state = { error: undefined as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return isMissingScript(error) ? <ReloadWhenReady /> : <PageFailed />;
  }
}

/** The script of a page could not be loaded: the service is down, or has a new version. A reload solves both. */
function ReloadWhenReady() {
  const [isHopeless, setIsHopeless] = useState(false);
  useEffect(() => {
    reportOutage();
    return onlineManager.subscribe((isOnline) => {
      if (isOnline && !reloadOnce()) setIsHopeless(true);
    });
  }, []);
  if (isHopeless) return <PageFailed />;
  return (
    <Center mih={200}>
      <Loader aria-label={commonCopy.loading} />
    </Center>
  );
}

function PageFailed() {
  return (
    <EmptyState title={outageCopy.pageFailed} hint={outageCopy.pageFailedHint}>
      <Button onClick={() => location.reload()}>{outageCopy.reload}</Button>
    </EmptyState>
  );
}

/** Browsers have no error of their own for a script that can't be loaded on demand, but the bundler reports it. */
const missing = new WeakSet<Error>();
window.addEventListener('vite:preloadError', ({ payload }) => void missing.add(payload));

function isMissingScript(error: unknown): boolean {
  return error instanceof Error && missing.has(error);
}

const storageKey = 'rollcall.reloaded';
const pauseMs = 30_000;

/** Reloads the page. False if that has just been done, so that a page doesn't reload forever. */
function reloadOnce(): boolean {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(storageKey)) < pauseMs) return false;
  sessionStorage.setItem(storageKey, String(now));
  location.reload();
  return true;
}
