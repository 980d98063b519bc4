import { navigate } from 'wouter/use-browser-location';

/** Follows a link that is not on the page. Like any other, it asks first if there are unsaved changes. */
export function goTo(href: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.hidden = true;
  link.addEventListener('click', (event) => {
    event.preventDefault();
    navigate(href);
  });
  document.body.append(link);
  link.click();
  link.remove();
}
