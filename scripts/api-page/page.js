/* global SwaggerUIBundle */
// The list of operations is part of the page. Swagger UI and the description of an operation are loaded when it is opened:
// with all operations at once, it takes seconds of a processor to show the first one.
const links = [...document.querySelectorAll('nav a')];
const find = document.querySelector('#find');
const operation = document.querySelector('#operation');
let shown;

addEventListener('hashchange', open);
find.addEventListener('input', filter);
open();
requestIdleCallback(() => bundle().catch(() => undefined));

function filter() {
  const words = find.value.toLowerCase().split(/\s+/);
  for (const link of links) {
    const text = link.textContent.toLowerCase();
    link.parentElement.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of document.querySelectorAll('nav section')) {
    group.hidden = !group.querySelector('li:not([hidden])');
  }
  document.querySelector('#nothing').hidden = links.some((link) => !link.parentElement.hidden);
}

async function open() {
  const current = links.filter(({ hash }) => hash === location.hash);
  for (const link of links) {
    if (current.includes(link)) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  document.body.classList.toggle('opened', current.length > 0);
  if (current.length === 0) return;
  current.at(-1).scrollIntoView({ block: 'nearest' });
  scrollTo(0, operation.offsetTop > innerHeight / 2 ? operation.offsetTop : 0);
  operation.setAttribute('aria-busy', 'true');
  try {
    await show(new URL(`static/operations/${location.hash.slice(1)}.json`, document.baseURI).href);
  } catch {
    operation.textContent =
      'The page could not be loaded. Check the connection, and open the operation again.';
  }
  operation.removeAttribute('aria-busy');
}

/** One instance for all operations, so that a token entered once stays. */
async function show(url) {
  await bundle();
  if (shown) {
    shown.specActions.updateUrl(url);
    await shown.specActions.download(url);
    return;
  }
  await new Promise((onComplete) => {
    shown = SwaggerUIBundle({
      domNode: operation,
      url,
      docExpansion: 'full',
      defaultModelsExpandDepth: -1,
      onComplete,
      tryItOutEnabled: true,
      validatorUrl: null,
    });
  });
}

let loading;
function bundle() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = 'static/swagger-ui-bundle.js';
    script.onload = resolve;
    script.onerror = () => {
      loading = undefined;
      reject(new Error('Swagger UI could not be loaded.'));
    };
    document.head.append(script);
  });
  return loading;
}
