import { Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import { commonCopy, outageCopy } from '../copy/copy.js';
import { PageTitle } from './page-title.js';

export function PageNotFound() {
  return (
    <>
      <PageTitle title={commonCopy.pageNotFound} />
      <Text mb="md">{outageCopy.notFoundHint}</Text>
      <Button component={Link} href="/" variant="default">
        {outageCopy.toStart}
      </Button>
    </>
  );
}
