import { Badge } from '@mantine/core';

export function RowBadge({ color, text }: { color: string; text: string }) {
  return (
    <Badge variant="outline" color={`var(--import-${color})`}>
      {text}
    </Badge>
  );
}
