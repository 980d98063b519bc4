import { Button } from '@mantine/core';
import { Link } from 'wouter';
import { commonCopy, outageCopy } from '../copy/copy.js';
import { EmptyState } from './empty-state.js';
import { PageTitle } from './page-title.js';

export function PageNotFound() {
  return (
    <>
      <PageTitle title={commonCopy.pageNotFound} />
      <EmptyState title={outageCopy.notFoundHint}>
        <Button component={Link} href="/" variant="default">
          {outageCopy.toStart}
        </Button>
      </EmptyState>
    </>
  );
}
