/** Strokes on a grid of 24 by 24. */
const paths = {
  home: 'M4 11.5 12 4l8 7.5M6 10v10h12V10M10 20v-6h4v6',
  users:
    'M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM2 21v-1a6 6 0 0 1 6-6h2a6 6 0 0 1 6 6v1M16 3.2a4 4 0 0 1 0 7.6M18 14.3a6 6 0 0 1 4 5.7v1',
  organizations: 'M10 3h4v5h-4zM4 16h4v5H4zM16 16h4v5h-4zM12 8v4M6 16v-4h12v4',
  tags: 'M3 11V4h7l10 10-7 7L3 11ZM7.5 8.5h.01',
  import: 'M12 3v12M7 10l5 5 5-5M4 17v4h16v-4',
  feeds: 'M4 5h9M4 10h6M4 15h5M16 21a5 5 0 1 0 0-10 5 5 0 0 0 0 10ZM16 13.5V16l1.8 1.2',
  changes: 'M3 12a9 9 0 1 0 3-6.7M3 4v5h5M12 7v5l3.5 2',
  activity: 'M3 12h4l3-8 4 16 3-8h4',
  settings:
    'M4 7h10M18 7h2M4 17h2M10 17h10M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z',
  system: 'M4 4h16v6H4zM4 14h16v6H4zM8 7h.01M8 17h.01',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.5 15.5 21 21',
  plus: 'M12 5v14M5 12h14',
  unfold: 'M9 6l6 6-6 6',
  key: 'M15 8a5 5 0 1 0-4.6 5L12 14.5h2v2h2v2h4v-3.3L15 10.4',
  theme: 'M12 3a9 9 0 1 0 0 18V3Z',
  keyboard: 'M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17 14h.01M7 14h7',
  lock: 'M6 11h12v10H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  exit: 'M14 4h6v16h-6M10 8l-4 4 4 4M6 12h9',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden
      style={{ flex: 'none' }}
    >
      <path d={paths[name]} />
    </svg>
  );
}
