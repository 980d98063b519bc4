import type { Plugin } from 'vite';

/** Lets the browser load what the first script is about to ask for while it still reads the document. */
export function preloaded(chunkName: string): Plugin {
  return {
    name: 'preloaded',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const chunk = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === chunkName);
        if (chunk?.type !== 'chunk') throw new Error(`There is no chunk "${chunkName}".`);
        const styles = [...(chunk.viteMetadata?.importedCss ?? [])];
        return [
          link({ rel: 'modulepreload', crossorigin: true, href: `/${chunk.fileName}` }),
          ...styles.map((file) => link({ rel: 'preload', as: 'style', crossorigin: true, href: `/${file}` })),
        ];
      },
    },
  };
}

function link(attrs: Record<string, string | boolean>) {
  return { tag: 'link', attrs, injectTo: 'head' as const };
}
