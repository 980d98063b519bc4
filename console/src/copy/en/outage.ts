export const outageCopy = {
  waiting: "Can't reach the service. Reconnecting…",
  pageFailed: "Couldn't show this page",
  pageFailedHint: "Reload the page. If that doesn't help, tell your administrator.",
  reload: 'Reload page',
  notFoundHint: 'The link may be wrong, or the page has moved.',
  toStart: 'Go to the start page',
};
