/** Moves the focus to the page when what had it is gone: to its search box, or else to its beginning. */
export function focusPage(): void {
  const page = document.getElementById('content');
  const searchBox = page?.querySelector<HTMLElement>('input[type=search]');
  if (searchBox) searchBox.focus();
  else if (page) {
    page.tabIndex = -1;
    page.focus();
  }
}
